package dev.ply.bpf.table;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The time for the maps that events print, once it is limited: a map can have millions of rows, and
 * who has interrupted a trace waits. Thread-safe.
 */
public final class PrintTime {
  private volatile boolean isLimited;
  private volatile long end;
  private volatile boolean isOfEnd;

  /** The prints that were cut, by their calls. For the thread that handles events. */
  private final Map<SourceSpan, Integer> cut = new LinkedHashMap<>();

  /** Thrown where a map is read or written for which there is no time left. */
  public static final class TimeIsUp extends RuntimeException {
    private static final long serialVersionUID = 1;

    TimeIsUp() {
      super("no time is left to print a map", null, false, false);
    }
  }

  /**
   * Limits the time, from now on.
   *
   * @param ofEnd whether that is the time of what END prints, too
   */
  public void limit(Duration most, boolean ofEnd) {
    end = System.nanoTime() + most.toNanos();
    isOfEnd = ofEnd;
    isLimited = true;
  }

  /** END begins: it prints results, which may take the time that they need. */
  public void beginEnd() {
    isLimited = isLimited && isOfEnd;
  }

  /**
   * Checks that there is time.
   *
   * @throws TimeIsUp if not
   */
  void check() {
    if (isUp()) {
      throw new TimeIsUp();
    }
  }

  private boolean isUp() {
    return isLimited && System.nanoTime() - end >= 0;
  }

  /** Counts a map that was not printed to its end. */
  public void cut(SourceSpan span) {
    cut.merge(span, 1, Integer::sum);
  }

  /** Reports what was cut. */
  public void report(Consumer<Diagnostic> reports) {
    cut.forEach(
        (span, number) ->
            reports.accept(
                new Diagnostic(
                    Severity.WARNING,
                    DiagnosticCode.REPORTED,
                    span,
                    (number == 1 ? "a map was" : number + " maps were")
                        + " not printed completely: the trace was interrupted",
                    List.of())));
    cut.clear();
  }

  /** Returns a stream that writes to {@code out} while there is time, and then ends the line. */
  public OutputStream whileThereIs(OutputStream out) {
    return new OutputStream() {
      private boolean isInLine;

      @Override
      public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int start, int length) throws IOException {
        if (isUp()) {
          if (isInLine) {
            out.write('\n');
          }
          throw new TimeIsUp();
        }
        out.write(bytes, start, length);
        isInLine = length > 0 && bytes[start + length - 1] != '\n';
      }
    };
  }
}
