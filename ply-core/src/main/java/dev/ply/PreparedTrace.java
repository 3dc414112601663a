package dev.ply;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.result.Layout;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Consumer;

/**
 * A trace that is compiled, verified and loaded, ready to start once. Closing it without a start
 * releases it.
 */
public interface PreparedTrace extends AutoCloseable {
  /**
   * Returns the programs in the kernel's notation, each instruction with the source line it comes
   * from.
   */
  String disassembly();

  /** Returns what the author of the script should know. */
  List<Diagnostic> warnings();

  /**
   * Sends what probes print to {@code printer}, piece by piece, ends of line included; without it,
   * it is dropped.
   *
   * @param printer called on one thread at a time
   * @throws IllegalStateException if the trace was started or closed
   */
  default PreparedTrace printTo(Consumer<String> printer) {
    return writeTo(new PieceStream(printer));
  }

  /**
   * Writes what probes print to {@code out} in ply's layout, as {@link #writeTo(OutputStream,
   * Layout)} does.
   *
   * @param out called on one thread at a time; it should have a buffer
   * @throws IllegalStateException if the trace was started or closed
   */
  default PreparedTrace writeTo(OutputStream out) {
    return writeTo(out, Layout.PLY);
  }

  /**
   * Writes what probes print to {@code out} as UTF-8, each piece in one call, and flushes it
   * whenever no more is waiting; this makes no garbage, whatever the number of events, in the
   * layouts for people. What {@code out} throws ends the trace. Control characters and invalid
   * UTF-8 in what was traced are {@link dev.ply.type.Escapes escaped}, but for {@link
   * Layout#PLY_RAW}.
   *
   * @param out called on one thread at a time; it should have a buffer
   * @throws IllegalStateException if the trace was started or closed
   */
  PreparedTrace writeTo(OutputStream out, Layout layout);

  /**
   * Runs what happens first, attaches all probes and returns the running trace, which takes over
   * what to close.
   */
  Session start();

  @Override
  void close();
}
