package dev.ply.cli.bpftrace;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.info.KernelInfo;
import dev.ply.cli.info.PrintedProbes;
import dev.ply.cli.info.Version;
import dev.ply.cli.input.ImportedFiles;
import dev.ply.cli.input.ProgramText;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.Failures;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.run.DryRun;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.LiveRun;
import dev.ply.cli.run.Program;
import dev.ply.cli.run.Remedies;
import dev.ply.cli.run.TraceRequest;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.ir.declaration.Configuration;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.lang.print.ScriptFormatter;
import dev.ply.listing.ProbeListing;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * {@code ply bt}: bpftrace's options, output and messages. Also run through a link named {@code
 * bpftrace}.
 */
public final class Bpftrace implements FrontEnd {
  /** The release of bpftrace whose language and options are followed. */
  private static final String LANGUAGE = "0.26.1";

  /** Set in the environment, as bpftrace's tests do, to have its own name printed on attachment. */
  private static final String NOTIFY = "__BPFTRACE_NOTIFY_PROBES_ATTACHED";

  private static final int STACK_DEPTH = 127;

  /** How scripts are compiled unless options or settings say otherwise. */
  public static final CompilerOptions SIZES = CompilerOptions.DEFAULT.withStackDepth(STACK_DEPTH);

  private static final Remedies REMEDIES =
      Remedies.of(
          "raise it with BPFTRACE_MAX_MAP_KEYS=N",
          "enlarge it with BPFTRACE_PERF_RB_PAGES=N",
          "--dry-run checks a program without it, and --dry-run -d all shows its bytecode");

  @Override
  public String name() {
    return "bt";
  }

  @Override
  public CommandManual manual() {
    return BpftraceManual.MANUAL;
  }

  @Override
  public Remedies remedies() {
    return REMEDIES;
  }

  @Override
  public String threadName() {
    return "bpftrace";
  }

  @Override
  public ScriptArguments arguments(Map<String, String> environment, OptionalLong process) {
    return ScriptArguments.NONE.withTimers(ScriptArguments.TimerUnit.NANOSECONDS);
  }

  @Override
  public Optional<String> attached(int probes) {
    return Optional.of("Attached " + probes + (probes == 1 ? " probe" : " probes"));
  }

  @Override
  public Optional<String> readiness() {
    return System.getenv(NOTIFY) == null ? Optional.empty() : Optional.of(NOTIFY);
  }

  @Override
  public Optional<String> lost(long events) {
    return Optional.of("Lost " + events + " events");
  }

  /** A call of exit has not been needed since 0.24. */
  @Override
  public boolean endsWithoutProbes() {
    return true;
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    BpftraceOptions options = BpftraceOptions.parse(this, arguments);
    Output output = streams.output();
    Console console = streams.console(options.remarks());
    boolean isFormatted = options.action() == BpftraceOptions.Action.FORMAT;
    // The input may be the file that the output is written to.
    if (!isFormatted) {
      options.request().outputs().open(streams);
    }
    output.buffer(options.buffering());
    return switch (options.action()) {
      case HELP -> output.printed(help());
      case VERSION ->
          // Scripts look for the version of the language they are written in.
          output.printed("bpftrace v" + LANGUAGE + " (" + Version.text() + ")\n");
      case INFO -> Math.max(new KernelInfo(console).run(), new BpftraceInfo(console).run());
      case LIST -> list(options, streams, console);
      case FORMAT -> format(options, streams, console);
      case RUN, CHECK -> runProgram(options, streams, console);
    };
  }

  /** Shows the program formatted. The file that it is written to can be its own. */
  private static int format(BpftraceOptions options, Streams streams, Console console)
      throws UsageException {
    Source source = source(options, streams.input());
    return new Failures(console)
        .guard(
            source,
            () -> {
              List<Diagnostic> errors =
                  ScriptParser.parse(source).diagnostics().stream()
                      .filter(one -> one.severity() == Severity.ERROR)
                      .filter(one -> one.code() == DiagnosticCode.SYNTAX)
                      .toList();
              if (!errors.isEmpty()) {
                throw new CompilationException(errors);
              }
              String formatted = ScriptFormatter.format(source);
              options.request().outputs().open(streams);
              return streams.output().printed(formatted);
            });
  }

  private static int list(BpftraceOptions options, Streams streams, Console console)
      throws UsageException {
    List<String> operands = options.operands();
    if (options.program().isPresent()
        || (operands.size() == 1 && Files.isRegularFile(Path.of(operands.get(0))))) {
      Source source = source(options, streams.input());
      TraceRequest request = request(options);
      return new Failures(console)
          .guard(source, () -> new ScriptProbes(console, request).list(source));
    }
    ProbeListing listing =
        new ProbeListing(request(options).kernel(), new BpftraceNames(), options.detail());
    return new Failures(console)
        .guard(Source.NONE, () -> new PrintedProbes(listing, console).print(operands));
  }

  private static int runProgram(BpftraceOptions options, Streams streams, Console console)
      throws UsageException {
    Source source = source(options, streams.input());
    TraceRequest request = request(options);
    options.command().ifPresent(command -> CommandWords.warnOfShell(command, console));
    return new Failures(console)
        .guard(
            source,
            () ->
                options.action() == BpftraceOptions.Action.CHECK
                    ? new DryRun(console, request).run(source)
                    : new LiveRun(console, request).run(source));
  }

  /**
   * Returns the program of a command line, without running it.
   *
   * @throws UsageException if there is none
   */
  public Program program(String... arguments) throws UsageException {
    BpftraceOptions options = BpftraceOptions.parse(this, arguments);
    if (options.action() != BpftraceOptions.Action.RUN) {
      throw new UsageException("options that run nothing, such as -l, have no place here");
    }
    return new Program(source(options, InputStream.nullInputStream()), request(options));
  }

  private static Source source(BpftraceOptions options, InputStream input) throws UsageException {
    return ImportedFiles.of(text(options, input), options.includes());
  }

  private static Source text(BpftraceOptions options, InputStream input) throws UsageException {
    if (options.program().isPresent()) {
      return new Source("<input>", options.program().get());
    }
    if (options.operands().isEmpty()) {
      throw new UsageException(
          "no program: ply bt [options] <file>, or -e <program>; ply bt -h lists the options");
    }
    return ProgramText.readFile(options.operands().get(0), input);
  }

  private static TraceRequest request(BpftraceOptions options) throws UsageException {
    Configuration settings = settings(options);
    Optional<ChildCommand> command =
        options.command().isPresent()
            ? Optional.of(CommandWords.program(options.command().get()))
            : Optional.empty();
    return options
        .request()
        .settings(settings)
        .sizes(options.compiler().with(settings).withStackDepth(STACK_DEPTH))
        .running(command);
  }

  private static Configuration settings(BpftraceOptions options) throws UsageException {
    Configuration settings = options.settings().withDefaults(BpftraceSettings.of(System.getenv()));
    return options.probeFilter().map(settings::withFilter).orElse(settings);
  }
}
