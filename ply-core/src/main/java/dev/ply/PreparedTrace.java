package dev.ply;

import dev.ply.diagnostic.Diagnostic;
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
   */
  PreparedTrace printTo(Consumer<String> printer);

  /**
   * Runs what happens first, attaches all probes and returns the running trace, which takes over
   * what to close.
   */
  Session start();

  @Override
  void close();
}
