package dev.ply.cli;

import dev.ply.cli.info.KernelInfo;
import dev.ply.cli.info.PrintedProbes;
import dev.ply.cli.info.SelfTest;
import dev.ply.cli.info.Version;
import dev.ply.cli.input.ImportedFiles;
import dev.ply.cli.input.ProgramText;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.Failures;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.run.DryRun;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.LiveRun;
import dev.ply.cli.run.Program;
import dev.ply.cli.run.Remedies;
import dev.ply.cli.run.TraceRequest;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.Suggestions;
import dev.ply.kernel.RunningKernel;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.listing.ProbeListing;
import dev.ply.listing.ProbeNames;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** {@code ply} with its own options: runs scripts of the ply language. */
final class Scripts implements FrontEnd {
  private static final Remedies REMEDIES =
      Remedies.of(
          "raise it with --map-entries N",
          "enlarge it with --buffer BYTES",
          "-e checks a program without it, and -e -S shows its bytecode");

  /** Shorter names would be similar to most short words. */
  private static final Pattern COMMAND = Pattern.compile("[a-z][a-z-]{2,}");

  @Override
  public String name() {
    return "ply";
  }

  @Override
  public CommandManual manual() {
    return ScriptManual.MANUAL;
  }

  @Override
  public Remedies remedies() {
    return REMEDIES;
  }

  /** {@code $HOME} and the like; the traced process is {@code $target}. */
  @Override
  public ScriptArguments arguments(Map<String, String> environment, OptionalLong process) {
    ScriptArguments arguments = ScriptArguments.ofEnvironment(environment);
    return process.isPresent()
        ? arguments.withVariable("target", String.valueOf(process.getAsLong()))
        : arguments;
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    Output output = streams.output();
    if (arguments.length == 0 && streams.terminal() == Terminal.SHOWN) {
      return output.printed(new FirstWords(new RunningKernel()).text());
    }
    requireNoMisspelling(arguments);
    ScriptOptions options = ScriptOptions.parse(this, arguments);
    output.buffer(options.buffering());
    options.request().outputs().open(streams);
    Console console = streams.console(options.remarks());
    return switch (options.action()) {
      case HELP -> output.printed(new Help(help(), Commands.all()).of(options.operands()));
      case VERSION -> output.printed(Version.text() + "\n");
      case LIST -> list(options, console);
      case INFO -> new KernelInfo(console).run();
      case SELF_TEST -> selfTest(options.operands(), console);
      case CHECK, RUN -> runProgram(options, streams, console);
    };
  }

  /** A command whose name is misspelled would be a program or a file. */
  private void requireNoMisspelling(String... arguments) throws UsageException {
    if (arguments.length == 0 || !COMMAND.matcher(arguments[0]).matches()) {
      return;
    }
    String word = arguments[0];
    Optional<String> meant =
        Suggestions.nearest(word, Commands.NAMES.stream().filter(COMMAND.asMatchPredicate()));
    if (meant.isPresent() && !Files.exists(Path.of(word))) {
      throw new UsageException(
          "no command and no file \"" + word + "\": did you mean \"ply " + meant.get() + "\"?");
    }
  }

  private static int list(ScriptOptions options, Console console) throws UsageException {
    ProbeListing listing = new ProbeListing(new RunningKernel(), ProbeNames.PLY, options.detail());
    return new Failures(console)
        .guard(Source.NONE, () -> new PrintedProbes(listing, console).print(options.operands()));
  }

  /**
   * Returns the program of a command line, without running it.
   *
   * @throws UsageException if there is none
   */
  Program program(String... arguments) throws UsageException {
    ScriptOptions options = ScriptOptions.parse(this, arguments);
    if (options.action() != ScriptOptions.Action.RUN) {
      throw new UsageException("options that run nothing, such as -l and -e, have no place here");
    }
    return new Program(source(options, InputStream.nullInputStream()), options.request());
  }

  private static Source source(ScriptOptions options, InputStream input) throws UsageException {
    List<String> operands = options.operands();
    if (operands.isEmpty()) {
      throw new UsageException("no program: ply [options] <text|file>, and ply -h for the options");
    }
    Source source = ImportedFiles.of(ProgramText.read(operands.get(0), input));
    requireOneProgram(operands, source);
    return source;
  }

  private static int runProgram(ScriptOptions options, Streams streams, Console console)
      throws UsageException {
    Source source = source(options, streams.input());
    return new Failures(console)
        .guard(
            source,
            () ->
                options.action() == ScriptOptions.Action.CHECK
                    ? check(options, console, source)
                    : new LiveRun(console, options.request()).run(source));
  }

  private static int check(ScriptOptions options, Console console, Source source)
      throws UsageException {
    TraceRequest request = options.request();
    int status = new DryRun(console, request).run(source);
    if (status == ExitCode.OK
        && request.dump().isEmpty()
        && request.notices() == TraceRequest.Notices.SHOWN) {
      console.message("the program is correct (-e only checks it)");
    }
    return status;
  }

  private static int selfTest(List<String> operands, Console console) throws UsageException {
    requireOneProgram(operands, Source.NONE);
    return new Failures(console).guard(Source.NONE, () -> new SelfTest(console).run());
  }

  private static void requireOneProgram(List<String> operands, Source program)
      throws UsageException {
    if (operands.size() > 1 && !hasParameters(program.text())) {
      throw new UsageException(
          "unexpected operand \""
              + operands.get(1)
              + "\" after the program: put a program with spaces in quotes");
    }
  }

  /** Returns whether arguments after a script are its parameters. */
  private static boolean hasParameters(String script) {
    for (int i = script.indexOf('$'); i >= 0; i = script.indexOf('$', i + 1)) {
      char next = i + 1 < script.length() ? script.charAt(i + 1) : ' ';
      if (next == '#' || (next >= '0' && next <= '9')) {
        return true;
      }
    }
    return false;
  }
}
