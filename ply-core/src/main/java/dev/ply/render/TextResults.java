package dev.ply.render;

import dev.ply.result.EventShape;
import dev.ply.result.OwnRun;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.text.TextBuffer;
import java.util.List;

/** Writes results for people: messages about the trace itself are not resultss. */
public class TextResults implements Result.Visitor<Boolean> {
  private final TextBuffer out;
  private final TextRenderer layout;

  public TextResults(TextBuffer out, TextRenderer layout) {
    this.out = out;
    this.layout = layout;
  }

  @Override
  public Boolean visit(Result.Attached attached) {
    return false;
  }

  @Override
  public Boolean visit(Result.Event event) {
    if (event.shape().form() instanceof EventShape.Form.Emit) {
      return false;
    }
    List<Datum> values = event.values();
    if (event.shape().form() instanceof EventShape.Form.Trace trace) {
      ConversionWriter.append(out, layout.traceFormat(trace.line()), values, layout.traceValues());
      return true;
    }
    TextRenderer.Frame frame = layout.frame(values.size());
    for (int i = 0; i < values.size(); i++) {
      out.append(i == 0 ? frame.begin() : frame.separator());
      layout.values().append(out, values.get(i));
    }
    out.append(frame.end());
    return true;
  }

  @Override
  public Boolean visit(Result.Line line) {
    layout.appendText(out, line.text(), line.message());
    return true;
  }

  @Override
  public Boolean visit(Result.Snapshot snapshot) {
    if (snapshot.occasion() == Result.Occasion.PRINTED) {
      snapshot.maps().forEach(map -> layout.appendMap(out, map));
    } else {
      layout.appendMaps(out, snapshot.maps());
    }
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
    layout.appendText(out, content.text(), content.message());
    return true;
  }

  @Override
  public Boolean visit(OwnRun run) {
    TextBuffer unused = run.accept(new OwnRunText(out));
    return true;
  }

  @Override
  public Boolean visit(Result.End end) {
    return false;
  }
}
