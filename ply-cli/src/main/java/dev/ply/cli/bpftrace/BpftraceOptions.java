package dev.ply.cli.bpftrace;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.codegen.Reporting;
import dev.ply.cli.follow.Followers;
import dev.ply.cli.input.Includes;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Sizes;
import dev.ply.cli.run.Dump;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.Purpose;
import dev.ply.cli.run.TraceRequest;
import dev.ply.ir.declaration.Configuration;
import dev.ply.layout.Layout;
import dev.ply.listing.Detail;
import dev.ply.target.Mechanism;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/**
 * The command line of bpftrace.
 *
 * @param request how to run the program, but for what depends on the environment
 * @param program what {@code -e} gives
 * @param remarks the optional remarks
 * @param detail what lists of probes show
 * @param compiler without the sizes that settings make
 * @param includes where headers are looked for, and which are included
 * @param probeFilter what the names of probes have to contain
 * @param settings those that options make
 * @param operands the file of the program without {@code -e}, then parameters; patterns with {@code
 *     -l}
 */
public record BpftraceOptions(
    Action action,
    TraceRequest request,
    Optional<String> program,
    Optional<String> command,
    Output.Buffering buffering,
    Set<Console.Remark> remarks,
    Detail detail,
    CompilerOptions compiler,
    Includes includes,
    Optional<Pattern> probeFilter,
    Configuration settings,
    List<String> operands) {
  static final String INCLUDE = "include";
  static final String PROBE_FILTER = "probe-filter";
  static final String MODE = "mode";
  static final String TEST = "test";
  static final String BENCH = "bench";
  static final String CODEGEN = "codegen";
  static final String FORMAT = "format";
  static final String FMT = "fmt";
  static final String NO_WARNINGS = "no-warnings";
  static final String NO_FEATURE = "no-feature";
  static final String TRACEABLE_FUNCTIONS = "traceable-functions";
  private static final Pattern COMMA = Pattern.compile(",");

  /** Options of bpftrace for what ply does not have, and why. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "aot", "ahead-of-time compilation is not supported",
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

  /** Keeps copies. */
  public BpftraceOptions {
    remarks = Set.copyOf(remarks);
    operands = List.copyOf(operands);
  }

  /** Parses a command line, without the command's name. */
  public static BpftraceOptions parse(FrontEnd frontEnd, String... arguments)
      throws UsageException {
    CommandLine line = OptionParser.parse(BpftraceManual.MANUAL, refused(), arguments);
    for (Map.Entry<String, String> refused : REFUSED.entrySet()) {
      if (line.hasOption(refused.getKey())) {
        throw new UsageException("--" + refused.getKey() + ": " + refused.getValue());
      }
    }
    return new BpftraceOptions(
        action(line),
        OptionParser.restricted(
            new TraceRequest(frontEnd)
                .inOrderTo(purpose(line))
                .lasting(Durations.of(line))
                .followedBy(Followers.of(line))
                .becoming(OptionParser.privileges(line))
                .onlyProcess(OptionParser.pid(line, "p"))
                .layouts(Layout.BPFTRACE, Layout.BPFTRACE_JSON)
                .writingTo(OptionParser.outputs(line))
                .onLoss(TraceRequest.OnLoss.GO_ON)
                .notices(OptionParser.notices(line, "q"))
                .dumping(sections(OptionParser.values(line, "debug")))
                .traceableFunctions(traceable(line))
                .symbolMemory(Sizes.symbolMemory(line))
                .parameters(parameters(line)),
            line),
        OptionParser.value(line, "e"),
        OptionParser.value(line, "c"),
        buffering(OptionParser.value(line, "B").orElse("full")),
        OptionParser.remarks(line, "v", NO_WARNINGS),
        line.hasOption('v') ? Detail.FIELDS : Detail.NAMES,
        compiler(line),
        includes(line),
        pattern(OptionParser.value(line, PROBE_FILTER)),
        Sizes.settings(line),
        line.getArgList());
  }

  /** Without -e, the first operand is the file of the program. */
  private static List<String> parameters(CommandLine line) {
    List<String> operands = line.getArgList();
    return line.hasOption('e') || operands.isEmpty()
        ? operands
        : operands.subList(1, operands.size());
  }

  private static CompilerOptions compiler(CommandLine line) throws UsageException {
    CompilerOptions reporting = CompilerOptions.DEFAULT.reporting(reporting(line));
    CompilerOptions attached =
        isWithoutMulti(line) ? reporting.attachedBy(Mechanism.KPROBE) : reporting;
    return line.hasOption("unsafe") ? attached.unsafe() : attached;
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
    if (given > 0 && line.hasOption(NO_WARNINGS)) {
      throw new UsageException("-k and --no-warnings exclude each other");
    }
    if (line.hasOption(NO_WARNINGS)) {
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
  private static Set<Dump.Section> sections(List<String> given) throws UsageException {
    Set<Dump.Section> sections = EnumSet.noneOf(Dump.Section.class);
    for (String stages : given) {
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

  /** Returns the options that are refused. */
  private static List<Option> refused() {
    return REFUSED.keySet().stream()
        .map(name -> Option.builder().longOpt(name).optionalArg(true).hasArg().build())
        .toList();
  }
}
