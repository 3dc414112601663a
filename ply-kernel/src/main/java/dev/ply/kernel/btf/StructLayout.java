package dev.ply.kernel.btf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * Finds where a member of a structure is, in one pass over the kernel's types: a trace that needs a
 * single offset does not wait for all of them to be read.
 */
public final class StructLayout {
  private static final short MAGIC = (short) 0xeb9f;
  private static final int HEADER = 24;
  private static final int STRUCT = 4;

  /**
   * Bytes that follow a type's 12, by its kind: a fixed number, and those of each of its parts.
   * Kinds: void, int, pointer, array, struct, union, enum, forward, typedef, volatile, const,
   * restrict, function, prototype, variable, section, float, declaration tag, type tag, enum64.
   */
  private static final int[] FIXED = {0, 4, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 0};

  private static final int[] PER_PART = {
    0, 0, 0, 0, 12, 12, 8, 0, 0, 0, 0, 0, 0, 8, 0, 12, 0, 0, 0, 12
  };

  private final ByteBuffer btf;
  private final int types;
  private final int strings;
  private final String text;

  /**
   * Takes the types in the format of {@code /sys/kernel/btf/vmlinux}.
   *
   * @throws IllegalArgumentException if it is another format
   */
  public StructLayout(byte[] bytes, ByteOrder order) {
    btf = ByteBuffer.wrap(bytes).order(order);
    if (bytes.length < HEADER || btf.getShort(0) != MAGIC) {
      throw new IllegalArgumentException("no BTF: it does not start with 0xeb9f");
    }
    int header = btf.getInt(4);
    types = header + btf.getInt(8);
    strings = header + btf.getInt(16);
    int end = strings + btf.getInt(20);
    if (types < HEADER || strings < types || end < strings || end > bytes.length) {
      throw new IllegalArgumentException("BTF ends before its strings do");
    }
    // One character for each byte: positions are the same.
    text = new String(bytes, strings, end - strings, StandardCharsets.ISO_8859_1);
  }

  /**
   * Returns the distance in bytes of a member from its structure's start; empty if there is no such
   * structure, or it has no such member of its own, or one that is a bit field.
   */
  public OptionalInt offset(String struct, String member) {
    // Every string is there once.
    int name = text.indexOf("\0" + struct + "\0") + 1;
    int at = types;
    while (name > 0 && at + 12 <= strings) {
      int info = btf.getInt(at + 4);
      int kind = info >>> 24 & 0x1f;
      if (kind >= FIXED.length) {
        return OptionalInt.empty();
      }
      int parts = info & 0xffff;
      if (kind == STRUCT && btf.getInt(at) == name) {
        return member(at + 12, parts, member, info < 0);
      }
      at += 12 + FIXED[kind] + parts * PER_PART[kind];
    }
    return OptionalInt.empty();
  }

  private OptionalInt member(int start, int count, String member, boolean hasBitFields) {
    for (int at = start; at < start + count * 12 && at + 12 <= strings; at += 12) {
      int name = btf.getInt(at);
      if (text.startsWith(member, name) && text.charAt(name + member.length()) == '\0') {
        int bits = hasBitFields ? btf.getInt(at + 8) & 0xff_ffff : btf.getInt(at + 8);
        boolean isBitField = hasBitFields && btf.getInt(at + 8) >>> 24 != 0;
        return isBitField || bits % 8 != 0 ? OptionalInt.empty() : OptionalInt.of(bits / 8);
      }
    }
    return OptionalInt.empty();
  }
}
