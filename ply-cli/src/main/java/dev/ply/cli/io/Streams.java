package dev.ply.cli.io;

import java.io.InputStream;
import java.util.Set;

/**
 * The standard streams of a command.
 *
 * @param input what a program can be read from
 * @param output what results are written to
 * @param errors what everything else is written to
 * @param terminal whether both are read by a person
 */
public record Streams(InputStream input, Output output, ErrorStream errors, Terminal terminal) {
  /** Returns a console with warnings. */
  public Console console() {
    return console(Set.of(Console.Remark.WARNING));
  }

  /** Returns a console with some remarks besides errors and messages. */
  public Console console(Set<Console.Remark> remarks) {
    return new Console(output, errors, remarks, terminal);
  }
}
