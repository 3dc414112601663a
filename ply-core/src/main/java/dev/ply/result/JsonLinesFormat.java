package dev.ply.result;

import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Lines of JSON whose objects the formats of {@code printf} write: {@code %s} and {@code %c} write
 * the content of a JSON string, quoted strings write themselves, {@code null} if unreadable.
 *
 * @param json how everything else is written
 */
record JsonLinesFormat(JsonFormat json) implements TextRenderer {
  @Override
  public ValueFormat values() {
    return json.values();
  }

  @Override
  public ValueFormat conversions() {
    return new Content(json.values());
  }

  @Override
  public Frame frame(int count) {
    return json.frame(count);
  }

  @Override
  public String withoutArguments(PrintfFormat format) {
    return format.literal();
  }

  @Override
  public void complete(TextBuffer out, int start, Message message) {
    if (message != Message.PRINTF && message != Message.TIME) {
      json.complete(out, start, message);
    }
  }

  @Override
  public void appendMap(TextBuffer out, NamedTable map) {
    json.appendMap(out, map);
  }

  @Override
  public Table<Datum> largest(Table<Datum> table, int count) {
    return Table.last(table, RowOrder.bySize(table), count);
  }

  @Override
  public void appendMaps(TextBuffer out, List<NamedTable> maps) {
    json.appendMaps(out, maps);
  }

  @Override
  public boolean render(TextBuffer out, Result result) {
    return json.render(out, result);
  }

  /** Writes values between the quotes of a format. */
  private record Content(JsonValues json) implements ValueFormat {
    @Override
    public ValueFormat raw() {
      return json;
    }

    @Override
    public Escaping escaping() {
      return Escaping.JSON;
    }

    @Override
    public void append(TextBuffer out, Datum datum) {
      json.append(out, datum);
    }

    @Override
    public void appendInt(TextBuffer out, long value, IntType type) {
      json.appendInt(out, value, type);
    }

    @Override
    public void appendAddress(TextBuffer out, long address) {
      json.appendAddress(out, address);
    }

    @Override
    public void appendSymbol(TextBuffer out, long address) {
      json.appendSymbol(out, address);
    }

    @Override
    public void appendText(TextBuffer out, ByteBuffer bytes, int start, int size) {
      json.appendText(out, bytes, start, size);
    }
  }
}
