package dev.ply.cli.bcc;

import dev.ply.cli.follow.Followers;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.Shared;
import dev.ply.cli.option.Sizes;

/** The declaration of argdist's command line. */
final class ArgdistManual {
  /** The sections of the manual. */
  static final CommandManual MANUAL =
      CommandManual.of(
              "ply argdist",
              "count values of parameters and results, as BCC's argdist does",
              Argument.of("specifier", Argument.Kind.TEXT),
              "Counts values of functions' parameters and results, or shows how they are"
                  + " distributed, as BCC's argdist does: its options, its specifiers, its output.",
              "[options] {-C|-H} specifier... [{-C|-H} specifier...]...")
          .with(
              "What to trace",
              specifiers("C", "count", "count how often the values occur"),
              specifiers("H", "histogram", "show a histogram of the values by powers of two"),
              Shared.command(
                  "", "run CMD in a shell once all probes are attached; stop when it exits"),
              Shared.PID,
              valued("t", "tid", "TID", Argument.Kind.NUMBER, "trace only this thread"),
              Durations.DURATION.saying(
                  "end after SECONDS, in whole intervals; 500ms, 5m and 1h are times, too"),
              valued("n", "number", "N", Argument.Kind.NUMBER, "stop after N outputs"),
              valued(
                  "I",
                  "include",
                  "HEADER",
                  Argument.Kind.FILE,
                  "use the structures of HEADER; others are the kernel's"),
              Sizes.MISSING_PROBES)
          .with(
              "Results and messages",
              valued(
                  "z",
                  "string-size",
                  "N",
                  Argument.Kind.NUMBER,
                  "show N characters of strings (80)"),
              valued(
                  "i",
                  "interval",
                  "SECONDS",
                  Argument.Kind.NUMBER,
                  "show results every SECONDS (1)"),
              CommandOption.flag("c", "cumulative", "keep counts after each output"),
              valued("T", "top", "N", Argument.Kind.NUMBER, "show the N largest counts only"),
              Shared.FORMAT,
              Shared.OUTPUT,
              Shared.HTML,
              Shared.SNAPSHOTS,
              CommandOption.flag("q", "quiet", "show no warnings"),
              CommandOption.flag(
                      "v", "verbose", "show the program in ply's language, and report each step")
                  .alsoCalled("debug"))
          .with("Containers", Shared.places())
          .with("While tracing", Followers.options())
          .with(
              "Instead of tracing",
              CommandOption.flag("S", "script", "show the program in ply's language, and exit"),
              CommandOption.flag("", "dry-run", "check the specifiers, but do not trace"),
              Shared.HELP,
              Shared.VERSION)
          .with("Sizes", Sizes.MAP_ENTRIES, Sizes.BUFFER, Sizes.SYMBOL_MEMORY, Sizes.UNWIND_MEMORY)
          .with(
              new Section.Lines(
                  "A specifier is",
                  """
                  {p,r,t,u}:[library|category]:function(signature)
                      [:type[,type...]:expression[,expression...][:filter]][#label]
                  p, r, t, u   a function's entry or return, a tracepoint, a USDT probe
                  library      c for libc, a path, a program; none for the kernel
                  category     of the tracepoint
                  signature    parameters as in C; unused ones may be left out
                  type         of each value; char* shows the string
                  expression   of C, with the parameters; args->field of a tracepoint, arg1 of
                               a USDT probe; $retval, $latency (ns) and $entry(parameter) of a
                               return; $PID, $COMM, STRCMP("string", parameter), constants
                  filter       an expression; hits for which it is false are left out
                  """))
          .with(
              new Section.Lines(
                  "Examples",
                  """
                  ply argdist -C 'p:c:write(int fd):int:fd' -T 5
                  ply argdist -H 'r:c:malloc(size_t size):u64:$latency/$entry(size)#ns per byte'
                  ply argdist -i 5 -C 't:syscalls:sys_enter_openat():char*:args->filename'
                  ply argdist -S -H 'r::vfs_read():int'
                  """))
          .seeAlso("ply(1)", "ply-bt(1)", "ply-language(7)");

  private ArgdistManual() {}

  private static CommandOption specifiers(String letter, String name, String sentence) {
    return valued(letter, name, "SPECIFIER", Argument.Kind.WORDS, sentence);
  }

  private static CommandOption valued(
      String letter, String name, String argument, Argument.Kind kind, String sentence) {
    return CommandOption.valued(letter, name, Argument.of(argument, kind), sentence);
  }
}
