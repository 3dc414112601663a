package dev.ply.examples;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.MissingPrivilegesException;
import dev.ply.kernel.error.KernelException;
import dev.ply.result.Loss;
import dev.ply.table.DatumFormat;
import dev.ply.table.TableFormat;
import dev.ply.target.KernelSymbols;
import java.io.IOException;
import java.time.Duration;

/** Runs an example on the running kernel and prints its results as the ply command does. */
final class Run {
  private static final Duration A_WHILE = Duration.ofSeconds(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  private Run() {}

  /**
   * Traces until {@code command} exits; without a command until Enter, for at most ten seconds. If
   * tracing is not possible, prints why and exits with status 1.
   */
  static void trace(String[] command, Probe... probes) {
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.prepare(probes).printTo(System.out::print).start()) {
      if (command.length > 0) {
        new ProcessBuilder(command).inheritIO().start().waitFor();
      } else {
        awaitEnter(session);
      }
      session.stop();
      show(session);
    } catch (MissingPrivilegesException
        | CompilationException
        | KernelException
        | IOException
        | InterruptedException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static void awaitEnter(Session session) throws IOException, InterruptedException {
    System.err.println("tracing for " + A_WHILE.toSeconds() + " s, or until Enter is pressed");
    long end = System.nanoTime() + A_WHILE.toNanos();
    while (System.nanoTime() < end && System.in.available() == 0) {
      if (session.await(BETWEEN_LOOKS)) {
        return;
      }
    }
  }

  private static void show(Session session) {
    TableFormat format = new TableFormat(new DatumFormat(KernelSymbols.NONE));
    session.tables().forEach(map -> System.out.print(format.format(map.name(), map.table())));
    if (session.lost(Loss.EVENTS) + session.lost(Loss.UPDATES) > 0) {
      System.err.printf(
          "%d events and %d updates are lost%n",
          session.lost(Loss.EVENTS), session.lost(Loss.UPDATES));
    }
  }
}
