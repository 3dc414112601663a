package dev.ply.cli.completion;

import dev.ply.cli.manual.CommandManual;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A shell that completes command lines. */
public enum Shell {
  /** Bash, 4.3 and later. */
  BASH("ply") {
    @Override
    String script(CompletedCommands commands) {
      return BashCompletion.script(commands);
    }
  },
  /** Zsh, 5 and later. */
  ZSH("_ply") {
    @Override
    String script(CompletedCommands commands) {
      return ZshCompletion.script(commands);
    }
  },
  /** Fish, 3 and later. */
  FISH("ply.fish") {
    @Override
    String script(CompletedCommands commands) {
      return FishCompletion.script(commands);
    }
  };

  private final String file;

  Shell(String file) {
    this.file = file;
  }

  /** Returns what the shell reads to complete commands. */
  abstract String script(CompletedCommands commands);

  /** {@return the shell of a name} */
  public static Optional<Shell> named(String name) {
    return Stream.of(values()).filter(shell -> shell.word().equals(name)).findFirst();
  }

  /** {@return its name} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** {@return the name of the file that the shell looks for} */
  public String file() {
    return file;
  }

  /**
   * {@return what the shell reads to complete commands}
   *
   * @param manuals ply's own first
   */
  public String script(List<CommandManual> manuals) {
    return script(new CompletedCommands(manuals));
  }
}
