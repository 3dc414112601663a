package dev.ply.cli;

import dev.ply.cli.follow.Followers;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.Shared;
import dev.ply.cli.option.Sizes;
import dev.ply.target.Mechanism;

/** The declaration of ply's own command line. */
final class ScriptManual {
  /** The sections of the manual. */
  static final CommandManual MANUAL =
      CommandManual.of(
              "ply",
              "trace the running kernel and programs",
              Argument.of("program", Argument.Kind.SCRIPT),
              "Traces the running kernel with a program of the ply language (-: of stdin).",
              "[options] <text|file|-> [parameter...]")
          .with(
              "What to trace",
              Shared.command(
                  "c", "run CMD in a shell once all probes are attached; stop when it exits"),
              CommandOption.valued(
                  "p",
                  "pid",
                  Argument.of("PID", Argument.Kind.PROCESS),
                  "trace only this process ($target), with paths as it sees them; stop when it"
                      + " exits"),
              Durations.DURATION,
              CommandOption.valued(
                  "",
                  "attach",
                  Argument.choice(
                      "HOW", Mechanism.choices().stream().map(Mechanism::toString).toList()),
                  "attach by HOW where possible: " + ScriptOptions.mechanisms()),
              Sizes.MISSING_PROBES,
              Sizes.NO_PERF_MAPS,
              CommandOption.flag("k", "keep-going", "continue when events or map updates are lost"),
              Shared.UNSAFE)
          .with(
              "Results and messages",
              Shared.FORMAT,
              Shared.OUTPUT,
              Shared.HTML,
              Shared.SNAPSHOTS,
              CommandOption.flag(
                  "", "compat", "use the layout of ply 2.4, with columns as wide as the types"),
              CommandOption.flag("", "raw", "write %s and %c of printf unescaped"),
              CommandOption.flag("u", "unbuffer", "do not buffer output"),
              CommandOption.flag("q", "quiet", "show no warnings"),
              Shared.DEBUG,
              CommandOption.flag(
                  "S",
                  "dump",
                  "show the bytecode, with -d also the verifier's state; then run the program"))
          .with("Containers", Shared.places())
          .with("While tracing", Followers.options())
          .with(
              "Instead of tracing",
              CommandOption.flag("e", "dry-run", "check the program, but do not run it"),
              CommandOption.flag(
                  "l",
                  "list",
                  "list the probes that patterns select; with -v also their arguments"),
              CommandOption.flag(
                  "h", "help", "show this help, or the entries of the names that follow"),
              CommandOption.flag("T", "self-test", "test what this kernel supports for tracing"),
              Shared.INFO,
              Shared.version("v"))
          .with(
              "Sizes",
              Sizes.MAP_ENTRIES,
              Sizes.BUFFER,
              Sizes.STACK_DEPTH,
              Sizes.SYMBOL_MEMORY,
              Sizes.UNWIND_MEMORY)
          .with(
              new Section.Lines(
                  "Examples",
                  """
                  ply 'tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }'
                  ply -d 5 'kretprobe:vfs_read { @[comm] = quantize(retval); }'
                  ply -c 'ls /' 'tracepoint:syscalls:sys_enter_openat / pid == $target /
                      { print(str(data->filename)); }'
                  ply -l -v 'tracepoint:sched:sched_switch'
                  """))
          .with(
              Section.Terms.of(
                  "Exit status",
                  new Section.Term("0", "The trace ended, or the program is correct (-e)."),
                  new Section.Term(
                      "1",
                      "The program or the command line is wrong, the kernel refuses the trace, or"
                          + " results are lost."),
                  new Section.Term("other", "The program's own, from exit(STATUS).")))
          .with(
              Section.Terms.of(
                  "Environment",
                  new Section.Term(
                      "JAVA_HOME", "The Java runtime to use; else the one on the path."),
                  new Section.Term(
                      "PLY_CACHE",
                      "The directory of computed unwind tables (/var/cache/ply of root,"
                          + " $XDG_CACHE_HOME/ply or ~/.cache/ply of others); empty for none."),
                  new Section.Term(
                      "PLY_HEAP",
                      "The maximum memory of the Java runtime, such as 256m or 2g (512m).")))
          .seeAlso(
              "ply-bt(1)",
              "ply-argdist(1)",
              "ply-trace(1)",
              "ply-kprobe-events(1)",
              "ply-uprobe-events(1)",
              "ply-language(7)");

  private ScriptManual() {}
}
