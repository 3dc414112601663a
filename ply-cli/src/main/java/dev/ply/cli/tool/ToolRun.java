package dev.ply.cli.tool;

import dev.ply.analysis.rewrite.HiddenMaps;
import dev.ply.analysis.rewrite.PossibleClauses;
import dev.ply.cli.follow.Followers;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.Failures;
import dev.ply.cli.io.Outputs;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.Filter;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Shared;
import dev.ply.cli.option.Sizes;
import dev.ply.cli.run.Compilation;
import dev.ply.cli.run.DryRun;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.LiveRun;
import dev.ply.cli.run.Program;
import dev.ply.cli.run.ProgramReader;
import dev.ply.cli.run.Remedies;
import dev.ply.cli.run.TraceRequest;
import dev.ply.cli.tool.ToolHeader.ToolColumn;
import dev.ply.cli.tool.ToolHeader.ToolOption;
import dev.ply.cli.tool.ToolHeader.ToolTable;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.kernel.process.OutputTerminal;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.layout.Column;
import dev.ply.layout.Columns;
import dev.ply.layout.OutputFormat;
import dev.ply.name.Errno;
import dev.ply.name.Signal;
import dev.ply.target.UnreadableTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;

/** {@code ply tool NAME}: runs a tool with its own options. */
final class ToolRun implements FrontEnd {
  private static final Remedies REMEDIES =
      Remedies.of(
          "raise it with --map-entries N",
          "enlarge it with --buffer BYTES",
          "--dry-run checks the tool without it, and --script shows it");

  /** Where a tool shows its maps only at the end. */
  private static final int NEVER = 1_000_000_000;

  private final Tool tool;
  private final Map<String, String> variables = new HashMap<>();
  private Optional<String> heading = Optional.empty();
  private boolean hasTimes;

  ToolRun(Tool tool) {
    this.tool = tool;
  }

  @Override
  public String name() {
    return tool.name();
  }

  @Override
  public CommandManual manual() {
    return tool.manual();
  }

  @Override
  public Remedies remedies() {
    return REMEDIES;
  }

  @Override
  public Optional<String> readiness() {
    return heading;
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(manual(), arguments);
    if (line.hasOption(Shared.HELP.letter())) {
      return streams.output().printed(help());
    }
    if (line.hasOption(Tool.SCRIPT.name())) {
      return streams.output().printed(tool.source().text());
    }
    Console console = streams.console(OptionParser.remarks(line, "v", Tool.QUIET.letter()));
    TraceRequest request = request(line, streams.terminal());
    if (!hasNeeds(console, request)) {
      return ExitCode.FAILURE;
    }
    request.outputs().open(streams);
    return new Failures(console)
        .guard(
            tool.source(),
            () ->
                line.hasOption(Tool.DRY_RUN.name())
                    ? check(console, request)
                    : new LiveRun(console, request).run(tool.source()));
  }

  /**
   * Returns the program of a command line, without running it.
   *
   * @throws UsageException if there is none, or this kernel lacks what the tool needs
   */
  Program program(String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(manual(), arguments);
    for (String instead : List.of(Shared.HELP.letter(), Tool.SCRIPT.name(), Tool.DRY_RUN.name())) {
      if (line.hasOption(instead)) {
        throw new UsageException("options that run nothing, such as -h, have no place here");
      }
    }
    TraceRequest request = request(line, Terminal.NONE);
    Set<Need.Missing> missing = missing(request);
    if (!missing.isEmpty()) {
      throw new UsageException(
          missing.stream().map(this::sentence).collect(Collectors.joining("; ")));
    }
    return new Program(tool.source(), request);
  }

  private int check(Console console, TraceRequest request) throws UsageException {
    int status = new DryRun(console, request).run(tool.source());
    if (status == ExitCode.OK) {
      console.message("this kernel has what " + name() + " needs");
    }
    return status;
  }

  private TraceRequest request(CommandLine line, Terminal terminal) throws UsageException {
    Outputs outputs =
        OptionParser.outputs(
            line,
            line.hasOption(Tool.JSON.letter())
                ? Optional.of(OutputFormat.JSON)
                : OptionParser.format(line, Shared.FORMAT.letter()));
    Columns columns = inLines(columns(line), outputs, terminal);
    if (outputs.own().format() == OutputFormat.TEXT
        && !columns.events().isEmpty()
        && !line.hasOption(Tool.QUIET.letter())) {
      heading = Optional.of(columns.heading());
    }
    List<String> operands = new ArrayList<>(line.getArgList());
    List<String> parameters = options(line);
    Optional<String> probe = probe(operands);
    OptionalInt interval = interval(line, operands);
    if (tool.header().interval().isPresent()) {
      variables.put(Tool.INTERVAL, String.valueOf(interval.orElse(NEVER)));
    }
    probe.ifPresent(one -> variables.put(Tool.PROBE, one));
    OptionalLong process = process(line);
    if (tool.header().library().isPresent()) {
      variables.put(
          Tool.LIBRARY, MappedLibrary.of(process, tool.header().library().get()).toString());
    }
    TraceRequest request =
        new TraceRequest(this)
            .layouts(columns::layout)
            .writingTo(outputs)
            .readBy(this::script)
            .onlyProcess(process)
            .lasting(duration(line, operands, interval))
            .followedBy(Followers.of(line))
            .becoming(OptionParser.privileges(line))
            .onLoss(TraceRequest.OnLoss.GO_ON)
            .notices(TraceRequest.Notices.LEFT_OUT)
            .sizes(Sizes.of(line))
            .parameters(parameters);
    requireOneProcess(line);
    if (tool.header().filters().contains(Filter.PID)) {
      Optional<String> command = OptionParser.value(line, Tool.COMMAND.name());
      request = request.running(command.map(ChildCommand::shell));
      request = command.isPresent() ? request.restrictedBy("pid == $target") : request;
    }
    for (Filter filter : tool.header().filters()) {
      Optional<String> value = OptionParser.value(line, filter.word());
      if (value.isPresent()) {
        request = request.restrictedBy(filter.condition(value.get()));
      }
    }
    return request;
  }

  /** What an option that is not given would need is not attached, and scratch is not shown. */
  private Script script(Compilation compilation, Source source, ScriptArguments arguments) {
    Script possible = PossibleClauses.of(ProgramReader.SCRIPT.read(compilation, source, arguments));
    Script hidden = HiddenMaps.of(tool.header().scratch()).apply(possible);
    return hasTimes ? new TimesOfDay(rowColumns()).of(hidden) : hidden;
  }

  private int rowColumns() {
    return tool.header().tables().stream()
        .filter(table -> table.map().isEmpty())
        .mapToInt(table -> table.columns().size())
        .findFirst()
        .orElse(0);
  }

  /** Reports all that the kernel lacks, and returns whether it has everything. */
  private boolean hasNeeds(Console console, TraceRequest request) {
    Set<Need.Missing> missing = missing(request);
    missing.forEach(one -> console.error(sentence(one)));
    return missing.isEmpty();
  }

  private String sentence(Need.Missing missing) {
    return name() + " cannot run: " + missing.what() + "; " + missing.instead();
  }

  private Set<Need.Missing> missing(TraceRequest request) {
    Set<Need.Missing> missing = new LinkedHashSet<>();
    try {
      RunningKernel kernel = request.kernel();
      for (Need need : tool.header().needs()) {
        need.missing(kernel, kernel.version()).ifPresent(missing::add);
      }
    } catch (UnreadableTargetException e) {
      // Whoever may not read what there is learns what privileges are missing.
      return Set.of();
    }
    return missing;
  }

  @Override
  public ScriptArguments arguments(Map<String, String> environment, OptionalLong process) {
    return ScriptArguments.NONE.withEnvironment(variables);
  }

  /** What would slow all processes of the machine needs the one that it is about. */
  private void requireOneProcess(CommandLine line) throws UsageException {
    boolean hasProcess = line.hasOption(Filter.PID.word());
    boolean hasCommand = line.hasOption(Tool.COMMAND.name());
    if (hasProcess && hasCommand) {
      throw new UsageException("-p and -c both name the process: give one of them");
    }
    if (!hasProcess && !hasCommand && tool.header().filters().equals(Set.of(Filter.PID))) {
      throw new UsageException(name() + " traces one process: -p PID, or -c COMMAND");
    }
  }

  private OptionalLong process(CommandLine line) throws UsageException {
    return tool.header().filters().contains(Filter.PID)
        ? OptionParser.pid(line, Filter.PID.option().letter())
        : OptionalLong.empty();
  }

  /** Rows are as wide as a terminal, if they go to one. */
  private static Columns inLines(Columns columns, Outputs outputs, Terminal terminal) {
    if (terminal == Terminal.NONE || outputs.own().path().isPresent()) {
      return columns;
    }
    OptionalInt characters = OutputTerminal.columns();
    return characters.isPresent() ? columns.inLinesOf(characters.getAsInt()) : columns;
  }

  /** Returns the columns, those of options only if they are given. */
  private Columns columns(CommandLine line) {
    hasTimes = TimesOfDay.areMissing(tool.header()) && line.hasOption(Tool.TIMESTAMP);
    List<Column> events = List.of();
    Map<String, List<Column>> maps = new HashMap<>();
    for (ToolTable table : tool.header().tables()) {
      List<Column> columns = table.columns().stream().map(one -> column(one, line)).toList();
      if (table.map().isEmpty()) {
        events = columns;
      } else {
        maps.put(table.map(), columns);
      }
    }
    if (hasTimes && !events.isEmpty()) {
      events = Stream.concat(Stream.of(TimesOfDay.COLUMN), events.stream()).toList();
    }
    return new Columns(events, maps);
  }

  private static Column column(ToolColumn declared, CommandLine line) {
    Column column = declared.column();
    boolean isShown = declared.option().map(line::hasOption).orElse(true);
    return new Column(column.heading(), column.width(), column.most(), column.alignment(), isShown);
  }

  /** Returns what a script reads by {@code getopt} if no option is given. */
  static List<String> unset(ToolHeader header, String script) {
    return header.options().stream()
        .filter(option -> option.argument().isPresent() && isRead(option, script))
        .map(option -> "--" + option.name() + "=" + option.usual())
        .toList();
  }

  private static boolean isRead(ToolOption option, String script) {
    return script.contains("getopt(\"" + option.name() + "\"");
  }

  /** Returns what the script reads by {@code getopt}. */
  private List<String> options(CommandLine line) throws UsageException {
    List<String> words = new ArrayList<>();
    for (ToolOption option : tool.header().options()) {
      if (!isRead(option, tool.source().text())) {
        continue;
      }
      if (option.argument().isEmpty()) {
        if (line.hasOption(option.name())) {
          words.add("--" + option.name());
        }
        continue;
      }
      String value = OptionParser.value(line, option.name()).orElse(option.usual());
      if (option.usual().matches("\\d+")) {
        value = number(option, value);
      }
      words.add("--" + option.name() + "=" + value);
    }
    return words;
  }

  /** Errors and signals have names. */
  private static String number(ToolOption option, String value) throws UsageException {
    if (value.matches("\\d{1,18}")) {
      return value;
    }
    String name = value.toUpperCase(Locale.ROOT).replace('+', '_');
    for (Errno errno : Errno.values()) {
      if (errno.name().equals(name) && errno.number() > 0) {
        return String.valueOf(errno.number());
      }
    }
    for (Signal signal : Signal.values()) {
      boolean isMeant = signal.name().equals(name) || signal.name().equals("SIG" + name);
      if (isMeant && signal.number() > 0) {
        return String.valueOf(signal.number());
      }
    }
    throw new UsageException("--" + option.name() + " takes a number, not \"" + value + "\"");
  }

  /** Takes the operand that the tool needs, and returns its probe. */
  private Optional<String> probe(List<String> operands) throws UsageException {
    if (tool.header().operand().isEmpty()) {
      return Optional.empty();
    }
    if (operands.isEmpty()) {
      throw new UsageException(
          "which function? ply tool " + name() + " -h shows how it is written");
    }
    return Optional.of(ProbeOperand.definition(operands.remove(0), tool.header().operand().get()));
  }

  /** Returns the seconds between two outputs; empty if there is only one at the end. */
  private OptionalInt interval(CommandLine line, List<String> operands) throws UsageException {
    if (tool.header().interval().isEmpty()) {
      if (!operands.isEmpty()) {
        throw new UsageException(
            "unexpected operand \"" + operands.get(0) + "\": ply tool " + name() + " -h");
      }
      return OptionalInt.empty();
    }
    if (operands.size() > 2) {
      throw new UsageException("unexpected operand \"" + operands.get(2) + "\"");
    }
    Optional<String> given = OptionParser.value(line, Tool.INTERVAL);
    if (given.isEmpty() && !operands.isEmpty()) {
      given = Optional.of(operands.get(0));
    }
    if (given.isPresent()) {
      return OptionalInt.of(number("interval: a number of seconds", given.get()));
    }
    int usual = tool.header().interval().getAsInt();
    return usual == 0 ? OptionalInt.empty() : OptionalInt.of(usual);
  }

  /** Returns when it ends: after a duration, or after a number of intervals. */
  private static Optional<Duration> duration(
      CommandLine line, List<String> operands, OptionalInt interval) throws UsageException {
    if (operands.size() == 2) {
      int count = number("count: a number of outputs", operands.get(1));
      return Optional.of(Duration.ofSeconds((long) interval.orElseThrow() * count));
    }
    return Durations.of(line);
  }

  private static int number(String what, String text) throws UsageException {
    if (!text.matches("0*[1-9]\\d{0,5}")) {
      throw new UsageException("\"" + text + "\" is no " + what + " from 1 to 999999");
    }
    return Integer.parseInt(text);
  }
}
