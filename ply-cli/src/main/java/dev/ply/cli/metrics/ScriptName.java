package dev.ply.cli.metrics;

import dev.ply.diagnostic.Source;
import java.util.Optional;

/** What a script is called among those that are exported. */
public final class ScriptName {
  private ScriptName() {}

  /**
   * {@return the name of a file or a tool without what follows the dot; empty for a program on a
   * command line}
   */
  public static Optional<String> of(Source source) {
    String file = source.name().substring(source.name().lastIndexOf('/') + 1);
    return file.startsWith("<")
        ? Optional.empty()
        : Optional.of(file.replaceAll("(?<=.)\\..*", ""));
  }
}
