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
  private final boolean isBigEndian;
  private final int strings;
  private final int stringsEnd;

  /** Where each record begins, by its number; number 0 is void and has none. */
  private final int[] positions;

  private final int count;

  private Btf(
      byte[] content,
      boolean isBigEndian,
      int strings,
      int stringsEnd,
      int[] positions,
      int count) {
    this.content = content;
    this.isBigEndian = isBigEndian;
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
    boolean isBigEndian = bytes.order() == ByteOrder.BIG_ENDIAN;
    int[] positions = new int[1 << 16];
    int count = 1;
    for (int at = types; at < typesEnd; count++) {
      if (count == positions.length) {
        positions = Arrays.copyOf(positions, count * 2);
      }
      positions[count] = at;
      int info = word(content, at + 4, isBigEndian);
      at += HEAD + BtfKind.tail(info >>> 24 & 0x1f, info & 0xffff);
    }
    return new Btf(content, isBigEndian, strings, stringsEnd, positions, count);
  }

  /** Hundreds of thousands are read before a cold machine has compiled a buffer's methods. */
  private static int word(byte[] content, int at, boolean isBigEndian) {
    int word =
        (content[at] & 0xff)
            | ((content[at + 1] & 0xff) << 8)
            | ((content[at + 2] & 0xff) << 16)
            | (content[at + 3] << 24);
    return isBigEndian ? Integer.reverseBytes(word) : word;
  }

  private int at(int position) {
    return word(content, position, isBigEndian);
  }

  /** Returns the number of the first record of that kind and name, 0 if there is none. */
  int find(BtfKind kind, String name) {
    int wanted = string(name);
    if (wanted < 0) {
      return 0;
    }
    int number = kind.number();
    for (int id = 1; id < count; id++) {
      int position = positions[id];
      if (at(position) == wanted && (at(position + 4) >>> 24 & 0x1f) == number) {
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
                  ? ((long) word(id, i * words + 2) << 32) | (low & 0xffff_ffffL)
                  : isSigned ? low : low & 0xffff_ffffL);
        }
      }
    }
    return OptionalLong.empty();
  }

  /**
   * Returns where a string stands in the table, -1 if it does not. The table has millions of bytes:
   * after each look at one, as many are skipped as the text allows (Horspool's algorithm).
   */
  private int string(String text) {
    byte[] wanted = ("\0" + text + "\0").getBytes(StandardCharsets.UTF_8);
    int last = wanted.length - 1;
    int[] skips = new int[1 << Byte.SIZE];
    Arrays.fill(skips, wanted.length);
    for (int i = 0; i < last; i++) {
      skips[wanted[i] & 0xff] = last - i;
    }
    for (int end = strings + last; end < stringsEnd; end += skips[content[end] & 0xff]) {
      int start = end - last;
      if (content[end] == 0 && Arrays.equals(content, start, end + 1, wanted, 0, wanted.length)) {
        return start + 1 - strings;
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
    return at(positions[id] + 4);
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
    return id == 0 ? "" : text(at(positions[id]));
  }

  /** Returns the size of a record, or the type that it is about. */
  int sizeOrType(int id) {
    return at(positions[id] + 8);
  }

  /** Returns a 32-bit word of what follows a record's head. */
  int word(int id, int index) {
    return at(positions[id] + HEAD + index * Integer.BYTES);
  }

  String text(int offset) {
    int start = strings + offset;
    int end = start;
    while (end < stringsEnd && content[end] != 0) {
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
