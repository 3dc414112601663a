package dev.ply.btf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * BTF's records as they lie in memory. Opening finds where each record begins, and nothing else;
 * names are compared as offsets into the table of strings, where each stands once. Immutable.
 *
 * <pre>
 *   record:  name offset | flag (1) kind (5) … entries (16) | size or type | what the kind has
 * </pre>
 */
final class Btf {
  private static final int MAGIC = 0xeb9f;
  private static final int HEAD = 12;

  private final byte[] content;
  private final ByteBuffer bytes;
  private final int strings;
  private final int stringsEnd;

  /** Where each record begins, by its number; number 0 is void and has none. */
  private final int[] positions;

  private final int count;

  private Btf(
      byte[] content, ByteBuffer bytes, int strings, int stringsEnd, int[] positions, int count) {
    this.content = content;
    this.bytes = bytes;
    this.strings = strings;
    this.stringsEnd = stringsEnd;
    this.positions = positions;
    this.count = count;
  }

  static Btf open(byte[] content) {
    ByteBuffer bytes = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    if (content.length < 24 || (bytes.getShort(0) & 0xffff) != MAGIC) {
      bytes.order(ByteOrder.BIG_ENDIAN);
      if (content.length < 24 || (bytes.getShort(0) & 0xffff) != MAGIC) {
        throw new MalformedBtfException("no BTF: it does not begin with 0xeb9f");
      }
    }
    int header = bytes.getInt(4);
    int types = header + bytes.getInt(8);
    int typesEnd = types + bytes.getInt(12);
    int strings = header + bytes.getInt(16);
    int stringsEnd = strings + bytes.getInt(20);
    if (types < 0
        || typesEnd < types
        || typesEnd > content.length
        || strings < 0
        || stringsEnd < strings
        || stringsEnd > content.length) {
      throw new MalformedBtfException("BTF that ends before its sections do");
    }
    int[] positions = new int[1 << 16];
    int count = 1;
    for (int at = types; at < typesEnd; count++) {
      if (count == positions.length) {
        positions = Arrays.copyOf(positions, count * 2);
      }
      positions[count] = at;
      int info = bytes.getInt(at + 4);
      at += HEAD + BtfKind.of(info >>> 24 & 0x1f).tail(info & 0xffff);
    }
    return new Btf(content, bytes, strings, stringsEnd, positions, count);
  }

  /** Returns the number of the first record of that kind and name, 0 if there is none. */
  int find(BtfKind kind, String name) {
    int wanted = string(name);
    if (wanted < 0) {
      return 0;
    }
    for (int id = 1; id < count; id++) {
      if (bytes.getInt(positions[id]) == wanted && kind(id) == kind) {
        return id;
      }
    }
    return 0;
  }

  /** Returns the value of the first enumerator of that name. */
  OptionalLong enumerator(String name) {
    int wanted = string(name);
    if (wanted < 0) {
      return OptionalLong.empty();
    }
    for (int id = 1; id < count; id++) {
      BtfKind kind = kind(id);
      int words = kind == BtfKind.ENUM ? 2 : kind == BtfKind.ENUM64 ? 3 : 0;
      for (int i = 0; words > 0 && i < entries(id); i++) {
        if (word(id, i * words) == wanted) {
          long low = word(id, i * words + 1);
          boolean isSigned = flag(id);
          return OptionalLong.of(
              words == 3
                  ? (long) word(id, i * words + 2) << 32 | (low & 0xffff_ffffL)
                  : isSigned ? low : low & 0xffff_ffffL);
        }
      }
    }
    return OptionalLong.empty();
  }

  /** Returns where a string stands in the table, -1 if it does not. */
  private int string(String text) {
    byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
    int last = stringsEnd - wanted.length;
    for (int at = strings + 1; at < last; at++) {
      if (content[at - 1] == 0
          && content[at] == wanted[0]
          && content[at + wanted.length] == 0
          && Arrays.equals(content, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at - strings;
      }
    }
    return -1;
  }

  BtfKind kind(int id) {
    return id == 0 ? BtfKind.VOID : BtfKind.of(info(id) >>> 24 & 0x1f);
  }

  private int info(int id) {
    if (id < 0 || id >= count) {
      throw new MalformedBtfException("no record " + id);
    }
    return bytes.getInt(positions[id] + 4);
  }

  /** Returns how many entries a record has: members, parameters. */
  int entries(int id) {
    return info(id) & 0xffff;
  }

  /** Returns the flag of a record: of structures, that members may have bits for sizes. */
  boolean flag(int id) {
    return info(id) < 0;
  }

  String name(int id) {
    return id == 0 ? "" : text(bytes.getInt(positions[id]));
  }

  /** Returns the size of a record, or the type that it is about. */
  int sizeOrType(int id) {
    return bytes.getInt(positions[id] + 8);
  }

  /** Returns a 32-bit word of what follows a record's head. */
  int word(int id, int index) {
    return bytes.getInt(positions[id] + HEAD + index * Integer.BYTES);
  }

  String text(int offset) {
    int start = strings + offset;
    int end = start;
    while (end < stringsEnd && bytes.get(end) != 0) {
      end++;
    }
    return new String(content, start, end - start, StandardCharsets.UTF_8);
  }

  /** Returns the type itself, behind its other names and qualifiers. */
  int resolve(int id) {
    int type = id;
    while (kind(type).isTransparent()) {
      type = sizeOrType(type);
    }
    return type;
  }
}
