package dev.ply.export;

import dev.ply.render.PlyFormat;
import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventShape.Form;
import dev.ply.result.EventValues;
import dev.ply.result.Message;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Receives the decoded events of a trace. */
@FunctionalInterface
interface EventSink {
  /**
   * Receives an event.
   *
   * @param line what {@code printf} or {@code join} writes; empty for other calls
   */
  void event(TextBuffer out, EventFields fields, List<Datum> values, Optional<String> line);

  /** Returns a writer that decodes the events of a call for a sink. */
  static EventRenderer writer(
      Target target, EventShape shape, EventValues decoded, EventSink sink) {
    EventFields fields = new EventFields(shape);
    boolean isLine = shape.form() instanceof Form.Printf || shape.form() instanceof Form.Join;
    boolean hasValues =
        !(shape.form() instanceof Form.Join)
            && !(shape.form() instanceof Form.Printf printf && printf.message() == Message.TIME);
    EventRenderer text = new PlyFormat(new DatumFormat(target)).prepare(shape, decoded);
    EventFields shown =
        hasValues ? fields : new EventFields(new EventShape(shape.form(), List.of()));
    return (out, memory, start) ->
        sink.event(
            out,
            shown,
            hasValues ? values(shape, decoded, memory, start) : List.of(),
            isLine ? Optional.of(line(text, memory, start)) : Optional.empty());
  }

  private static List<Datum> values(
      EventShape shape, EventValues decoded, ByteBuffer memory, int start) {
    List<Datum> values = new ArrayList<>(shape.items().size());
    for (int i = 0; i < shape.items().size(); i++) {
      values.add(decoded.value(i, memory, start));
    }
    return values;
  }

  private static String line(EventRenderer text, ByteBuffer memory, int start) {
    TextBuffer line = new TextBuffer();
    text.render(line, memory, start);
    return line.toString().stripTrailing();
  }
}
