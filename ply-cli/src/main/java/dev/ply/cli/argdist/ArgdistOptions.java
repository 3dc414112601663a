package dev.ply.cli.argdist;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.NewOption;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Sizes;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.TraceRequest;
import dev.ply.lang.argdist.ArgdistScript;
import dev.ply.lang.argdist.ArgdistScript.Request;
import dev.ply.lang.argdist.ArgdistSettings;
import dev.ply.lang.argdist.Collect;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * The command line of argdist.
 *
 * @param requests the specifiers in the order given
 * @param settings without what headers define
 * @param remarks the optional remarks
 * @param format of the results
 * @param plain how to run a program, but for what the specifiers make of it
 */
public record ArgdistOptions(
    Action action,
    List<Request> requests,
    ArgdistSettings settings,
    Set<Console.Remark> remarks,
    List<Path> headers,
    OutputFormat format,
    TraceRequest plain) {

  /** The number of keys of argdist's hash tables. */
  private static final int MAP_ENTRIES = 10_240;

  private static final String COUNT = "C";
  private static final String HISTOGRAM = "H";

  /** The purposes of a command line. */
  enum Action {
    RUN,
    SHOW,
    HELP
  }

  /** Keeps copies. */
  public ArgdistOptions {
    remarks = Set.copyOf(remarks);
    requests = List.copyOf(requests);
    headers = List.copyOf(headers);
  }

  /** Parses a command line, without the command's name. */
  public static ArgdistOptions parse(FrontEnd frontEnd, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(known(), "ply argdist -h", arguments);
    if (!line.getArgList().isEmpty()) {
      throw new UsageException(
          "unexpected operand \"" + line.getArgList().get(0) + "\": -C and -H take specifiers");
    }
    int seconds = positive(line, "i", "seconds").orElse(ArgdistSettings.DEFAULT.seconds());
    CompilerOptions sizes = Sizes.of(line);
    return new ArgdistOptions(
        action(line),
        requests(line),
        new ArgdistSettings(
            stringSize(line),
            seconds,
            outputs(positive(line, "n", "outputs"), positive(line, "d", "seconds"), seconds),
            line.hasOption("c"),
            positive(line, "T", "rows"),
            thread(line),
            List.of()),
        line.hasOption("v") ? EnumSet.allOf(Console.Remark.class) : Set.of(Console.Remark.WARNING),
        headers(line),
        OptionParser.format(line, "f"),
        new TraceRequest(frontEnd)
            .onlyProcess(OptionParser.pid(line, "p"))
            .onLoss(TraceRequest.OnLoss.GO_ON)
            .notices(TraceRequest.Notices.LEFT_OUT)
            .settings(Sizes.settings(line))
            .sizes(line.hasOption(Sizes.MAP_ENTRIES) ? sizes : sizes.withMapEntries(MAP_ENTRIES))
            .symbolMemory(Sizes.symbolMemory(line)));
  }

  private static Action action(CommandLine line) {
    if (line.hasOption("h")) {
      return Action.HELP;
    }
    return line.hasOption("S") ? Action.SHOW : Action.RUN;
  }

  private static List<Request> requests(CommandLine line) {
    List<Request> requests = new ArrayList<>();
    for (Option option : line.getOptions()) {
      boolean isCount = COUNT.equals(option.getOpt());
      if (isCount || HISTOGRAM.equals(option.getOpt())) {
        Collect collect = isCount ? Collect.COUNTS : Collect.HISTOGRAM;
        option.getValuesList().forEach(text -> requests.add(new Request(collect, text)));
      }
    }
    return requests;
  }

  private static List<Path> headers(CommandLine line) throws UsageException {
    List<Path> headers = new ArrayList<>();
    for (Option option : line.getOptions()) {
      if ("I".equals(option.getOpt())) {
        headers.add(OptionParser.path("I", option.getValue()));
      }
    }
    return headers;
  }

  /** A duration that is not a multiple of the interval ends with the interval it ends in. */
  private static OptionalInt outputs(OptionalInt number, OptionalInt duration, int interval) {
    if (duration.isEmpty()) {
      return number;
    }
    int within = (int) ((duration.getAsInt() + (long) interval - 1) / interval);
    return OptionalInt.of(Math.min(within, number.orElse(Integer.MAX_VALUE)));
  }

  private static int stringSize(CommandLine line) throws UsageException {
    int size = positive(line, "z", "characters").orElse(ArgdistSettings.DEFAULT.stringSize());
    if (size > ArgdistSettings.LONGEST_STRING) {
      throw new UsageException(
          "-z takes at most " + ArgdistSettings.LONGEST_STRING + " characters, not " + size);
    }
    return size;
  }

  private static OptionalLong thread(CommandLine line) throws UsageException {
    OptionalInt thread = positive(line, "t", "the ID of a thread");
    return thread.isPresent() ? OptionalLong.of(thread.getAsInt()) : OptionalLong.empty();
  }

  private static OptionalInt positive(CommandLine line, String option, String what)
      throws UsageException {
    Optional<String> given = OptionParser.value(line, option);
    if (given.isEmpty()) {
      return OptionalInt.empty();
    }
    String value = given.get();
    if (!value.matches("0*[1-9][0-9]{0,8}")) {
      throw new UsageException(
          "-" + option + " takes a number from 1 (" + what + "), not \"" + value + "\"");
    }
    return OptionalInt.of(Integer.parseInt(value));
  }

  /** Returns the request to run the script that the specifiers are translated to. */
  TraceRequest request(ArgdistScript script) {
    return plain
        .layout(format.layout(Layout.argdist(script.tables()), Layout.PLY_JSON))
        .readBy((compilation, source, unused) -> compilation.script(source, script.result()));
  }

  /** Returns the help text. */
  static String usage() {
    return OptionParser.usage(
            known(),
            "usage: ply argdist [options] {-C|-H} specifier... [{-C|-H} specifier...]...",
            "Counts values of functions' parameters and results, or shows how they are",
            "distributed, as BCC's argdist does: its options, its specifiers, its output.")
        + """
        A specifier is
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
        Examples:
          ply argdist -C 'p:c:write(int fd):int:fd' -T 5
          ply argdist -H 'r:c:malloc(size_t size):u64:$latency/$entry(size)#ns per byte'
          ply argdist -i 5 -C 't:syscalls:sys_enter_openat():char*:args->filename'
          ply argdist -S -H 'r::vfs_read():int'
        """;
  }

  private static Options known() {
    return new Options()
        .addOption(specifiers(COUNT, "count", "count how often the values occur"))
        .addOption(
            specifiers(HISTOGRAM, "histogram", "show a histogram of the values by powers of two"))
        .addOption(
            NewOption.valued("p", "pid", "PID", "trace only this process; stop when it exits"))
        .addOption(NewOption.valued("t", "tid", "TID", "trace only this thread"))
        .addOption(NewOption.valued("z", "string-size", "N", "show N characters of strings (80)"))
        .addOption(NewOption.valued("i", "interval", "SECONDS", "show results every SECONDS (1)"))
        .addOption(
            NewOption.valued("d", "duration", "SECONDS", "stop after SECONDS, in whole intervals"))
        .addOption(NewOption.valued("n", "number", "N", "stop after N outputs"))
        .addOption("c", "cumulative", false, "keep counts after each output")
        .addOption(NewOption.valued("T", "top", "N", "show the N largest counts only"))
        .addOption(
            "v", "verbose", false, "show the program in ply's language, and report each step")
        .addOption("S", "script", false, "show the program in ply's language, and exit")
        .addOption(
            NewOption.valued(
                "I", "include", "HEADER", "use the structures of HEADER; others are the kernel's"))
        .addOption(Sizes.MISSING_PROBES)
        .addOption(
            NewOption.valued("f", "format", "FORMAT", "write results as " + OutputFormat.words()))
        .addOption("h", "help", false, "show this help")
        .addOption(Sizes.MAP_ENTRIES)
        .addOption(Sizes.BUFFER)
        .addOption(Sizes.SYMBOL_MEMORY);
  }

  private static Option specifiers(String letter, String name, String description) {
    return Option.builder(letter)
        .longOpt(name)
        .hasArgs()
        .argName("SPECIFIER")
        .desc(description)
        .build();
  }
}
