package dev.ply.cli.bpftrace;

import dev.ply.cli.follow.Followers;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.Shared;
import dev.ply.cli.option.Sizes;
import java.util.List;

/** The declaration of bpftrace's command line. */
final class BpftraceManual {
  /** The sections of the manual. */
  static final CommandManual MANUAL =
      CommandManual.of(
              "ply bt",
              "trace with bpftrace's options and output",
              Argument.of("program", Argument.Kind.FILE),
              "Traces the running kernel, with the options and output of bpftrace.",
              "[options] <file|-> [parameter...]",
              "[options] -e <program> [parameter...]")
          .with(
              "What to trace",
              valued("e", "", "PROGRAM", Argument.Kind.SCRIPT, "run this program"),
              Shared.command(
                  "c",
                  "run CMD, without a shell, once all probes are attached; stop when it exits"),
              Shared.PID,
              Durations.DURATION,
              valued(
                  "I",
                  "",
                  "DIR",
                  Argument.Kind.DIRECTORY,
                  "search DIR for headers, too; kernel headers are not needed"),
              valued(
                  "",
                  BpftraceOptions.INCLUDE,
                  "FILE",
                  Argument.Kind.FILE,
                  "include the header FILE before the program"),
              valued(
                  "",
                  BpftraceOptions.PROBE_FILTER,
                  "REGEX",
                  Argument.Kind.TEXT,
                  "attach only probes whose names match, and BEGIN and END"),
              valued(
                  "",
                  BpftraceOptions.TRACEABLE_FUNCTIONS,
                  "FILE",
                  Argument.Kind.FILE,
                  "the functions that patterns select from, one a line as in"
                      + " available_filter_functions"),
              CommandOption.valued(
                  "",
                  BpftraceOptions.NO_FEATURE,
                  Argument.choices(
                      "LIST", List.of("kprobe_multi", "uprobe_multi", "kprobe_session")),
                  "kprobe_multi: attach functions one by one; also accepted: uprobe_multi,"
                      + " kprobe_session"),
              Sizes.MISSING_PROBES,
              Sizes.NO_PERF_MAPS,
              Shared.UNSAFE)
          .with(
              "Results and messages",
              Shared.FORMAT,
              Shared.OUTPUT,
              Shared.HTML,
              Shared.SNAPSHOTS,
              CommandOption.valued(
                  "B",
                  "",
                  Argument.choice("MODE", List.of("line", "full", "none")),
                  "buffer output by line, in large blocks (full), or not (none)"),
              CommandOption.flag("q", "quiet", "do not report attached probes"),
              CommandOption.flag(
                  "k",
                  "warnings",
                  "warn of errors while programs run: failed reads and lookups, divisions by zero"),
              CommandOption.flag("", BpftraceOptions.NO_WARNINGS, "show no warnings"),
              CommandOption.flag("v", "verbose", "report each step on stderr"),
              CommandOption.valued(
                  "d",
                  "debug",
                  Argument.choices(
                      "STAGE",
                      List.of(
                          "ast",
                          "codegen",
                          "codegen-opt",
                          "dis",
                          "libbpf",
                          "verifier",
                          "all",
                          "parse",
                          "types")),
                  "show a stage of the compilation: ast, codegen, dis, verifier or all"),
              Sizes.SYMBOL_MEMORY)
          .with("Containers", Shared.places())
          .with("While tracing", Followers.options())
          .with(
              "Instead of tracing",
              CommandOption.flag("", "dry-run", "check the program, but do not run it"),
              CommandOption.flag(
                  "l",
                  "list",
                  "list the probes that patterns or a program select; with -v also their"
                      + " arguments"),
              CommandOption.flag(
                  "", BpftraceOptions.FMT, "format the program, to stdout or to the file of -o"),
              CommandOption.flag("", BpftraceOptions.TEST, "run the script's tests, test:name"),
              CommandOption.flag(
                  "", BpftraceOptions.BENCH, "run the script's benchmarks, bench:name"),
              CommandOption.valued(
                  "",
                  BpftraceOptions.MODE,
                  Argument.choice(
                      "MODE",
                      List.of(
                          BpftraceOptions.TEST,
                          BpftraceOptions.BENCH,
                          BpftraceOptions.FORMAT,
                          BpftraceOptions.CODEGEN)),
                  "test, bench, format: as --test, --bench, --fmt; codegen: as --dry-run"),
              Shared.HELP,
              Shared.INFO,
              Shared.VERSION)
          .with(
              "Accepted without effect",
              valued(
                  "",
                  "debuginfo",
                  "DIR",
                  Argument.Kind.DIRECTORY,
                  "symbols come from the files' symbol tables"),
              CommandOption.flag(
                  "",
                  "usdt-file-activation",
                  "the kernel activates probes in all processes of a file"),
              CommandOption.flag("b", "btf", "the kernel's types are always used"),
              CommandOption.flag("", "verify-llvm-ir", "no LLVM is involved"))
          .with(
              new Section.Lines(
                  "Examples",
                  """
                  ply bt -e 'tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }'
                  ply bt -d 5 -e 'kprobe:vfs_read { @[kstack(3)] = count(); }'
                  ply bt -l 'tracepoint:sched:*'
                  """))
          .with(
              Section.Terms.of(
                  "Environment",
                  new Section.Term(
                      "BPFTRACE_MAX_MAP_KEYS, BPFTRACE_MAX_STRLEN, …",
                      "Settings, as in a script's config block.")))
          .seeAlso("ply(1)", "ply-argdist(1)", "ply-language(7)");

  private BpftraceManual() {}

  private static CommandOption valued(
      String letter, String name, String argument, Argument.Kind kind, String sentence) {
    return CommandOption.valued(letter, name, Argument.of(argument, kind), sentence);
  }
}
