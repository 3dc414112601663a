package dev.ply.bpf.decode;

import dev.ply.table.Datum;
import dev.ply.type.Signedness;
import dev.ply.type.StructField;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.TupleType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes values by the layout of their types, as programs store them. */
public final class DatumWriter {
  private DatumWriter() {}

  /**
   * Writes a number, a string or a datum.
   *
   * @param what the subject of error messages
   * @param bytes zeroed, in the target's byte order
   * @throws IllegalArgumentException if the type does not have the value
   */
  public static void write(String what, Type type, Object value, ByteBuffer bytes, int offset) {
    if (value instanceof Datum datum) {
      write(what, type, plain(datum), bytes, offset);
    } else if (type instanceof IntType integer && value instanceof Number number) {
      integer(what, integer, number.longValue(), bytes, offset);
    } else if (type instanceof PointerType && value instanceof Number number) {
      bytes.putLong(offset, number.longValue());
    } else if (type instanceof ArrayType array && array.isText() && value instanceof String text) {
      text(what, array, TextBytes.encode(text), bytes, offset);
    } else if (type instanceof ArrayType array && array.isText() && value instanceof byte[] text) {
      text(what, array, text, bytes, offset);
    } else if (type instanceof TupleType tuple && value instanceof List<?> parts) {
      fields(what, tuple.layout(), parts, bytes, offset);
    } else {
      throw new IllegalArgumentException(what + " is set " + source(type));
    }
  }

  private static Object plain(Datum datum) {
    if (datum instanceof Datum.Int integer) {
      return integer.value();
    }
    if (datum instanceof Datum.Address address) {
      return address.value();
    }
    if (datum instanceof Datum.Text text) {
      int end = text.bytes().indexOf('\0');
      String all = text.bytes();
      return (end < 0 ? all : all.substring(0, end)).getBytes(StandardCharsets.ISO_8859_1);
    }
    if (datum instanceof Datum.Struct struct) {
      return struct.fields();
    }
    return datum instanceof Datum.Tuple tuple ? tuple.elements() : Void.class;
  }

  private static String source(Type type) {
    if (type.isScalar()) {
      return "from a number";
    }
    return type.isText() ? "from a string" : "by programs only";
  }

  /** Writes the fields of a key or a tuple, one value for each. */
  public static void fields(
      String what, StructType layout, List<?> values, ByteBuffer bytes, int offset) {
    if (values.size() != layout.fields().size()) {
      throw new IllegalArgumentException(
          what + " has " + layout.fields().size() + " parts, not " + values.size());
    }
    for (int i = 0; i < values.size(); i++) {
      StructField field = layout.fields().get(i);
      write(what + ", part " + i, field.type(), values.get(i), bytes, offset + field.offset());
    }
  }

  private static void integer(String what, IntType type, long value, ByteBuffer bytes, int offset) {
    int bits = type.bytes() * Byte.SIZE;
    if (bits < Long.SIZE) {
      boolean signed = type.signedness() == Signedness.SIGNED;
      long least = signed ? -1L << (bits - 1) : 0;
      long most = (1L << (signed ? bits - 1 : bits)) - 1;
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            what + " holds " + least + " to " + most + ", not " + value);
      }
    }
    switch (type.bytes()) {
      case 1 -> bytes.put(offset, (byte) value);
      case 2 -> bytes.putShort(offset, (short) value);
      case 4 -> bytes.putInt(offset, (int) value);
      default -> bytes.putLong(offset, value);
    }
  }

  private static void text(String what, ArrayType type, byte[] text, ByteBuffer bytes, int offset) {
    if (text.length >= type.length()) {
      throw new IllegalArgumentException(
          what + " has strings of " + (type.length() - 1) + " bytes at most, not " + text.length);
    }
    bytes.put(offset, text);
  }
}
