package dev.ply.bpf.btf;

import dev.ply.type.Enumerators;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
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

  /** The BTF that a module's continues: it has all types before {@code first}. */
  private final Optional<Btf> base;

  /** The id of the first own type, and the offset of the first own string. */
  private final int first;

  private final int firstString;

  /** The position of each own type, counted from 1. */
  private volatile int[] positions = new int[1 << 12];

  /** The number of known positions; written after them. */
  private volatile int known = 1;

  /** The position of the first unknown type. */
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

  /** Opens a module's BTF on top of this. */
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

  /** Returns the id after the last. */
  int end() {
    int own = known;
    while (has(own)) {
      own = known;
    }
    return own + first - 1;
  }

  /** Returns whether an own type exists, counted from 1. */
  private boolean has(int own) {
    return own < known || find(own);
  }

  private synchronized boolean find(int own) {
    int[] found = positions;
    int count = known;
    // A few more: the next queries are likely for those.
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
   * Returns the position of the next type. The bodies of loops over all types are methods, which a
   * JVM compiles long before the loops.
   */
  private int behind(int position) {
    int info = at(position + 4);
    return position + HEAD + BtfKind.tail(info >>> 24 & 0x1f, info & 0xffff);
  }

  /** Returns a word of a type, at an offset in bytes. */
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

  /** Returns the id of the first own type. */
  int first() {
    return first;
  }

  private int at(int position) {
    return content.word(position);
  }

  /** Returns the first own type of this kind and name, 0 if missing. */
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

  /** Returns the ids of all own types of this kind by name; the first if a name repeats. */
  Map<String, Integer> named(BtfKind kind) {
    Map<String, Integer> ids = new HashMap<>();
    int end = end();
    for (int id = first; id < end; id++) {
      if (kind(id) == kind) {
        ids.putIfAbsent(name(id), id);
      }
    }
    return ids;
  }

  private boolean is(int position, int kind, byte[] name) {
    return (at(position + 4) >>> 24 & 0x1f) == kind && isText(at(position), name);
  }

  /** Returns the value of the first own enumerator of this name. */
  OptionalLong enumerator(String name) {
    byte[] wanted = terminated(name);
    for (int own = 1; has(own); own++) {
      int id = own + first - 1;
      BtfKind kind = kind(id);
      int words = kind == BtfKind.ENUM ? 2 : kind == BtfKind.ENUM64 ? 3 : 0;
      for (int i = 0; words > 0 && i < entries(id); i++) {
        if (isText(word(id, i * words), wanted)) {
          return OptionalLong.of(value(id, i));
        }
      }
    }
    return OptionalLong.empty();
  }

  /** Returns the value of an enumerator of an enumeration, by its index. */
  private long value(int enumeration, int index) {
    boolean isWide = kind(enumeration) == BtfKind.ENUM64;
    int at = index * (isWide ? 3 : 2);
    long low = word(enumeration, at + 1);
    if (isWide) {
      return ((long) word(enumeration, at + 2) << 32) | (low & 0xffff_ffffL);
    }
    return flag(enumeration) ? low : low & 0xffff_ffffL;
  }

  /** Returns the names of an enumeration. */
  Enumerators enumerators(int enumeration) {
    int words = kind(enumeration) == BtfKind.ENUM64 ? 3 : 2;
    Map<Long, String> names = new HashMap<>();
    for (int i = 0; i < entries(enumeration); i++) {
      names.putIfAbsent(value(enumeration, i), text(word(enumeration, i * words)));
    }
    return new Enumerators(name(enumeration), names);
  }

  /** Returns a NUL-terminated string. */
  static byte[] terminated(String text) {
    return (text + '\0').getBytes(StandardCharsets.UTF_8);
  }

  /** Returns whether a NUL-terminated string is at an offset. */
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

  /** Returns the number of entries of a type ({@code vlen}): members, parameters. */
  int entries(int id) {
    return info(id) & 0xffff;
  }

  /** Returns {@code kind_flag}: of structures, whether members can be bit-fields. */
  boolean flag(int id) {
    return info(id) < 0;
  }

  String name(int id) {
    return id == 0 ? "" : text(field(id, 0));
  }

  /** Returns the size of a type, or the type it refers to. */
  int sizeOrType(int id) {
    return field(id, 8);
  }

  /** Returns a 32-bit word after a type's header. */
  int word(int id, int index) {
    return field(id, HEAD + index * Integer.BYTES);
  }

  String text(int offset) {
    if (offset < firstString && base.isPresent()) {
      return base.get().text(offset);
    }
    return content.text(strings + offset - firstString, stringsEnd);
  }

  /** Returns the type without typedefs and qualifiers. */
  int resolve(int id) {
    int type = id;
    while (kind(type).isTransparent()) {
      type = sizeOrType(type);
    }
    return type;
  }
}
