package dev.ply.bpf.btf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * BTF's records as they lie in memory. Where each begins is found as far as it is asked for: of a
 * hundred thousand records the best known stand among the first. A module's records and strings go
 * on where the kernel's end, and refer to these. Thread-safe.
 *
 * <pre>
 *   record:  name offset | flag (1) kind (5) … entries (16) | size or type | what the kind has
 * </pre>
 */
final class Btf {
  private static final int MAGIC = 0xeb9f;
  private static final int HEAD = 12;
  private static final int SMALLEST = 24;

  private final BtfContent content;
  private final int typesEnd;
  private final int strings;
  private final int stringsEnd;

  /** What a module's goes on from: has all records before {@code first}. */
  private final Optional<Btf> base;

  /** The number of the first own record, and the offset of the first own string. */
  private final int first;

  private final int firstString;

  /** Where each own record begins, counted from 1. */
  private volatile int[] positions = new int[1 << 12];

  /** How many of these are known; written after them. */
  private volatile int known = 1;

  /** Where the first record begins that is not known. */
  private int next;

  private Btf(
      BtfContent content,
      int types,
      int typesEnd,
      int strings,
      int stringsEnd,
      Optional<Btf> base) {
    this.content = content;
    this.next = types;
    this.typesEnd = typesEnd;
    this.strings = strings;
    this.stringsEnd = stringsEnd;
    this.base = base;
    this.first = base.map(Btf::end).orElse(1);
    this.firstString =
        base.map(kernel -> kernel.firstString + kernel.stringsEnd - kernel.strings).orElse(0);
  }

  static Btf open(BtfContent content) {
    return open(content, Optional.empty());
  }

  /** Opens what a module adds to this. */
  Btf openModule(BtfContent module) {
    return open(module, Optional.of(this));
  }

  private static Btf open(BtfContent content, Optional<Btf> base) {
    if (content.size() < SMALLEST || content.magic() != MAGIC) {
      throw new MalformedBtfException("no BTF: it does not begin with 0xeb9f");
    }
    int header = content.word(4);
    int types = header + content.word(8);
    int typesEnd = types + content.word(12);
    int strings = header + content.word(16);
    int stringsEnd = strings + content.word(20);
    if (types < 0
        || types % Integer.BYTES != 0
        || typesEnd < types
        || typesEnd > content.size()
        || strings < 0
        || stringsEnd < strings
        || stringsEnd > content.size()) {
      throw new MalformedBtfException("BTF that ends before its sections do");
    }
    return new Btf(content, types, typesEnd, strings, stringsEnd, base);
  }

  /** Returns the number behind the last. */
  private int end() {
    int own = known;
    while (has(own)) {
      own = known;
    }
    return own + first - 1;
  }

  /** Returns whether there is that own record, counted from 1. */
  private boolean has(int own) {
    return own < known || find(own);
  }

  private synchronized boolean find(int own) {
    int[] found = positions;
    int count = known;
    // A few more: the next questions are about those.
    for (int end = own + found.length / 2; count <= end && next < typesEnd; count++) {
      if (count == found.length) {
        found = Arrays.copyOf(found, count * 2);
      }
      if (next + HEAD > typesEnd) {
        throw new MalformedBtfException("BTF that ends within a record");
      }
      found[count] = next;
      next = behind(next);
    }
    positions = found;
    known = count;
    return own < count;
  }

  /**
   * Returns where the record behind another begins. What loops over all records do with each is in
   * methods, for a runtime that compiles these long before it does the loop.
   */
  private int behind(int position) {
    int info = at(position + 4);
    return position + HEAD + BtfKind.tail(info >>> 24 & 0x1f, info & 0xffff);
  }

  /** Returns the word that stands so many bytes behind a record's beginning. */
  private int field(int id, int offset) {
    if (id < first && base.isPresent()) {
      return base.get().field(id, offset);
    }
    int own = id - first + 1;
    if (own < 1 || !has(own)) {
      throw new MalformedBtfException("no record " + id);
    }
    return at(positions[own] + offset);
  }

  /** Returns the number of the first own record. */
  int first() {
    return first;
  }

  private int at(int position) {
    return content.word(position);
  }

  /** Returns the number of the first own record of that kind and name, 0 if there is none. */
  int find(BtfKind kind, String name) {
    byte[] wanted = terminated(name);
    int number = kind.number();
    for (int own = 1; has(own); ) {
      int[] found = positions;
      for (int end = known; own < end; own++) {
        if (is(found[own], number, wanted)) {
          return own + first - 1;
        }
      }
    }
    return 0;
  }

  private boolean is(int position, int kind, byte[] name) {
    return (at(position + 4) >>> 24 & 0x1f) == kind && isText(at(position), name);
  }

  /** Returns the value of the first own enumerator of that name. */
  OptionalLong enumerator(String name) {
    byte[] wanted = terminated(name);
    for (int own = 1; has(own); own++) {
      int id = own + first - 1;
      BtfKind kind = kind(id);
      int words = kind == BtfKind.ENUM ? 2 : kind == BtfKind.ENUM64 ? 3 : 0;
      for (int i = 0; words > 0 && i < entries(id); i++) {
        if (isText(word(id, i * words), wanted)) {
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

  /** Returns a text as it lies in memory. */
  static byte[] terminated(String text) {
    return (text + '\0').getBytes(StandardCharsets.UTF_8);
  }

  /** Returns whether that terminated text stands at an offset. */
  boolean isText(int offset, byte[] wanted) {
    if (offset < firstString && base.isPresent()) {
      return base.get().isText(offset, wanted);
    }
    int start = strings + offset - firstString;
    int end = start + wanted.length;
    return start >= strings && end <= stringsEnd && content.has(start, wanted);
  }

  BtfKind kind(int id) {
    return id == 0 ? BtfKind.VOID : BtfKind.of(info(id) >>> 24 & 0x1f);
  }

  private int info(int id) {
    return field(id, 4);
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
    return id == 0 ? "" : text(field(id, 0));
  }

  /** Returns the size of a record, or the type that it is about. */
  int sizeOrType(int id) {
    return field(id, 8);
  }

  /** Returns a 32-bit word of what follows a record's head. */
  int word(int id, int index) {
    return field(id, HEAD + index * Integer.BYTES);
  }

  String text(int offset) {
    if (offset < firstString && base.isPresent()) {
      return base.get().text(offset);
    }
    return content.text(strings + offset - firstString, stringsEnd);
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
