package dev.ply.cli;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Configuration;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.print.ScriptFormatter;
import dev.ply.target.Mechanism;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code ply bt}: bpftrace's options, output and messages. Also run through a link named {@code
 * bpftrace}.
 */
final class Bpftrace {
  /** The name of the command after {@code ply}. */
  static final String NAME = "bt";

  /** The release of bpftrace whose language and options are followed. */
  /** _PATH_DEFPATH of paths.h. */
  private static final String DEFAULT_PATH = "/usr/bin:/bin";

  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_]\\w*=.*");

  /** Quotes, operators, redirections and variables. */
  private static final Pattern SHELL_WORD =
      Pattern.compile(".*['\"`].*|.*;|[|&]{1,2}|\\d?[<>].*|\\$[A-Za-z_{(].*");

  private static final String LANGUAGE = "0.26.1";

  private static final int STACK_DEPTH = 127;

  private final InputStream input;
  private final Output output;
  private final PrintStream errors;

  Bpftrace(InputStream input, Output output, PrintStream errors) {
    this.input = input;
    this.output = output;
    this.errors = errors;
  }

  /** Runs the command with its arguments, and returns its exit status. */
  int run(String... arguments) throws UsageException {
    BpftraceOptions options = BpftraceOptions.parse(arguments);
    Console console = new Console(output, errors, options.verbose(), options.warnings());
    boolean isFormatted = options.action() == BpftraceOptions.Action.FORMAT;
    // What is formatted may be read from the file that it is written to.
    if (options.output().isPresent() && !isFormatted) {
      output.redirect(options.output().get());
    }
    output.buffer(options.buffering());
    return switch (options.action()) {
      case HELP -> print(BpftraceOptions.usage());
      case VERSION ->
          // Scripts look for the version of the language they are written in.
          print("bpftrace v" + LANGUAGE + " (" + Version.text() + ")\n");
      case INFO -> Math.max(new KernelInfo(console).run(), new BpftraceInfo(console).run());
      case LIST -> list(options, console);
      case FORMAT -> format(options, console);
      case RUN, CHECK -> runProgram(options, console);
    };
  }

  /** Shows the program formatted. The file that it is written to can be its own. */
  private int format(BpftraceOptions options, Console console) throws UsageException {
    Source source = source(options);
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
              if (options.output().isPresent()) {
                output.redirect(options.output().get());
              }
              return print(formatted);
            });
  }

  private int print(String text) {
    output.print(text);
    return ExitCode.OK;
  }

  private int list(BpftraceOptions options, Console console) throws UsageException {
    List<String> operands = options.operands();
    if (options.program().isPresent()
        || (operands.size() == 1 && Files.isRegularFile(Path.of(operands.get(0))))) {
      Source source = source(options);
      TraceRequest request = request(options);
      return new Failures(console)
          .guard(source, () -> new ScriptProbes(console, request).list(source));
    }
    ProbeListing listing =
        new ProbeListing(request(options).kernel(), console, options.verbose(), FrontEnd.BPFTRACE);
    return new Failures(console).guard(Source.NONE, () -> listing.runAll(operands));
  }

  private int runProgram(BpftraceOptions options, Console console) throws UsageException {
    Source source = source(options);
    TraceRequest request = request(options);
    options.command().flatMap(Bpftrace::shellWord).ifPresent(word -> warnOfShell(word, console));
    return new Failures(console)
        .guard(
            source,
            () ->
                options.action() == BpftraceOptions.Action.CHECK
                    ? new DryRun(console, request).run(source)
                    : new LiveRun(console, request).run(source));
  }

  private Source source(BpftraceOptions options) throws UsageException {
    return ImportedFiles.of(text(options), options.includes());
  }

  private Source text(BpftraceOptions options) throws UsageException {
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
    List<String> operands = options.operands();
    Configuration settings = settings(options);
    CompilerOptions plain = CompilerOptions.DEFAULT.with(settings).withStackDepth(STACK_DEPTH);
    CompilerOptions sizes = plain.reporting(options.reporting());
    Optional<ChildCommand> command =
        options.command().isPresent()
            ? Optional.of(program(options.command().get()))
            : Optional.empty();
    CompilerOptions attached =
        options.isWithoutMulti() ? sizes.attachedBy(Mechanism.KPROBE) : sizes;
    return new TraceRequest(
        FrontEnd.BPFTRACE,
        options.purpose(),
        command,
        options.process(),
        true,
        options.dump(),
        options.quiet(),
        options.layout(),
        settings,
        options.unsafe() ? attached.unsafe() : attached,
        options.symbolMemory(),
        options.traceableFunctions(),
        options.program().isPresent() || operands.isEmpty()
            ? operands
            : operands.subList(1, operands.size()));
  }

  private static Configuration settings(BpftraceOptions options) throws UsageException {
    Configuration settings = options.settings().withDefaults(BpftraceSettings.of(System.getenv()));
    return options.probeFilter().map(settings::withFilter).orElse(settings);
  }

  /** A shell that waits executes it later, and would find out only after all probes are on. */
  private static ChildCommand program(String command) throws UsageException {
    List<String> words = words(command);
    String name = words.get(0);
    String directories = System.getenv().getOrDefault("PATH", DEFAULT_PATH);
    if (ChildCommand.isMissing(name, directories)) {
      String instead =
          ASSIGNMENT.matcher(name).matches() ? "; env sets variables: -c 'env " + name + " …'" : "";
      throw new UsageException(
          "-c "
              + command
              + ": there is no program \""
              + name
              + "\" that can be executed"
              + instead);
    }
    return ChildCommand.program(words);
  }

  /** Returns a word of a command that only a shell would not pass on as it is. */
  static Optional<String> shellWord(String command) {
    return words(command).stream().filter(SHELL_WORD.asMatchPredicate()).findFirst();
  }

  private static void warnOfShell(String word, Console console) {
    console.warning(
        "-c runs a program without a shell, as bpftrace does: it gets "
            + word
            + " as it is; an executable file with the whole command can be run instead");
  }

  /** Returns the words of a command, separated by spaces; bpftrace has no quoting. */
  static List<String> words(String command) {
    return List.of(command.trim().split(" +", -1));
  }
}
