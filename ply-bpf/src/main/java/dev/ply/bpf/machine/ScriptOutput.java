package dev.ply.bpf.machine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Captures what a shell script writes, within limits of time and size. */
public final class ScriptOutput {
  /** The maximum duration. */
  static final Duration TIME = Duration.ofSeconds(60);

  /** The maximum size of the output. */
  static final int SIZE = 1 << 20;

  private static final Duration POLL = Duration.ofMillis(10);

  private final RunningScript script;
  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

  /**
   * The result of a run.
   *
   * @param output all bytes, one char each (ISO 8859-1)
   * @param end why it ended, empty if it ended by itself
   */
  public record Result(String output, String end) {}

  private ScriptOutput(RunningScript script) {
    this.script = script;
  }

  /**
   * Waits until the script ends, exceeds a limit, or {@code isOver}; then it is killed, with all
   * that it has started. Background jobs of a script that ended by itself keep running, and are not
   * waited for.
   */
  public static Result of(RunningScript script, BooleanSupplier isOver) throws IOException {
    return new ScriptOutput(script).capture(isOver);
  }

  private Result capture(BooleanSupplier isOver) throws IOException {
    long begin = System.nanoTime();
    InputStream in = script.output();
    try {
      boolean isRunning = true;
      while (isRunning || in.available() > 0) {
        // Asked for first: all output of an ended process is available.
        isRunning = isRunning && !script.await(in.available() > 0 ? Duration.ZERO : POLL);
        captured.write(in.readNBytes(Math.min(in.available(), SIZE + 1 - captured.size())));
        if (captured.size() > SIZE) {
          return stop("it wrote more than 1 MiB");
        }
        if (isRunning && System.nanoTime() - begin > TIME.toNanos()) {
          return stop("it ran for " + TIME.toSeconds() + " s");
        }
        if (isRunning && isOver.getAsBoolean()) {
          return stop("the trace has ended");
        }
      }
      return new Result(captured.toString(StandardCharsets.ISO_8859_1), "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return stop("the trace has ended");
    }
  }

  private Result stop(String reason) {
    script.kill();
    String all = captured.toString(StandardCharsets.ISO_8859_1);
    return new Result(all.substring(0, Math.min(SIZE, all.length())), reason);
  }
}
