package dev.ply.cli.run;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;

/**
 * What follows a trace while it runs: measures it, shows it, serves or exports its results. A
 * command line asks for any number of them. For one run.
 */
public interface Follower extends AutoCloseable {
  /** Makes a follower for a run; the option that asks for it is one. */
  @FunctionalInterface
  interface Maker {
    /** Returns a follower that reports to a console. */
    Follower on(Console console);

    /** Returns the options that it needs the trace to be compiled with. */
    default CompilerOptions compiledWith(CompilerOptions options) {
      return options;
    }
  }

  /**
   * Reads a script before it is compiled.
   *
   * @param source of the script, which has its name
   * @return the script with what this needs beside it; its own results stay the same
   */
  default Script extend(Source source, Script script) {
    return script;
  }

  /**
   * Joins a trace before it starts, as a listener to its results, say.
   *
   * @return the trace
   * @throws UsageException if it cannot do what was asked for
   */
  default PreparedTrace join(PreparedTrace trace) throws UsageException {
    return trace;
  }

  /**
   * Follows a session from when all its probes are attached.
   *
   * @param results the command's outputs
   * @param end ends the trace, as Ctrl-C does
   */
  void follow(Session session, ResultOutput results, Runnable end);

  /** Leaves a session that is about to be stopped: its last output and its results are printed. */
  default void stopping(Session session) {}

  /**
   * Ends with a session that has stopped, after its results were printed.
   *
   * @param results the command's outputs
   */
  default void stopped(Session session, ResultOutput results) {}

  /** Returns whether it could not do what was asked for, so that the command fails. */
  default boolean hasFailed() {
    return false;
  }

  /** Releases everything; also called after a failure. */
  @Override
  default void close() {}
}
