package dev.ply.cli.manual;

import java.util.List;

/**
 * Options that help and manual show together.
 *
 * @param title a few words, without a colon
 * @param options at least one
 */
public record OptionGroup(String title, List<CommandOption> options) {
  /** Keeps a copy of the options. */
  public OptionGroup {
    options = List.copyOf(options);
  }

  /** {@return a group of options} */
  public static OptionGroup of(String title, CommandOption... options) {
    return new OptionGroup(title, List.of(options));
  }
}
