package dev.ply.cli.option;

import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandOption;
import dev.ply.layout.OutputFormat;
import java.util.stream.Stream;

/** Options that command lines have in common, with the same names everywhere. */
public final class Shared {
  /** The help. */
  public static final CommandOption HELP = CommandOption.flag("h", "help", "show this help");

  /** Each step, on the error stream. */
  public static final CommandOption DEBUG =
      CommandOption.flag("d", "debug", "report each step on stderr (-d without a number)")
          .alsoCalled("verbose");

  /** The one process. */
  public static final CommandOption PID =
      CommandOption.valued(
          "p",
          "pid",
          Argument.of("PID", Argument.Kind.PROCESS),
          "trace only this process; stop when it exits");

  /** The cgroup. */
  public static final CommandOption CGROUP =
      CommandOption.valued(
          "",
          "cgroup",
          Argument.of("PATH", Argument.Kind.DIRECTORY),
          "trace only this cgroup and those below it, of cgroup v2");

  /** The container. */
  public static final CommandOption CONTAINER =
      CommandOption.valued(
          "",
          "container",
          Argument.of("NAME|ID", Argument.Kind.TEXT),
          "trace only this container, by name or the start of its ID");

  /** The PID namespace. */
  public static final CommandOption PIDNS =
      CommandOption.valued(
          "",
          "pidns",
          Argument.of("PID|INODE", Argument.Kind.TEXT),
          "trace only the PID namespace of PID, self or INODE, and those in it");

  /** The user that the trace continues as. */
  public static final CommandOption DROP_PRIVILEGES =
      CommandOption.valued(
          "",
          "drop-privileges",
          Argument.of("USER", Argument.Kind.TEXT),
          "once all probes are attached, continue as USER, without any capability");

  /** The capabilities that are kept when privileges are dropped. */
  public static final CommandOption KEEP_CAPABILITIES =
      CommandOption.valued(
          "",
          "keep-capabilities",
          Argument.of("LIST", Argument.Kind.TEXT),
          "with --drop-privileges, capabilities that the thread which reads symbols keeps:"
              + " sys_ptrace, dac_read_search");

  /** The file of results. */
  public static final CommandOption OUTPUT =
      CommandOption.valued(
          "o",
          "output",
          Argument.of("FILE", Argument.Kind.FILE),
          "write results to FILE, in the format its name ends with (-o a.csv -o b.pb.gz: to both)");

  /** The file of a page for a browser. */
  public static final CommandOption HTML =
      CommandOption.valued(
          "",
          "html",
          Argument.of("FILE", Argument.Kind.FILE),
          "write a page for a browser to FILE: tables, flame graphs, and all of it over time");

  /** The periods of what is shown over time. */
  public static final CommandOption SNAPSHOTS =
      CommandOption.valued(
          "",
          "snapshots",
          Argument.of("TIME", Argument.Kind.DURATION),
          "show maps over time, on a page or in Perfetto, in steps of TIME (1s); 0: only the end");

  /** The format of results. */
  public static final CommandOption FORMAT =
      CommandOption.valued(
          "f",
          "format",
          Argument.choice(
              "FORMAT", Stream.of(OutputFormat.values()).map(OutputFormat::word).toList()),
          "write results as " + OutputFormat.words());

  /** Allows dangerous functions. */
  public static final CommandOption UNSAFE =
      CommandOption.flag(
          "", "unsafe", "allow system, signal, override, and probes at addresses without a symbol");

  /** The version. */
  public static final CommandOption VERSION = version("V");

  /** Shows the features of the kernel. */
  public static final CommandOption INFO =
      CommandOption.flag("", "info", "show what this kernel supports");

  private Shared() {}

  /** {@return the options that select by cgroup or namespace} */
  public static CommandOption[] places() {
    return new CommandOption[] {CGROUP, CONTAINER, PIDNS};
  }

  /** {@return the option that shows the version} */
  public static CommandOption version(String letter) {
    return CommandOption.flag(letter, "version", "show the version");
  }

  /**
   * {@return the option for a command to run while tracing}
   *
   * @param letter empty if it means something else
   * @param sentence how it is run
   */
  public static CommandOption command(String letter, String sentence) {
    return CommandOption.valued(
            letter, "command", Argument.of("CMD", Argument.Kind.COMMAND), sentence)
        .alsoCalled("cmd");
  }
}
