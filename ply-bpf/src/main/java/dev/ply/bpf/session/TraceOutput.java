package dev.ply.bpf.session;

import dev.ply.result.Layout;
import java.io.OutputStream;

/** The stream that a trace's events are printed to, and their layout. */
record TraceOutput(OutputStream stream, Layout layout) {
  /** Drops what is printed. */
  static final TraceOutput NONE = new TraceOutput(OutputStream.nullOutputStream(), Layout.PLY);
}
