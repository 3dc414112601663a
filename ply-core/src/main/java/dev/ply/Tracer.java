package dev.ply;

import dev.ply.diagnostic.CompilationException;
import dev.ply.ir.Script;
import java.util.List;

/**
 * Runs traces, on the running kernel or a simulated one. Thread-safe. Closing it closes its traces.
 * A tracer that is unreachable together with all of its traces is closed when collected, with a
 * warning to the logger {@code dev.ply}.
 */
public interface Tracer extends AutoCloseable {
  /**
   * Compiles, verifies and loads a script; nothing is attached yet.
   *
   * @param script built, or parsed by {@code PlyScript}
   * @return the trace, to be started or closed
   * @throws CompilationException with all errors of the script
   * @throws IllegalStateException if the tracer is closed
   */
  PreparedTrace prepare(Script script);

  /**
   * Compiles, verifies and loads probes; nothing is attached yet.
   *
   * @param probes in the order in which those of one site run
   * @return the trace, to be started or closed
   */
  PreparedTrace prepare(List<? extends Probe> probes);

  /**
   * Compiles, verifies and loads probes; nothing is attached yet.
   *
   * @param probes in the order in which those of one site run
   * @return the trace, to be started or closed
   */
  default PreparedTrace prepare(Probe... probes) {
    return prepare(List.of(probes));
  }

  /**
   * Prepares and starts a script.
   *
   * @param script built, or parsed by {@code PlyScript}
   * @return the running trace
   */
  default Session start(Script script) {
    return prepare(script).start();
  }

  /**
   * Prepares and starts probes.
   *
   * @param probes in the order in which those of one site run
   * @return the running trace
   */
  default Session start(Probe... probes) {
    return prepare(probes).start();
  }

  /**
   * Removes the maps that are pinned in the directory of this tracer's options ({@link
   * TraceOptions#pinnedAt}), and the directory: their next trace begins with empty maps. Detaches a
   * trace that stays attached ({@link TraceOptions#stayingAttached}) without a session, and returns
   * once it is detached, after 2 s at most. Traces that use the maps keep them until they are
   * closed. Does nothing without such a directory, and if it has no maps of ply.
   *
   * @throws java.io.UncheckedIOException if a file cannot be removed
   */
  void unpin();

  @Override
  void close();
}
