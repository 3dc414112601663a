package dev.ply.cli.bcc;

import dev.ply.cli.follow.Followers;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.Shared;
import dev.ply.cli.option.Sizes;

/** The declaration of trace's command line. */
final class TraceManual {
  /** The sections of the manual. */
  static final CommandManual MANUAL =
      CommandManual.of(
              "ply trace",
              "show calls of functions with their parameters, as BCC's trace does",
              Argument.of("specifier", Argument.Kind.TEXT),
              "Shows a line for each call of a function or each event, with values of its"
                  + " parameters, as BCC's trace does: its options, its specifiers, its output.",
              "[options] specifier...")
          .with(
              "What to trace",
              Shared.PID,
              valued("L", "tid", "TID", Argument.Kind.NUMBER, "trace only this thread"),
              valued("", "uid", "UID", Argument.Kind.NUMBER, "trace only this user"),
              valued(
                  "n",
                  "name",
                  "NAME",
                  Argument.Kind.TEXT,
                  "trace only processes whose name contains NAME"),
              valued("c", "cgroup-path", "PATH", Argument.Kind.DIRECTORY, "trace only this cgroup"),
              CommandOption.flag("S", "include-self", "trace ply itself, too"),
              Shared.command(
                  "", "run CMD in a shell once all probes are attached; stop when it exits"),
              Durations.DURATION,
              valued("M", "max-events", "N", Argument.Kind.NUMBER, "stop after N lines"),
              valued(
                  "I",
                  "include",
                  "HEADER",
                  Argument.Kind.FILE,
                  "use the structures of HEADER; others are the kernel's"),
              Sizes.MISSING_PROBES)
          .with(
              "What to show",
              CommandOption.flag("t", "timestamp", "show seconds since the start"),
              CommandOption.flag("u", "unix-timestamp", "with -t, seconds since 1970"),
              CommandOption.flag("T", "time", "show the time of day"),
              CommandOption.flag("C", "print-cpu", "show the CPU").alsoCalled("print_cpu"),
              CommandOption.flag("K", "kernel-stack", "show the kernel stack"),
              CommandOption.flag("U", "user-stack", "show the user stack"),
              CommandOption.flag("a", "address", "show addresses in stacks"),
              valued(
                  "f",
                  "msg-filter",
                  "TEXT",
                  Argument.Kind.TEXT,
                  "show only messages that contain TEXT"),
              CommandOption.flag("A", "aggregate", "with -M, show equal lines once, and how often"),
              valued(
                  "Z",
                  "string-size",
                  "N",
                  Argument.Kind.NUMBER,
                  "show N characters of strings (80)"),
              CommandOption.flag("B", "bin-cmp", "as without: STRCMP compares bytes")
                  .alsoCalled("bin_cmp"),
              valued(
                      "s",
                      "sym-file-list",
                      "FILES",
                      Argument.Kind.TEXT,
                      "as without: files with symbols are found")
                  .alsoCalled("sym_file_list"))
          .with(
              "Results and messages",
              Shared.OUTPUT.saying("write lines to FILE"),
              CommandOption.flag("q", "quiet", "show no warnings"),
              CommandOption.flag(
                      "v", "verbose", "show the program in ply's language, and report each step")
                  .alsoCalled("debug"))
          .with("Containers", Shared.places())
          .with("While tracing", Followers.options())
          .with(
              "Instead of tracing",
              CommandOption.flag("", "script", "show the program in ply's language, and exit"),
              CommandOption.flag("", "dry-run", "check the specifiers, but do not trace"),
              Shared.HELP,
              Shared.VERSION)
          .with(
              "Sizes",
              valued(
                  "b",
                  "buffer-pages",
                  "N",
                  Argument.Kind.NUMBER,
                  "the size of the buffer for events in pages of 4 KiB, a power of two"),
              Sizes.MAP_ENTRIES,
              Sizes.BUFFER,
              Sizes.UNWIND_MEMORY,
              Sizes.SYMBOL_MEMORY)
          .with(
              new Section.Lines(
                  "A specifier is",
                  """
                  [{p,r,t,u}:[library|category]:]function[(signature)]
                      [(filter)] ["format", value...]
                  p, r, t, u   a function's entry or return, a tracepoint, a USDT probe; p if
                               left out
                  library      c for libc, a path, a program; none for the kernel
                  function     function+0x12 is an instruction in it; sys_read a system call
                  signature    parameters as in C, directly after the function
                  filter       an expression of C; hits for which it is false are left out
                  format       as of C's printf; %K and %U show symbols of the kernel and of
                               the process
                  value        an expression of C: arg1 to arg9, retval of a return, args->field
                               of a tracepoint, parameters; $pid (the thread), $tgid, $uid,
                               $gid, $comm, $cpu, $task, STRCMP("string", pointer), constants;
                               arg2@user is a pointer to memory of the process
                  """))
          .with(
              new Section.Lines(
                  "Examples",
                  """
                  ply trace 'do_sys_openat2 "%s", arg2@user'
                  ply trace 'sys_read (arg3 > 20000) "read %d bytes", arg3'
                  ply trace 'r::vfs_read (retval < 0) "failed: %d", retval'
                  ply trace 'p:c:malloc(size_t size) "%u bytes", size' -p 1005 -U
                  ply trace 't:sched:sched_process_exec "%s", args->filename' -T
                  """))
          .seeAlso("ply(1)", "ply-argdist(1)", "ply-tool(1)", "ply-language(7)");

  private TraceManual() {}

  private static CommandOption valued(
      String letter, String name, String argument, Argument.Kind kind, String sentence) {
    return CommandOption.valued(letter, name, Argument.of(argument, kind), sentence);
  }
}
