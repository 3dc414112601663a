package dev.ply.json;

import dev.ply.table.Datum;
import dev.ply.table.ValueFormat;
import dev.ply.text.Escaping;
import dev.ply.text.TextBuffer;
import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;

/** Writes values between the quotes of a format: the content of JSON strings. */
record JsonContent(JsonValues json) implements ValueFormat {
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
