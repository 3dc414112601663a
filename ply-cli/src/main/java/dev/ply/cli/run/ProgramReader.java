package dev.ply.cli.run;

import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.lang.argument.ScriptArguments;

/** Reads the program of a front end as a script. */
@FunctionalInterface
public interface ProgramReader {
  /** A program in the ply language. */
  ProgramReader SCRIPT = Compilation::parse;

  /**
   * Reads a program and prints its warnings.
   *
   * @param arguments what the program receives
   * @throws dev.ply.diagnostic.CompilationException with all errors of the program
   */
  Script read(Compilation compilation, Source source, ScriptArguments arguments);
}
