package dev.ply.cli;

import dev.ply.bpf.codegen.Reporting;
import dev.ply.ir.Configuration;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;

/**
 * The command line of bpftrace.
 *
 * @param purpose what the program is run for
 * @param program what {@code -e} gives
 * @param reporting what is reported of that which fails while programs run
 * @param dump what to show of the compilation
 * @param includes where headers are looked for, and which are included
 * @param probeFilter what the names of probes have to contain
 * @param traceableFunctions a list of the functions that patterns can select, instead of the
 *     kernel's
 * @param settings those that options make
 * @param isWithoutMulti whether functions have a kprobe each
 * @param operands the file of the program without {@code -e}, then parameters; patterns with {@code
 *     -l}
 */
record BpftraceOptions(
    Action action,
    Purpose purpose,
    Optional<String> program,
    Optional<String> command,
    OptionalLong process,
    Optional<Path> output,
    Layout layout,
    Output.Buffering buffering,
    boolean quiet,
    boolean verbose,
    boolean warnings,
    Reporting reporting,
    Set<Dump.Section> dump,
    Includes includes,
    Optional<Pattern> probeFilter,
    Optional<Path> traceableFunctions,
    Configuration settings,
    OptionalLong symbolMemory,
    boolean isWithoutMulti,
    boolean unsafe,
    List<String> operands) {
  private static final String INCLUDE = "include";
  private static final String PROBE_FILTER = "probe-filter";
  private static final String MODE = "mode";
  private static final String TEST = "test";
  private static final String BENCH = "bench";
  private static final String CODEGEN = "codegen";
  private static final String FORMAT = "format";
  private static final String FMT = "fmt";
  private static final String NO_FEATURE = "no-feature";
  private static final String TRACEABLE_FUNCTIONS = "traceable-functions";
  private static final Pattern COMMA = Pattern.compile(",");

  /** Options of bpftrace for what ply does not have, and why. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "aot", "programs are compiled when they are run",
          "emit-elf", "programs are not written as ELF files; -d dis shows their bytecode",
          "emit-llvm", "no LLVM is involved; -d codegen shows the bytecode before optimisation",
          "dwarf-pid", "user stacks are walked by their frame pointers");

  /** The purposes of a command line. */
  enum Action {
    RUN,
    CHECK,
    FORMAT,
    LIST,
    INFO,
    VERSION,
    HELP
  }

  BpftraceOptions {
    dump = Set.copyOf(dump);
    operands = List.copyOf(operands);
  }

  /** Parses a command line, without the command's name. */
  static BpftraceOptions parse(String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(accepted(), "ply bt -h", arguments);
    for (Map.Entry<String, String> refused : REFUSED.entrySet()) {
      if (line.hasOption(refused.getKey())) {
        throw new UsageException("--" + refused.getKey() + ": " + refused.getValue());
      }
    }
    return new BpftraceOptions(
        action(line),
        purpose(line),
        OptionParser.value(line, "e"),
        OptionParser.value(line, "c"),
        OptionParser.pid(line, "p"),
        OptionParser.path(line, "o"),
        OptionParser.format(line, "f").layout(Layout.BPFTRACE, Layout.BPFTRACE_JSON),
        buffering(OptionParser.value(line, "B").orElse("full")),
        line.hasOption('q'),
        line.hasOption('v'),
        !line.hasOption("no-warnings"),
        reporting(line),
        sections(line.getOptionValues("d")),
        includes(line),
        pattern(OptionParser.value(line, PROBE_FILTER)),
        traceable(line),
        Sizes.settings(line),
        Sizes.symbolMemory(line),
        isWithoutMulti(line),
        line.hasOption("unsafe"),
        line.getArgList());
  }

  private static Includes includes(CommandLine line) throws UsageException {
    List<Path> directories = new ArrayList<>();
    for (String directory : OptionParser.values(line, "I")) {
      directories.add(OptionParser.path("I", directory));
    }
    List<String> headers = OptionParser.values(line, INCLUDE);
    for (String header : headers) {
      if (header.isEmpty() || header.matches("(?s).*[\"\n].*")) {
        throw new UsageException("--include: \"" + header + "\" cannot be a header's name");
      }
    }
    return new Includes(directories, headers);
  }

  private static Optional<Path> traceable(CommandLine line) throws UsageException {
    Optional<Path> file = OptionParser.path(line, TRACEABLE_FUNCTIONS);
    if (file.isPresent() && !Files.isReadable(file.get())) {
      throw new UsageException("--" + TRACEABLE_FUNCTIONS + ": " + file.get() + " cannot be read");
    }
    return file;
  }

  private static Reporting reporting(CommandLine line) throws UsageException {
    long given =
        Arrays.stream(line.getOptions()).filter(option -> "k".equals(option.getOpt())).count();
    if (given > 1) {
      throw new UsageException("-kk: a single -k reports all errors of programs");
    }
    if (given > 0 && line.hasOption("no-warnings")) {
      throw new UsageException("-k and --no-warnings exclude each other");
    }
    if (line.hasOption("no-warnings")) {
      return Reporting.NONE;
    }
    return given > 0 ? Reporting.ALL : Reporting.COMPUTATIONS;
  }

  private static boolean isWithoutMulti(CommandLine line) throws UsageException {
    Set<String> features = new HashSet<>();
    OptionParser.value(line, NO_FEATURE)
        .ifPresent(given -> features.addAll(List.of(COMMA.split(given, -1))));
    boolean isWithout = features.remove("kprobe_multi");
    features.removeAll(Set.of("uprobe_multi", "kprobe_session"));
    if (!features.isEmpty()) {
      throw new UsageException(
          "--no-feature takes kprobe_multi, kprobe_session and uprobe_multi, separated by commas,"
              + " not \""
              + features.iterator().next()
              + "\"");
    }
    return isWithout;
  }

  private static Optional<Pattern> pattern(Optional<String> text) throws UsageException {
    try {
      return text.map(Pattern::compile);
    } catch (PatternSyntaxException e) {
      throw new UsageException(
          "Invalid --probe-filter regex \"" + text.orElse("") + "\": " + e.getDescription());
    }
  }

  private static Purpose purpose(CommandLine line) throws UsageException {
    Optional<String> mode = OptionParser.value(line, MODE);
    int given =
        (mode.isPresent() ? 1 : 0)
            + (line.hasOption(FMT) ? 1 : 0)
            + (line.hasOption(TEST) ? 1 : 0)
            + (line.hasOption(BENCH) ? 1 : 0);
    if (given > 1) {
      throw new UsageException("--mode, --fmt, --test and --bench exclude each other");
    }
    if (line.hasOption(TEST)) {
      return Purpose.TEST;
    }
    if (line.hasOption(BENCH)) {
      return Purpose.MEASURE;
    }
    if (mode.isEmpty()) {
      return Purpose.TRACE;
    }
    return switch (mode.get()) {
      case TEST -> Purpose.TEST;
      case BENCH -> Purpose.MEASURE;
      case CODEGEN, FORMAT -> Purpose.TRACE;
      default ->
          throw new UsageException(
              "--mode takes test, bench, format or codegen, not \"" + mode.get() + "\"");
    };
  }

  private static Action action(CommandLine line) {
    if (line.hasOption('h')) {
      return Action.HELP;
    } else if (line.hasOption('V')) {
      return Action.VERSION;
    } else if (line.hasOption("info")) {
      return Action.INFO;
    } else if (line.hasOption('l')) {
      return Action.LIST;
    }
    Optional<String> mode = OptionParser.value(line, MODE);
    if (line.hasOption(FMT) || mode.filter(FORMAT::equals).isPresent()) {
      return Action.FORMAT;
    }
    return line.hasOption("dry-run") || mode.filter(CODEGEN::equals).isPresent()
        ? Action.CHECK
        : Action.RUN;
  }

  /** Returns what to show for stages, several of which can be separated by commas. */
  private static Set<Dump.Section> sections(String @Nullable [] given) throws UsageException {
    Set<Dump.Section> sections = EnumSet.noneOf(Dump.Section.class);
    for (String stages : given == null ? new String[0] : given) {
      for (String stage : COMMA.split(stages, -1)) {
        sections.addAll(sections(stage));
      }
    }
    return sections;
  }

  private static Set<Dump.Section> sections(String stage) throws UsageException {
    return switch (stage) {
      case "ast", "parse", "types" -> EnumSet.of(Dump.Section.IR);
      case "codegen" -> EnumSet.of(Dump.Section.MAPS, Dump.Section.PLAIN);
      case "codegen-opt", "dis", "libbpf" -> EnumSet.of(Dump.Section.MAPS, Dump.Section.CODE);
      case "verifier" -> EnumSet.of(Dump.Section.CODE, Dump.Section.STATES);
      case "all" -> EnumSet.allOf(Dump.Section.class);
      default ->
          throw new UsageException(
              "-d takes ast, codegen, codegen-opt, dis, libbpf, verifier or all, not \""
                  + stage
                  + "\"");
    };
  }

  private static Output.Buffering buffering(String name) throws UsageException {
    return switch (name) {
      case "full" -> Output.Buffering.FULL;
      case "line" -> Output.Buffering.LINE;
      case "none" -> Output.Buffering.NONE;
      default -> throw new UsageException("-B takes line, full or none, not \"" + name + "\"");
    };
  }

  /** Returns the help text. */
  static String usage() {
    return OptionParser.usage(
        known(),
        "USAGE:",
        "    ply bt [options] <file|-> [parameter...]",
        "    ply bt [options] -e <program> [parameter...]",
        "Traces the running kernel as bpftrace does: its options, its output.");
  }

  /** Returns all options, those that are refused included. */
  private static Options accepted() {
    Options options = known();
    REFUSED.keySet().stream()
        .map(name -> Option.builder().longOpt(name).optionalArg(true).hasArg().build())
        .forEach(options::addOption);
    return options
        .addOption("b", "btf", false, "")
        .addOption(Option.builder().longOpt("verify-llvm-ir").build());
  }

  private static Options known() {
    return new Options()
        .addOption(
            option(
                "B", "MODE", "write output by line, when there is much (full), or at once (none)"))
        .addOption(option("f", "FORMAT", "write results as " + OutputFormat.words()))
        .addOption(option("o", "output", "FILE", "write results to FILE"))
        .addOption(option("e", "PROGRAM", "run this program"))
        .addOption("h", "help", false, "show this help")
        .addOption(
            option("I", "DIR", "look for headers in DIR, too; those of the kernel are not needed"))
        .addOption(longOption(INCLUDE, "FILE", "include the header FILE before the program"))
        .addOption(
            "l",
            "list",
            false,
            "list the probes that patterns select, or those of a program; with -v what they can"
                + " read")
        .addOption(option("p", "pid", "PID", "trace this process only, and stop when it ends"))
        .addOption(
            option(
                "c",
                "cmd",
                "CMD",
                "run CMD, without a shell, once all probes are attached; stop when it ends"))
        .addOption(
            Option.builder()
                .longOpt("unsafe")
                .desc(
                    "allow system, signal and override, and probes at addresses that no symbol"
                        + " covers")
                .build())
        .addOption(Sizes.NO_PERF_MAPS)
        .addOption(Sizes.SYMBOL_MEMORY)
        .addOption("q", "quiet", false, "do not report attached probes")
        .addOption(Option.builder().longOpt("info").desc("show what this kernel offers").build())
        .addOption(
            "k",
            "warnings",
            false,
            "warn of what fails while programs run: reads of memory, lookups, divisions by zero")
        .addOption("V", "version", false, "show the version")
        .addOption(Option.builder().longOpt("no-warnings").desc("show no warnings").build())
        .addOption("v", "verbose", false, "report on stderr what is done")
        .addOption(
            longOption(
                PROBE_FILTER,
                "REGEX",
                "attach only the probes whose names have a match, BEGIN and END besides"))
        .addOption(
            longOption(
                TRACEABLE_FUNCTIONS,
                "FILE",
                "the functions that patterns can select, a line each as in"
                    + " available_filter_functions"))
        .addOption(
            longOption(
                NO_FEATURE,
                "LIST",
                "kprobe_multi: attach functions one by one; also accepted: uprobe_multi,"
                    + " kprobe_session"))
        .addOption(
            longOption(
                "debuginfo", "DIR", "accepted: symbols come from the symbol tables of files"))
        .addOption(
            Option.builder()
                .longOpt(FMT)
                .desc("show the program formatted, or write it to the file of -o")
                .build())
        .addOption(Option.builder().longOpt(TEST).desc("run the script's tests, test:name").build())
        .addOption(
            Option.builder().longOpt(BENCH).desc("run the script's benchmarks, bench:name").build())
        .addOption(
            longOption(
                MODE, "MODE", "test or bench, as the options do; codegen, as --dry-run does"))
        .addOption(
            Option.builder()
                .longOpt("usdt-file-activation")
                .desc("accepted: the kernel tells all processes of a file that it is traced")
                .build())
        .addOption(
            Option.builder()
                .longOpt("dry-run")
                .desc("check the program, but do not run it")
                .build())
        .addOption(
            option(
                "d",
                "debug",
                "STAGE",
                "show what the program is compiled to: ast, codegen, dis, verifier or all"));
  }

  private static Option option(String letter, String argument, String description) {
    return Option.builder(letter).hasArg().argName(argument).desc(description).build();
  }

  private static Option option(String letter, String name, String argument, String description) {
    return Option.builder(letter)
        .longOpt(name)
        .hasArg()
        .argName(argument)
        .desc(description)
        .build();
  }

  private static Option longOption(String name, String argument, String description) {
    return Option.builder().longOpt(name).hasArg().argName(argument).desc(description).build();
  }
}
