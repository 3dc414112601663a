package dev.ply.cli.run;

import dev.ply.Session;
import dev.ply.cli.io.Command;
import dev.ply.cli.io.Console;
import dev.ply.ir.Script;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.table.NamedTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A command line that runs programs, and what is its own about the way they run. Its options become
 * a {@link TraceRequest}, which has its layout, and the reader of its programs unless they are
 * scripts.
 */
public interface FrontEnd extends Command {
  /** Returns what its messages say can be done about losses. */
  Remedies remedies();

  /** Returns the {@code comm} of the thread that runs BEGIN and END. */
  default String threadName() {
    return "ply";
  }

  /**
   * Returns what its programs receive besides parameters and options.
   *
   * @param environment the caller's
   * @param process the only one that is traced
   */
  default ScriptArguments arguments(Map<String, String> environment, OptionalLong process) {
    return ScriptArguments.NONE;
  }

  /** Returns the report of attached probes, for layouts without one. */
  default Optional<String> attached(int probes) {
    return Optional.empty();
  }

  /** Returns a line of output for programs that wait until all probes are attached. */
  default Optional<String> readiness() {
    return Optional.empty();
  }

  /** Returns the report of events lost while a trace runs, for layouts without one it. */
  default Optional<String> lost(long events) {
    return Optional.empty();
  }

  /** Returns whether a trace ends after BEGIN where nothing else can run. */
  default boolean endsWithoutProbes() {
    return false;
  }

  /** Reports on a trace that has stopped, after its maps. */
  default void stopped(Console console, Session session, Script script, List<NamedTable> tables) {}
}
