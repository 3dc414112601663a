package dev.ply.cli;

import dev.ply.cli.input.RawArguments;
import dev.ply.cli.io.Command;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.Failures;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.Section;
import dev.ply.cli.tool.ToolCommand;
import dev.ply.diagnostic.Source;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The {@code ply} command. */
public final class Ply {
  /**
   * The name of the thread that runs BEGIN and END, and so their {@code comm}. A JVM's main thread
   * cannot be renamed.
   */
  private static final String NAME = "ply";

  /** The stack size in bytes, for scripts at the nesting limit. */
  private static final long STACK = 8 << 20;

  private final Streams streams;

  /** Returns the declarations of all command lines, ply's own first. */
  static List<CommandManual> manuals() {
    List<Section.Term> commands =
        Commands.all().stream()
            .map(Command::manual)
            .map(manual -> new Section.Term(manual.command(), manual.summary() + "."))
            .toList();
    return Stream.of(
            Stream.of(ScriptManual.MANUAL.with(new Section.Terms("Commands", commands))),
            Commands.all().stream().map(Command::manual),
            tools().stream())
        .flatMap(manuals -> manuals)
        .toList();
  }

  private static List<CommandManual> tools() {
    try {
      return ToolCommand.manuals(Commands.tools());
    } catch (UsageException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Creates the command with these standard streams. */
  public Ply(InputStream input, OutputStream output, OutputStream errors) {
    this(input, output, errors, Terminal.NONE);
  }

  /** Creates the command with these standard streams, which may be a terminal. */
  Ply(InputStream input, OutputStream output, OutputStream errors, Terminal terminal) {
    this.streams = new Streams(input, new Output(output), new ErrorStream(errors), terminal);
  }

  /** Runs the command and exits with its status. */
  public static void main(String... arguments) {
    Ply ply =
        new Ply(
            System.in,
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err),
            Terminal.ofThisProcess());
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
      status = runCommand(arguments);
    } catch (UsageException e) {
      streams.console().error(String.valueOf(e.getMessage()));
      status = ExitCode.FAILURE;
    } catch (RuntimeException | Error e) {
      new Failures(streams.console()).report(e, Source.NONE);
      status = ExitCode.FAILURE;
    }
    Output output = streams.output();
    output.close();
    if (output.fault().isPresent()) {
      streams.console().error("output is lost: " + output.fault().get());
      status = ExitCode.FAILURE;
    }
    streams.errors().flush();
    return status;
  }

  private int runCommand(String... arguments) throws UsageException {
    if (arguments.length > 0) {
      Optional<Command> command = Commands.named(arguments[0]);
      if (command.isPresent()) {
        return command.get().run(streams, Arrays.copyOfRange(arguments, 1, arguments.length));
      }
    }
    return new Scripts().run(streams, arguments);
  }
}
