package dev.ply.cli.run;

import dev.ply.analysis.rewrite.Restriction;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.io.Outputs;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Expr;
import dev.ply.ir.Script;
import dev.ply.ir.declaration.Configuration;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/** How to run a program, independent of the front end's options. Immutable. */
public final class TraceRequest {
  private final FrontEnd frontEnd;
  private Outputs outputs = Outputs.STANDARD;
  private Function<OutputFormat, Layout> layouts = OutputFormat::layout;
  private ProgramReader reader = ProgramReader.SCRIPT;
  private Purpose purpose = Purpose.TRACE;
  private OnLoss onLoss = OnLoss.STOP;
  private Notices notices = Notices.SHOWN;
  private Optional<ChildCommand> command = Optional.empty();
  private OptionalLong process = OptionalLong.empty();
  private List<String> conditions = List.of();
  private Set<Dump.Section> dump = Set.of();
  private Configuration settings = Configuration.NONE;
  private CompilerOptions sizes = CompilerOptions.DEFAULT;
  private OptionalLong symbolMemory = OptionalLong.empty();
  private Optional<Path> traceableFunctions = Optional.empty();
  private Optional<Duration> duration = Optional.empty();
  private List<String> parameters = List.of();
  private Optional<CompletableFuture<Void>> end = Optional.empty();
  private List<Follower.Maker> followers = List.of();
  private Optional<PrivilegeChange> privileges = Optional.empty();

  /** The reaction of a trace to lost events or map updates. */
  public enum OnLoss {
    /** It ends, which is a failure. */
    STOP,
    /** It continues; the losses are warnings. */
    GO_ON
  }

  /** Whether the number of attached probes, and each event's hits, are reported. */
  public enum Notices {
    /** They are. */
    SHOWN,
    /** They are not. */
    LEFT_OUT
  }

  /** Creates a front end's request to trace with a script. */
  public TraceRequest(FrontEnd frontEnd) {
    this.frontEnd = frontEnd;
  }

  private TraceRequest(TraceRequest other) {
    this(other.frontEnd);
    outputs = other.outputs;
    layouts = other.layouts;
    reader = other.reader;
    purpose = other.purpose;
    onLoss = other.onLoss;
    notices = other.notices;
    command = other.command;
    process = other.process;
    conditions = other.conditions;
    dump = other.dump;
    settings = other.settings;
    sizes = other.sizes;
    symbolMemory = other.symbolMemory;
    traceableFunctions = other.traceableFunctions;
    duration = other.duration;
    parameters = other.parameters;
    end = other.end;
    followers = other.followers;
    privileges = other.privileges;
  }

  /** Returns this request with results in these layouts; ply's if none are chosen. */
  public TraceRequest layouts(Function<OutputFormat, Layout> chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.layouts = chosen;
    return copy;
  }

  /** Returns this request with results in ply's formats, but for text and JSON. */
  public TraceRequest layouts(Layout text, Layout json) {
    return layouts(format -> format.layout(text, json));
  }

  /** Returns this request with what results are written to; the standard output by default. */
  public TraceRequest writingTo(Outputs chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.outputs = chosen;
    return copy;
  }

  /** Returns this request for a program that is not a script. */
  public TraceRequest readBy(ProgramReader chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.reader = chosen;
    return copy;
  }

  /** Returns this request for a purpose; it is tracing if none is chosen. */
  public TraceRequest inOrderTo(Purpose chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.purpose = chosen;
    return copy;
  }

  /** Returns this request with what to do about losses; stopping if nothing is chosen. */
  public TraceRequest onLoss(OnLoss chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.onLoss = chosen;
    return copy;
  }

  /** Returns this request with notices or without. */
  public TraceRequest notices(Notices chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.notices = chosen;
    return copy;
  }

  /** Returns this request with the command to run while tracing, if there is one. */
  public TraceRequest running(Optional<ChildCommand> chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.command = chosen;
    return copy;
  }

  /** Returns this request with the PID of the only process to trace, which also ends the trace. */
  public TraceRequest onlyProcess(OptionalLong chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.process = chosen;
    return copy;
  }

  /**
   * Returns this request with another condition for all hits, an expression of the language; an
   * empty one changes nothing.
   */
  public TraceRequest restrictedBy(String condition) {
    TraceRequest copy = new TraceRequest(this);
    copy.conditions =
        Stream.concat(conditions.stream(), Stream.of(condition))
            .filter(one -> !one.isEmpty())
            .toList();
    return copy;
  }

  /** Returns this request with the time after which the trace ends. */
  public TraceRequest lasting(Optional<Duration> chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.duration = chosen;
    return copy;
  }

  /** Returns this request with what ends the trace when it is done. */
  public TraceRequest endingWith(CompletableFuture<Void> chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.end = Optional.of(chosen);
    return copy;
  }

  /** Returns this request with what follows the trace while it runs. */
  public TraceRequest followedBy(List<Follower.Maker> chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.followers = List.copyOf(chosen);
    return copy;
  }

  /** Returns this request with what becomes of its privileges once all is attached. */
  public TraceRequest becoming(Optional<PrivilegeChange> chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.privileges = chosen;
    return copy;
  }

  /** Returns this request with the sections of the dump to print. */
  public TraceRequest dumping(Set<Dump.Section> chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.dump = Set.copyOf(chosen);
    return copy;
  }

  /** Returns this request with settings that take precedence over the script's. */
  public TraceRequest settings(Configuration chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.settings = chosen;
    return copy;
  }

  /** Returns this request with sizes of maps, buffer and stacks, and the mechanism. */
  public TraceRequest sizes(CompilerOptions chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.sizes = chosen;
    return copy;
  }

  /** Returns this request with the heap for symbols of processes in bytes; empty: a fifth of it. */
  public TraceRequest symbolMemory(OptionalLong chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.symbolMemory = chosen;
    return copy;
  }

  /**
   * Returns this request with a list of the functions that patterns can select, not the kernel's.
   */
  public TraceRequest traceableFunctions(Optional<Path> chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.traceableFunctions = chosen;
    return copy;
  }

  /**
   * Returns this request with the values of {@code $1}, {@code $2} …, and options of the script,
   * {@code --name=value}.
   */
  public TraceRequest parameters(List<String> chosen) {
    TraceRequest copy = new TraceRequest(this);
    copy.parameters = List.copyOf(chosen);
    return copy;
  }

  /** Returns the command line of the request. */
  FrontEnd frontEnd() {
    return frontEnd;
  }

  /** Returns what results are written to. */
  public Outputs outputs() {
    return outputs;
  }

  /** Returns the layouts of all formats. */
  Function<OutputFormat, Layout> layouts() {
    return layouts;
  }

  /** Returns the layout of results in the command's own output. */
  public Layout layout() {
    return layouts.apply(outputs.own().format());
  }

  /**
   * Returns the layout of what a script prints and no output has a place for; empty if there is
   * such an output.
   */
  Optional<Layout> others() {
    boolean isComplete =
        outputs.formats().stream().anyMatch(format -> layouts.apply(format).others().isEmpty());
    return isComplete ? Optional.empty() : layout().others();
  }

  /** Returns what reads the program. */
  public ProgramReader reader() {
    return reader;
  }

  /** Returns what the program is run for. */
  Purpose purpose() {
    return purpose;
  }

  /** Returns what to do about losses. */
  public OnLoss onLoss() {
    return onLoss;
  }

  /** Returns whether notices are shown. */
  public Notices notices() {
    return notices;
  }

  /** Returns the command to run while tracing. */
  public Optional<ChildCommand> command() {
    return command;
  }

  /** Returns the PID of the only process to trace. */
  OptionalLong process() {
    return process;
  }

  /** Returns the time after which the trace ends. */
  public Optional<Duration> duration() {
    return duration;
  }

  /** Returns what ends the trace when it is done. */
  Optional<CompletableFuture<Void>> end() {
    return end;
  }

  /** Returns what follows the trace while it runs. */
  List<Follower.Maker> followers() {
    return followers;
  }

  /** Returns what becomes of the trace's privileges. */
  Optional<PrivilegeChange> privileges() {
    return privileges;
  }

  /** Returns the sections of the dump to print. */
  public Set<Dump.Section> dump() {
    return dump;
  }

  /** Returns the sizes of maps, buffer and stacks, and the mechanism. */
  public CompilerOptions sizes() {
    CompilerOptions all = sizes;
    for (Follower.Maker follower : followers) {
      all = follower.compiledWith(all);
    }
    return all;
  }

  /** Returns the heap for symbols of processes in bytes. */
  public OptionalLong symbolMemory() {
    return symbolMemory;
  }

  /**
   * Returns what the program receives: what is the front end's, parameters and options.
   *
   * @param environment the caller's
   */
  public ScriptArguments arguments(Map<String, String> environment) {
    return frontEnd.arguments(environment, process).withWords(parameters);
  }

  /** Returns whether {@link #kernel} differs from that of requests without options about it. */
  public boolean hasOwnKernel() {
    return process.isPresent() || traceableFunctions.isPresent() || symbolMemory.isPresent();
  }

  /** Returns this kernel as the traced process sees it, if there is only one. */
  public RunningKernel kernel() {
    OptionalInt viewer =
        process.isPresent()
            ? OptionalInt.of(Math.toIntExact(process.getAsLong()))
            : OptionalInt.empty();
    return RunningKernel.of(viewer, traceableFunctions, symbolMemory);
  }

  /**
   * Returns a script with these settings, restricted to what is traced.
   *
   * @param arguments what the script receives
   */
  public Script configured(Script script, ScriptArguments arguments) {
    Script set = script.withConfiguration(settings.withDefaults(script.configuration()));
    if (process.isPresent()) {
      set = Restriction.toProcess(process.getAsLong()).apply(set);
    }
    for (String condition : conditions) {
      set = new Restriction(expression(condition, arguments)).apply(set);
    }
    return set;
  }

  private static Expr expression(String condition, ScriptArguments arguments) {
    Source source = new Source("option", "BEGIN / " + condition + " / { }");
    // Those of the command line are the script's.
    Script script = ScriptParser.parse(source, arguments.withWords(List.of())).orThrow();
    return script.clauses().get(0).predicate().orElseThrow();
  }
}
