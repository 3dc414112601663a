package dev.ply.cli;

import dev.ply.diagnostic.Source;
import dev.ply.kernel.RunningKernel;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The {@code ply} command. */
public final class Ply {
  /**
   * The kernel knows the thread that runs BEGIN and END by this name, and so does {@code comm}
   * there. The thread that a Java runtime starts with cannot be renamed.
   */
  private static final String NAME = "ply";

  /** Bytes; for scripts that nest as deep as they may. */
  private static final long STACK = 8 << 20;

  private final InputStream input;
  private final Output output;
  private final PrintStream errors;

  /** The command with these standard streams. */
  public Ply(InputStream input, OutputStream output, OutputStream errors) {
    this.input = input;
    this.output = new Output(output);
    this.errors = new PrintStream(errors, false, StandardCharsets.UTF_8);
  }

  /** Runs the command and ends the process with its status. */
  public static void main(String... arguments) {
    Ply ply =
        new Ply(
            System.in,
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err));
    int status = ply.run(arguments);
    // Since Java 21 exit looks for somebody who would log it, through all jars.
    if (status != ExitCode.OK) {
      System.exit(status);
    }
  }

  /** Runs the command on a thread of its own, and returns its exit status. */
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
      status = run(Options.parse(arguments));
    } catch (UsageException e) {
      new Console(output, errors, false).error(String.valueOf(e.getMessage()));
      status = ExitCode.FAILURE;
    }
    output.flush();
    if (output.fault().isPresent()) {
      new Console(output, errors, false).error("output is lost: " + output.fault().get());
      status = ExitCode.FAILURE;
    }
    errors.flush();
    return status;
  }

  private int run(Options options) throws UsageException {
    if (options.unbuffer()) {
      output.unbuffer();
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
    Console console = new Console(output, errors, options.debug());
    if (options.operands().isEmpty() && !options.selfTest()) {
      throw new UsageException("no program: ply [options] <text|file>, and ply -h for the options");
    }
    Source source =
        options.selfTest()
            ? new Source("", "")
            : ProgramText.read(options.operands().get(0), input);
    if (options.operands().size() > 1 && !hasParameters(source.text())) {
      throw new UsageException(
          "one program at a time, and \""
              + options.operands().get(1)
              + "\" is left over: a program between quotes is one operand");
    }
    try {
      return run(options, console, source);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.FAILURE;
    } catch (RuntimeException | Error e) {
      new Failures(console).report(e, source);
      return ExitCode.FAILURE;
    }
  }

  private int list(Options options) throws UsageException {
    Console console = new Console(output, errors, options.debug());
    ProbeListing listing = new ProbeListing(new RunningKernel(), console, options.version());
    try {
      int status = ExitCode.OK;
      for (String pattern : options.operands().isEmpty() ? List.of("*") : options.operands()) {
        status = Math.max(status, listing.run(pattern));
      }
      return status;
    } catch (RuntimeException e) {
      new Failures(console).report(e, new Source("", ""));
      return ExitCode.FAILURE;
    }
  }

  /** Returns whether a script may use what stands after it on the command line. */
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
      return new DryRun(console, options.sizes())
          .run(source, options.environment(), options.dump());
    }
    return new LiveRun(console, options).run(source);
  }
}
