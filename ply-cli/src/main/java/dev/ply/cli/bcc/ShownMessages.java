package dev.ply.cli.bcc;

import dev.ply.lang.bcc.TraceScript;
import dev.ply.layout.Layout;
import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventValues;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.ValueFormat;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import dev.ply.type.TextBytes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * Which of trace's lines are shown: those whose message has some text, up to a number, each or how
 * often.
 */
final class ShownMessages {
  private final Optional<String> part;
  private final OptionalInt most;
  private final boolean isAggregated;

  /** Done when as many lines as wanted were shown. */
  private final CompletableFuture<Void> enough = new CompletableFuture<>();

  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private int shown;

  /**
   * Creates a choice of lines.
   *
   * @param part what messages have to contain
   * @param most the number of lines
   * @param isAggregated whether equal lines are shown once, with their number, at the end
   */
  ShownMessages(Optional<String> part, OptionalInt most, boolean isAggregated) {
    this.part = part;
    this.most = most;
    this.isAggregated = isAggregated;
  }

  /** Returns what is done when there are as many lines as wanted. */
  CompletableFuture<Void> enough() {
    return enough;
  }

  /** Returns a layout of the lines of a script. */
  Layout layout(TraceScript script) {
    return target -> new Chosen(Layout.PLY.on(target), script.headConversions(), script.stacks());
  }

  /** Handles a line, which is at the end of {@code out} from {@code line} on. */
  private void take(TextBuffer out, int line, boolean isWanted) {
    if (!isWanted || enough.isDone()) {
      out.cut(line);
      return;
    }
    shown++;
    if (isAggregated) {
      counts.merge(TextBytes.decode(out.cut(line)), 1, Integer::sum);
    }
    if (most.isPresent() && shown == most.getAsInt()) {
      counts.entrySet().stream()
          .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
          .forEach(
              entry ->
                  out.append(TextBytes.encode(entry.getKey().stripTrailing()))
                      .append("\n-->COUNT ")
                      .append(entry.getValue())
                      .append("\n\n"));
      boolean unused = enough.complete(null);
    }
  }

  /** Renders lines in three parts: what is before the message, the message, the stacks. */
  private final class Chosen implements Renderer {
    private final Renderer inner;
    private final int before;
    private final int stacks;

    Chosen(Renderer inner, int before, int stacks) {
      this.inner = inner;
      this.before = before;
      this.stacks = stacks;
    }

    @Override
    public ValueFormat conversions() {
      return inner.conversions();
    }

    @Override
    public EventRenderer prepare(EventShape shape, EventValues values) {
      if (!(shape.form() instanceof EventShape.Form.Printf printf)
          || shape.items().size() < before + stacks) {
        return inner.prepare(shape, values);
      }
      int after = shape.items().size() - stacks;
      int end = shape.items().size();
      EventRenderer head = part(printf, shape, values, new Part(0, before, 0, before));
      EventRenderer message =
          part(printf, shape, values, new Part(before, after, before, after + 1));
      EventRenderer tail = part(printf, shape, values, new Part(after, end, after + 1, end + 1));
      return (out, memory, start) -> {
        int line = out.length();
        head.render(out, memory, start);
        int from = out.length();
        message.render(out, memory, start);
        boolean isWanted = part.isEmpty() || contains(out, from, part.get());
        tail.render(out, memory, start);
        take(out, line, isWanted);
      };
    }

    private EventRenderer part(
        EventShape.Form.Printf printf, EventShape shape, EventValues values, Part part) {
      String text = part.of(printf.format().pieces());
      if (text.isEmpty()) {
        return EventRenderer.NONE;
      }
      EventShape.Form form = new EventShape.Form.Printf(PrintfFormat.parse(text), printf.message());
      return inner.prepare(
          new EventShape(form, shape.items().subList(part.from(), part.to())),
          (item, memory, start) -> values.value(part.from() + item, memory, start));
    }

    @Override
    public boolean render(TextBuffer out, Result result) {
      return inner.render(out, result);
    }
  }

  private static boolean contains(TextBuffer out, int from, String part) {
    byte[] message = out.cut(from);
    out.append(message);
    return TextBytes.decode(message).contains(part);
  }

  /**
   * A part of a format: conversions from one index to another, and literals by the index of the
   * conversion after them.
   */
  private record Part(int from, int to, int firstLiteral, int endOfLiterals) {
    /** Returns the format of this part. */
    String of(List<PrintfFormat.Piece> pieces) {
      int next = 0;
      StringBuilder text = new StringBuilder();
      for (PrintfFormat.Piece piece : pieces) {
        if (piece instanceof PrintfFormat.Conversion conversion) {
          text.append(next >= from && next < to ? conversion.text() : "");
          next++;
        } else if (next >= firstLiteral && next < endOfLiterals) {
          text.append(((PrintfFormat.Literal) piece).text().replace("%", "%%"));
        }
      }
      return text.toString();
    }
  }
}
