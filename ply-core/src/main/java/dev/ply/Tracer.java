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
   * @throws CompilationException with all errors of the script
   * @throws IllegalStateException if the tracer is closed
   */
  PreparedTrace prepare(Script script);

  /** Compiles, verifies and loads probes; nothing is attached yet. */
  PreparedTrace prepare(List<? extends Probe> probes);

  /** Compiles, verifies and loads probes; nothing is attached yet. */
  default PreparedTrace prepare(Probe... probes) {
    return prepare(List.of(probes));
  }

  /** Prepares and starts a script. */
  default Session start(Script script) {
    return prepare(script).start();
  }

  /** Prepares and starts probes. */
  default Session start(Probe... probes) {
    return prepare(probes).start();
  }

  @Override
  void close();
}
