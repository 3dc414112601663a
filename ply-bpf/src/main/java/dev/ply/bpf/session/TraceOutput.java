package dev.ply.bpf.session;

import dev.ply.result.Layout;
import java.io.OutputStream;

/** The output stream of a trace's events, and their layout. */
record TraceOutput(OutputStream stream, Layout layout) {
  /** Discards output. */
  static final TraceOutput NONE = new TraceOutput(OutputStream.nullOutputStream(), Layout.PLY);
}
