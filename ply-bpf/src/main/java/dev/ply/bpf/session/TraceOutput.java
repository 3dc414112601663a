package dev.ply.bpf.session;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.layout.Layout;
import java.io.OutputStream;
import java.util.function.Consumer;

/**
 * The output stream of a trace's events, and their layout.
 *
 * @param reports receives what goes wrong while tracing
 */
record TraceOutput(OutputStream stream, Layout layout, Consumer<Diagnostic> reports) {
  /** Discards output, and logs reports. */
  static final TraceOutput NONE =
      new TraceOutput(OutputStream.nullOutputStream(), Layout.PLY, TraceOutput::log);

  private static void log(Diagnostic report) {
    System.getLogger("dev.ply").log(System.Logger.Level.WARNING, report.message());
  }
}
