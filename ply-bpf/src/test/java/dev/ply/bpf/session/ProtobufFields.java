package dev.ply.bpf.session;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the fields of a message in the wire format of Protocol Buffers, and refuses all else. */
final class ProtobufFields {
  /** A field: a number, a double or bytes. */
  record Field(int number, Object value) {}

  private final List<Field> fields = new ArrayList<>();

  private ProtobufFields(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      long tag = varint(bytes);
      int number = Math.toIntExact(tag >>> 3);
      if (number == 0) {
        throw new IllegalArgumentException("field 0");
      }
      switch ((int) tag & 7) {
        case 0 -> fields.add(new Field(number, varint(bytes)));
        case 1 -> fields.add(new Field(number, bytes.getDouble()));
        case 2 -> {
          int length = Math.toIntExact(varint(bytes));
          fields.add(new Field(number, bytes.slice(bytes.position(), length)));
          bytes.position(bytes.position() + length);
        }
        default -> throw new IllegalArgumentException("wire type " + (tag & 7));
      }
    }
  }

  static ProtobufFields of(byte[] bytes) {
    return new ProtobufFields(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  private static long varint(ByteBuffer bytes) {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      byte next = bytes.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number of more than 10 bytes");
  }

  private List<Object> all(int number) {
    return fields.stream().filter(one -> one.number() == number).map(Field::value).toList();
  }

  boolean has(int number) {
    return !all(number).isEmpty();
  }

  List<ProtobufFields> messages(int number) {
    return all(number).stream()
        .map(value -> ((ByteBuffer) value).duplicate().order(ByteOrder.LITTLE_ENDIAN))
        .map(ProtobufFields::new)
        .toList();
  }

  ProtobufFields message(int number) {
    return messages(number).get(0);
  }

  List<String> texts(int number) {
    return all(number).stream().map(value -> text((ByteBuffer) value)).toList();
  }

  String text(int number) {
    return texts(number).get(0);
  }

  private static String text(ByteBuffer bytes) {
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(bytes.duplicate());
      return text.toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not UTF-8", e);
    }
  }

  /** Returns the number of a field, 0 if it is missing. */
  long number(int number) {
    List<Object> found = all(number);
    return found.isEmpty() ? 0 : (Long) found.get(found.size() - 1);
  }

  List<Long> packed(int number) {
    List<Long> numbers = new ArrayList<>();
    for (Object value : all(number)) {
      ByteBuffer bytes = ((ByteBuffer) value).duplicate();
      while (bytes.hasRemaining()) {
        numbers.add(varint(bytes));
      }
    }
    return numbers;
  }
}
