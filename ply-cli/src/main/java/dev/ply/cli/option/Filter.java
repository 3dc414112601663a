package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandOption;
import dev.ply.kernel.procfs.UserNames;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Options that restrict what is traced, which are the same for all tools. */
public enum Filter {
  /** One process; the trace ends with it. */
  PID("p", "PID", Argument.Kind.PROCESS, "trace only this process; stop when it exits") {
    @Override
    public String condition(String value) {
      return "";
    }
  },
  /** One thread. */
  TID("t", "TID", Argument.Kind.NUMBER, "trace only this thread") {
    @Override
    public String condition(String value) throws UsageException {
      return "kpid == " + number("--tid", value);
    }
  },
  /** One user. */
  UID("u", "UID", Argument.Kind.NUMBER, "trace only this user, by number or name") {
    @Override
    public String condition(String value) throws UsageException {
      return "uid == " + (value.matches("\\d+") ? number("--uid", value) : user(value));
    }
  },
  /** Processes by name. */
  NAME("n", "NAME", Argument.Kind.TEXT, "trace only processes whose name contains NAME") {
    @Override
    public String condition(String value) throws UsageException {
      if (value.isEmpty() || value.length() > 15) {
        throw new UsageException("--name takes 1 to 15 characters of a process's name");
      }
      return "strcontains(comm, " + quoted(value) + ")";
    }
  },
  /** Processes by cgroup. */
  CGROUP {
    @Override
    public CommandOption option() {
      return Shared.CGROUP;
    }

    @Override
    public String condition(String value) throws UsageException {
      return inCgroup(Cgroups.ofPath(value));
    }
  },
  /** Processes by container. */
  CONTAINER {
    @Override
    public CommandOption option() {
      return Shared.CONTAINER;
    }

    @Override
    public String condition(String value) throws UsageException {
      return inCgroup(Cgroups.ofContainer(value));
    }
  },
  /** Processes by PID namespace. */
  PIDNS {
    @Override
    public CommandOption option() {
      return Shared.PIDNS;
    }

    @Override
    public String condition(String value) throws UsageException {
      return "in_pidns(" + PidNamespaces.inode(value) + ")";
    }
  };

  private final String letter;
  private final String argument;
  private final Argument.Kind kind;
  private final String sentence;

  Filter(String letter, String argument, Argument.Kind kind, String sentence) {
    this.letter = letter;
    this.argument = argument;
    this.kind = kind;
    this.sentence = sentence;
  }

  /** Creates a filter whose option all front ends have. */
  Filter() {
    this("", "", Argument.Kind.TEXT, "");
  }

  /** Returns the word of headers, which is the option's name. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the filter of a word. */
  public static Optional<Filter> named(String word) {
    return Stream.of(values()).filter(filter -> filter.word().equals(word)).findFirst();
  }

  /** Returns all words. */
  public static String words() {
    return Stream.of(values()).map(Filter::word).collect(Collectors.joining(", "));
  }

  /** Returns the declaration of the option. */
  public CommandOption option() {
    return CommandOption.valued(letter, word(), Argument.of(argument, kind), sentence);
  }

  /**
   * Returns the condition that each probe then has; empty if something else restricts the trace.
   *
   * @throws UsageException if the value is not one of the option
   */
  public abstract String condition(String value) throws UsageException;

  private static String number(String option, String value) throws UsageException {
    if (!value.matches("\\d{1,10}")) {
      throw new UsageException(option + " takes a number, not \"" + value + "\"");
    }
    return value;
  }

  private static String user(String name) throws UsageException {
    for (Map.Entry<Long, String> user : UserNames.read().entrySet()) {
      if (user.getValue().equals(name)) {
        return String.valueOf(user.getKey());
      }
    }
    throw new UsageException("--uid: no user \"" + name + "\" in /etc/passwd");
  }

  private static String inCgroup(Path directory) {
    return "in_cgroup(" + quoted(directory.toString()) + ")";
  }

  private static String quoted(String value) {
    StringBuilder text = new StringBuilder("\"");
    value
        .chars()
        .forEach(
            c ->
                text.append(
                    c < 0x80 && Character.isLetterOrDigit(c)
                        ? String.valueOf((char) c)
                        : String.format(Locale.ROOT, "\\%03o", c & 0xff)));
    return text.append('"').toString();
  }
}
