package dev.ply.bpf.session;

import java.io.OutputStream;

/**
 * The stream that a trace's events are printed to.
 *
 * @param isRaw whether {@code %s} and {@code %c} write bytes as they are, not escaped
 */
record TraceOutput(OutputStream stream, boolean isRaw) {
  /** Drops what is printed. */
  static final TraceOutput NONE = new TraceOutput(OutputStream.nullOutputStream(), false);
}
