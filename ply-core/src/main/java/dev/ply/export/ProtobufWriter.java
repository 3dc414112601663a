package dev.ply.export;

import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import dev.ply.type.TextBytes;

/**
 * Writes the fields of a message in the wire format of Protocol Buffers. Fields are written as they
 * come, also those with default values.
 */
final class ProtobufWriter {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH_DELIMITED = 2;

  private final TextBuffer out;

  /** Creates a writer of a message of its own. */
  ProtobufWriter() {
    this(new TextBuffer());
  }

  /** Creates a writer that appends to a buffer. */
  ProtobufWriter(TextBuffer out) {
    this.out = out;
  }

  /** Writes a field of type int32, int64, uint32, uint64, bool or an enum. */
  ProtobufWriter number(int field, long value) {
    tag(field, VARINT);
    varint(value);
    return this;
  }

  /** Writes a field of type double. */
  ProtobufWriter real(int field, double value) {
    return fixed(field, Double.doubleToRawLongBits(value));
  }

  /** Writes a field of type fixed64. */
  ProtobufWriter fixed(int field, long value) {
    tag(field, FIXED64);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      out.append((byte) (value >>> shift));
    }
    return this;
  }

  /** Writes a field of type bytes. */
  ProtobufWriter bytes(int field, byte[] value) {
    tag(field, LENGTH_DELIMITED);
    varint(value.length);
    out.append(value);
    return this;
  }

  /** Writes a field of type string, with control characters and invalid bytes escaped. */
  ProtobufWriter text(int field, String value) {
    byte[] bytes = TextBytes.encode(Escapes.escape(value));
    tag(field, LENGTH_DELIMITED);
    varint(bytes.length);
    out.append(bytes);
    return this;
  }

  /** Writes a field that is a message. */
  ProtobufWriter message(int field, ProtobufWriter message) {
    tag(field, LENGTH_DELIMITED);
    varint(message.out.length());
    out.append(message.out);
    return this;
  }

  /** Writes a repeated field of numbers, packed. */
  ProtobufWriter packed(int field, long... values) {
    ProtobufWriter numbers = new ProtobufWriter();
    for (long value : values) {
      numbers.varint(value);
    }
    return message(field, numbers);
  }

  /** Returns the message. */
  byte[] toBytes() {
    return out.cut(0);
  }

  private void tag(int field, int type) {
    varint((long) field << 3 | type);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.append((byte) (rest | 0x80));
      rest >>>= 7;
    }
    out.append((byte) rest);
  }
}
