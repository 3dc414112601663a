package dev.ply.cli.run;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.Signals;
import dev.ply.kernel.process.ChildProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The signals that end a trace. One that comes while the trace is being stopped limits the time for
 * its maps. Thread-safe.
 */
final class Interruptions {
  /** The interval between checks for a blocked write. */
  private static final Duration TICK = Duration.ofMillis(100);

  /** The time after which a write of END is given up, after a signal. */
  private static final Duration BLOCKED = Duration.ofSeconds(1);

  private final Console console;
  private final TraceEnd ending;

  private volatile boolean isStopping;

  /** Opened when the trace has been stopped, and its maps are written. */
  private final CountDownLatch isPrinting = new CountDownLatch(1);

  Interruptions(Console console, TraceEnd ending) {
    this.console = console;
    this.ending = ending;
  }

  /** Ends the trace with the first signal; an interrupted command has got it, too. */
  void watch(Optional<ChildProcess> command) {
    Signals.onFirst(
        signal -> {
          if (isStopping) {
            Thread abandon = new Thread(() -> abandonPrinting(signal), "ply-abandon");
            abandon.setDaemon(true);
            abandon.start();
          }
          if (signal.equals(Signals.INTERRUPT)) {
            command.ifPresent(ChildProcess::interrupted);
          }
          ending.signal();
        },
        () -> console.lastError("interrupted again: results are left out"));
  }

  /** The trace is being stopped. */
  void stopping() {
    isStopping = true;
  }

  /** The trace has been stopped, and its maps are written. */
  void printing() {
    isPrinting.countDown();
  }

  /** Limits the time for maps after a signal that has not ended the trace, but come later. */
  private void abandonPrinting(String signal) {
    try {
      while (!isPrinting.await(TICK.toMillis(), TimeUnit.MILLISECONDS)
          && !console.output().isBlockedFor(BLOCKED)) {}
      Signals.abandonLater(
          signal, () -> console.lastError("interrupted: the remaining maps are left out"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
