package dev.ply.layout;

import dev.ply.render.PlyFormat;
import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventShape.Form;
import dev.ply.result.EventValues;
import dev.ply.result.Message;
import dev.ply.result.OwnRun;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.ValueFormat;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Comma-separated values (RFC 4180): a line for each event and each row of a map, of a distribution
 * for each of its ranges. The first column has the name of the map or the function that wrote the
 * line.
 */
final class CsvRenderer implements Renderer {
  private final Target target;
  private final CsvWriter csv;

  CsvRenderer(Target target) {
    this.target = target;
    this.csv = new CsvWriter(target);
  }

  @Override
  public ValueFormat conversions() {
    return csv.values();
  }

  @Override
  public EventRenderer prepare(EventShape shape, EventValues decoded) {
    return shape.form().accept(new Lines(shape, decoded));
  }

  /** Prepares the lines of one call. */
  private final class Lines implements Form.Visitor<EventRenderer> {
    private final EventShape shape;
    private final EventValues decoded;

    Lines(EventShape shape, EventValues decoded) {
      this.shape = shape;
      this.decoded = decoded;
    }

    @Override
    public EventRenderer visit(Form.Print form) {
      return columns("print");
    }

    /** Without values, or with those of a time alone, the text is shown as a whole. */
    @Override
    public EventRenderer visit(Form.Printf form) {
      return shape.items().isEmpty() || form.message() == Message.TIME
          ? text(form.message())
          : columns("printf");
    }

    @Override
    public EventRenderer visit(Form.Trace form) {
      List<String> columns = CsvWriter.columnsOf(form.line());
      return (out, memory, start) -> csv.appendHit(out, columns, form.line(), data(memory, start));
    }

    @Override
    public EventRenderer visit(Form.Join form) {
      return text(Message.JOIN);
    }

    @Override
    public EventRenderer visit(Form.Emit form) {
      return EventRenderer.NONE;
    }

    private EventRenderer columns(String name) {
      List<String> columns = CsvWriter.columnsOf(shape);
      return (out, memory, start) -> csv.appendEvent(out, columns, name, data(memory, start));
    }

    private EventRenderer text(Message message) {
      EventRenderer line = new PlyFormat(new DatumFormat(target)).prepare(shape, decoded);
      return (out, memory, start) -> {
        TextBuffer written = new TextBuffer();
        line.render(written, memory, start);
        csv.appendText(out, message, written.toString());
      };
    }

    private List<Datum> data(ByteBuffer memory, int start) {
      List<Datum> data = new ArrayList<>();
      for (int i = 0; i < shape.items().size(); i++) {
        data.add(decoded.value(i, memory, start));
      }
      return data;
    }
  }

  @Override
  public boolean render(TextBuffer out, Result result) {
    return result.accept(new Results(out));
  }

  /** Writes results; messages about the trace itself have no place in a table. */
  private final class Results implements Result.Visitor<Boolean> {
    private final TextBuffer out;

    Results(TextBuffer out) {
      this.out = out;
    }

    @Override
    public Boolean visit(Result.Attached attached) {
      return false;
    }

    @Override
    public Boolean visit(Result.Event event) {
      return event.shape().form().accept(new Values(out, event));
    }

    @Override
    public Boolean visit(Result.Line line) {
      csv.appendText(out, line.message(), Escapes.escapeLines(line.text()));
      return true;
    }

    @Override
    public Boolean visit(Result.Snapshot snapshot) {
      snapshot.maps().stream()
          .filter(map -> !map.table().isEmpty())
          .forEach(map -> csv.appendMap(out, map));
      return true;
    }

    @Override
    public Boolean visit(Result.Report report) {
      return false;
    }

    @Override
    public Boolean visit(Result.Failure failure) {
      return false;
    }

    @Override
    public Boolean visit(Result.Lost lost) {
      return false;
    }

    @Override
    public Boolean visit(Result.Cost cost) {
      return false;
    }

    @Override
    public Boolean visit(Result.Sampled sampled) {
      return false;
    }

    @Override
    public Boolean visit(Result.Content content) {
      csv.appendText(out, content.message(), Escapes.escapeLines(content.text()));
      return true;
    }

    @Override
    public Boolean visit(OwnRun run) {
      return run.accept(new Run(out));
    }

    @Override
    public Boolean visit(Result.End end) {
      return false;
    }
  }

  /** Writes what tests and benchmarks gave, and nothing of their progress. */
  private final class Run implements OwnRun.Visitor<Boolean> {
    private final TextBuffer out;

    Run(TextBuffer out) {
      this.out = out;
    }

    @Override
    public Boolean visit(OwnRun.TestsBegin run) {
      return true;
    }

    @Override
    public Boolean visit(OwnRun.TestBegins run) {
      return true;
    }

    @Override
    public Boolean visit(OwnRun.Test test) {
      csv.appendHeadings(out, List.of("test", "passed", "duration_ns", "output"));
      CsvWriter.appendQuoted(out, test.name());
      out.append(',').append(String.valueOf(test.hasPassed()));
      out.append(',').append(test.nanos()).append(',');
      CsvWriter.appendQuoted(out, test.output());
      out.append('\n');
      return true;
    }

    @Override
    public Boolean visit(OwnRun.TestsEnd run) {
      return true;
    }

    @Override
    public Boolean visit(OwnRun.Benchmarks all) {
      csv.appendHeadings(out, List.of("benchmark", "average_ns", "runs"));
      for (OwnRun.Benchmark one : all.benchmarks()) {
        CsvWriter.appendQuoted(out, one.name());
        out.append(',').append(one.nanos()).append(',').append(one.runs()).append('\n');
      }
      return true;
    }
  }

  /** Writes the values of an event that no record has. */
  private final class Values implements Form.Visitor<Boolean> {
    private final TextBuffer out;
    private final Result.Event event;

    Values(TextBuffer out, Result.Event event) {
      this.out = out;
      this.event = event;
    }

    @Override
    public Boolean visit(Form.Print form) {
      return append("print");
    }

    @Override
    public Boolean visit(Form.Printf form) {
      return append("printf");
    }

    @Override
    public Boolean visit(Form.Trace form) {
      csv.appendHit(out, CsvWriter.columnsOf(form.line()), form.line(), event.values());
      return true;
    }

    @Override
    public Boolean visit(Form.Join form) {
      return append("join");
    }

    @Override
    public Boolean visit(Form.Emit form) {
      return false;
    }

    private boolean append(String name) {
      csv.appendEvent(out, CsvWriter.columnsOf(event.shape()), name, event.values());
      return true;
    }
  }
}
