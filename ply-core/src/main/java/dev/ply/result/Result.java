package dev.ply.result;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import java.util.List;

/**
 * Something that a trace gives, in the order in which it does: who consumes a trace gets a stream
 * of these, the last of which is {@link End}. Immutable.
 */
public sealed interface Result permits Result.OfTrace, OwnRun {
  /**
   * {@return what a visitor returns for this result}
   *
   * @param <R> what the operation returns
   * @param visitor has a method for each kind of result
   */
  <R> R accept(Visitor<R> visitor);

  /** A result of a trace, rather than of tests and benchmarks of a script. */
  sealed interface OfTrace extends Result {}

  /**
   * The trace is attached.
   *
   * @param probes the number of probes: the sites, BEGIN, END and iterators
   * @param sites those attached to something, in script order
   */
  record Attached(int probes, List<AttachedSite> sites) implements OfTrace {
    /** Copies the sites. */
    public Attached {
      sites = List.copyOf(sites);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Values that a probe sent: by {@code print}, or by {@code emit} of the fluent API.
   *
   * @param shape what is known about them
   * @param values one for each of its items
   */
  record Event(EventShape shape, List<Datum> values) implements OfTrace {
    /** Copies the values. */
    public Event {
      values = List.copyOf(values);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Text that a probe wrote: by {@code printf}, {@code time} or {@code join}.
   *
   * @param message the function that wrote it
   * @param text as the script formats it, decoded by {@link dev.ply.type.TextBytes}
   */
  record Line(Message message, String text) implements OfTrace {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The content of maps at one time.
   *
   * @param maps in script order
   * @param occasion why it was read
   */
  record Snapshot(List<NamedTable> maps, Occasion occasion) implements OfTrace {
    /** Copies the list. */
    public Snapshot {
      maps = List.copyOf(maps);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** Why maps were read. */
  enum Occasion {
    /** The script printed one. */
    PRINTED,
    /** A period has passed: all updates since the start of the trace, or the last clear. */
    TOTALS,
    /** A period has passed: what was added in it. */
    ADDED,
    /** The trace has ended. */
    FINAL
  }

  /**
   * What a script reports by {@code errorf} or {@code warnf}, or what goes wrong while its commands
   * run.
   *
   * @param diagnostic its severity, its position, and its text as the script formats it
   * @param reporter who reports it
   */
  record Report(Diagnostic diagnostic, Reporter reporter) implements OfTrace {
    /** {@return the report as a message: without the newline at the end of the script's text} */
    public Diagnostic message() {
      return new Diagnostic(
          diagnostic.severity(),
          diagnostic.code(),
          diagnostic.span(),
          diagnostic.message().stripTrailing(),
          diagnostic.hints());
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** Who reports something. */
  enum Reporter {
    /** The script, by {@code errorf} or {@code warnf}. */
    SCRIPT,
    /** The tracer. */
    TRACER
  }

  /**
   * An operation that failed while a program ran.
   *
   * @param error with its position
   */
  record Failure(RuntimeError error) implements OfTrace {
    /** {@return the failure as a warning} */
    public Diagnostic diagnostic() {
      return new Diagnostic(
          Severity.WARNING, DiagnosticCode.REPORTED, error.span(), error.sentence(), List.of());
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Something was lost since the last result of this kind.
   *
   * @param loss of any kind
   * @param count at least 1
   */
  record Lost(Loss loss, long count) implements OfTrace {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * What the trace cost while it was measured.
   *
   * @param cost since measuring began
   */
  record Cost(TraceCost cost) implements OfTrace {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * From now on, hits are left out, or no longer: what counts, sums, averages and distributions
   * have from now on is an estimate, and of events only some are sent.
   *
   * @param oneOf one of how many hits is examined, on average; 1 for all of them
   */
  record Sampled(int oneOf) implements OfTrace {
    /** What it means for results, as a sentence without full stop. */
    public static final String MEANING =
        "counts, sums and distributions are estimates from now on; minima and maxima are those of"
            + " the examined hits, and events of others are not shown";

    /** {@return what happens, as a sentence without full stop} */
    public String sentence() {
      return oneOf == 1
          ? "every hit is examined again"
          : "one of " + oneOf + " hits is examined from now on";
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The output of a command, or the content of a file.
   *
   * @param message the function that ran or read it
   * @param text any bytes, decoded by {@link dev.ply.type.TextBytes}
   */
  record Content(Message message, String text) implements OfTrace {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The trace has ended, and no result follows.
   *
   * @param reason why
   */
  record End(EndReason reason) implements OfTrace {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * An operation with a method for each kind of result.
   *
   * @param <R> what it returns
   */
  interface Visitor<R> {
    /** {@return the result for attached probes} */
    R visit(Attached attached);

    /** {@return the result for values that a probe sent} */
    R visit(Event event);

    /** {@return the result for text that a probe wrote} */
    R visit(Line line);

    /** {@return the result for the content of maps} */
    R visit(Snapshot snapshot);

    /** {@return the result for what a script reports} */
    R visit(Report report);

    /** {@return the result for a failed operation} */
    R visit(Failure failure);

    /** {@return the result for a loss} */
    R visit(Lost lost);

    /** {@return the result for what the trace cost} */
    R visit(Cost cost);

    /** {@return the result for hits that are left out} */
    R visit(Sampled sampled);

    /** {@return the result for the content of a file or the output of a command} */
    R visit(Content content);

    /** {@return the result for tests and benchmarks of a script} */
    R visit(OwnRun run);

    /** {@return the result for the end of the trace} */
    R visit(End end);
  }
}
