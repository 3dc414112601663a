package dev.ply.render;

import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventValues;
import dev.ply.result.Message;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.result.TraceLine;
import dev.ply.table.NamedTable;
import dev.ply.table.ValueFormat;
import dev.ply.text.Escaping;
import dev.ply.text.PrintfFormat;
import dev.ply.text.TextBuffer;
import dev.ply.type.TextBytes;
import java.nio.ByteBuffer;
import java.util.List;

/** A layout that writes events as lines of values. */
public interface TextRenderer extends Renderer {
  /** Returns the format of values in {@code print}, whole maps excepted. */
  ValueFormat values();

  /**
   * Returns the text around the values of one {@code print}.
   *
   * @param count the number of values, at least 1
   */
  Frame frame(int count);

  /**
   * Returns what writes a value of one {@code print} with what belongs to it, such as blanks up to
   * the width of its column.
   *
   * @param index of the value, from 0
   * @param count the number of values
   * @param item the value
   * @param value writes it alone
   */
  default EventRenderer cell(int index, int count, EventShape.Item item, EventRenderer value) {
    return value;
  }

  /** Returns the output of a {@code printf} without arguments. */
  String withoutArguments(PrintfFormat format);

  /** Completes the output of a function, from {@code start} to the end of {@code out}. */
  void complete(TextBuffer out, int start, Message message);

  /** Returns the format that writes the hits of a probe event. */
  default PrintfFormat traceFormat(TraceLine line) {
    return PrintfFormat.parse(line.textFormat());
  }

  /** Returns the format of values in lines of probe events. */
  default ValueFormat traceValues() {
    return conversions();
  }

  /** Writes a map printed alone by {@code print}. */
  void appendMap(TextBuffer out, NamedTable map);

  /** Writes all maps at the end of the trace, given in script order. */
  void appendMaps(TextBuffer out, List<NamedTable> maps);

  @Override
  default EventRenderer prepare(EventShape shape, EventValues values) {
    return EventLine.of(shape, values, this);
  }

  @Override
  default boolean render(TextBuffer out, Result result) {
    return result.accept(new TextResults(out, this));
  }

  /**
   * Writes text of any origin: newlines and tabs as they are, other control characters escaped.
   *
   * @param message the function that it comes from
   */
  default void appendText(TextBuffer out, String text, Message message) {
    int start = out.length();
    Escaping escaping =
        conversions().escaping() == Escaping.NONE ? Escaping.NONE : Escaping.ALL_BUT_LINES;
    byte[] bytes = TextBytes.encode(text);
    escaping.append(out, ByteBuffer.wrap(bytes), 0, bytes.length);
    complete(out, start, message);
  }

  /**
   * The text before, between and after the values of one {@code print}.
   *
   * @param begin before the first value
   * @param separator between two values
   * @param end after the last value
   */
  record Frame(String begin, String separator, String end) {}
}
