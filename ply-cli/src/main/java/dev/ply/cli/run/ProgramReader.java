package dev.ply.cli.run;

import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import java.util.Map;

/** Reads the program of a front end as a script. */
@FunctionalInterface
public interface ProgramReader {
  /** A program in the ply language. */
  ProgramReader SCRIPT = Compilation::parse;

  /**
   * Reads a program and prints its warnings.
   *
   * @param environment values of variables such as {@code $HOME}
   * @throws dev.ply.diagnostic.CompilationException with all errors of the program
   */
  Script read(Compilation compilation, Source source, Map<String, String> environment);
}
