package dev.ply.cli;

import dev.ply.diagnostic.Source;
import dev.ply.kernel.RunningKernel;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The {@code ply} command. */
public final class Ply {
  /**
   * The name of the thread that runs BEGIN and END, and so their {@code comm}. A JVM's main thread
   * cannot be renamed.
   */
  private static final String NAME = "ply";

  /** The stack size in bytes, for scripts at the nesting limit. */
  private static final long STACK = 8 << 20;

  private final InputStream input;
  private final Output output;
  private final PrintStream errors;

  /** Creates the command with these standard streams. */
  public Ply(InputStream input, OutputStream output, OutputStream errors) {
    this.input = input;
    this.output = new Output(output);
    this.errors = new PrintStream(errors, false, StandardCharsets.UTF_8);
  }

  /** Runs the command and exits with its status. */
  public static void main(String... arguments) {
    Ply ply =
        new Ply(
            System.in,
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err));
    int status = ply.run(RawArguments.decode(arguments));
    // Since Java 21, Runtime.exit looks for a logger, through all jars.
    if (status != ExitCode.OK) {
      System.exit(status);
    }
  }

  /** Runs the command on a new thread, and returns its exit status. */
  public int run(String... arguments) {
    AtomicInteger status = new AtomicInteger(ExitCode.FAILURE);
    Thread thread = new Thread(null, () -> status.set(runHere(arguments)), NAME, STACK);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
    return status.get();
  }

  private int runHere(String... arguments) {
    int status;
    try {
      status = runFrontEnd(arguments);
    } catch (UsageException e) {
      new Console(output, errors, false, true).error(String.valueOf(e.getMessage()));
      status = ExitCode.FAILURE;
    } catch (RuntimeException | Error e) {
      new Failures(new Console(output, errors, false, true)).report(e, Source.NONE);
      status = ExitCode.FAILURE;
    }
    output.flush();
    if (output.fault().isPresent()) {
      new Console(output, errors, false, true).error("output is lost: " + output.fault().get());
      status = ExitCode.FAILURE;
    }
    errors.flush();
    return status;
  }

  private int runFrontEnd(String... arguments) throws UsageException {
    if (arguments.length == 0) {
      return run(Options.parse(arguments));
    }
    String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
    if (arguments[0].equals(Bpftrace.NAME)) {
      return new Bpftrace(input, output, errors).run(rest);
    }
    if (arguments[0].equals(Argdist.NAME)) {
      return new Argdist(output, errors).run(rest);
    }
    Optional<Events> events = Events.named(arguments[0], input, output, errors);
    return events.isPresent() ? events.get().run(rest) : run(Options.parse(arguments));
  }

  private int run(Options options) throws UsageException {
    if (options.unbuffer()) {
      output.buffer(Output.Buffering.NONE);
    }
    if (options.output().isPresent()) {
      output.redirect(options.output().get());
    }
    if (options.help()) {
      output.print(Help.of(options.operands()));
      return ExitCode.OK;
    }
    if (options.list()) {
      return list(options);
    }
    if (options.version()) {
      output.print(Version.text() + "\n");
      return ExitCode.OK;
    }
    Console console = new Console(output, errors, options.debug(), !options.quiet());
    if (options.info()) {
      return new KernelInfo(console).run();
    }
    if (options.operands().isEmpty() && !options.selfTest()) {
      throw new UsageException("no program: ply [options] <text|file>, and ply -h for the options");
    }
    Source source =
        options.selfTest()
            ? Source.NONE
            : ImportedFiles.of(ProgramText.read(options.operands().get(0), input));
    if (options.operands().size() > 1 && !hasParameters(source.text())) {
      throw new UsageException(
          "one program at a time, and \""
              + options.operands().get(1)
              + "\" is left over: a program between quotes is one operand");
    }
    return new Failures(console).guard(source, () -> run(options, console, source));
  }

  private int list(Options options) throws UsageException {
    Console console = new Console(output, errors, options.debug(), !options.quiet());
    ProbeListing listing =
        new ProbeListing(new RunningKernel(), console, options.version(), FrontEnd.PLY);
    return new Failures(console).guard(Source.NONE, () -> listing.runAll(options.operands()));
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

  private static int run(Options options, Console console, Source source)
      throws InterruptedException {
    if (options.selfTest()) {
      return new SelfTest(console).run();
    }
    if (options.dryRun()) {
      int status = new DryRun(console, options.request()).run(source);
      if (status == ExitCode.OK && !options.dump() && !options.quiet()) {
        console.message("the program is correct; -e only checks it: without -e, it runs");
      }
      return status;
    }
    return new LiveRun(console, options.request()).run(source);
  }
}
