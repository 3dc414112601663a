package dev.ply.bpf.btf;

import java.util.List;

/** The kinds of BTF types (BTF_KIND_* in include/uapi/linux/btf.h). */
enum BtfKind {
  VOID(0, 0),
  INT(4, 0),
  PTR(0, 0),
  ARRAY(12, 0),
  STRUCT(0, 12),
  UNION(0, 12),
  ENUM(0, 8),
  FWD(0, 0),
  TYPEDEF(0, 0),
  VOLATILE(0, 0),
  CONST(0, 0),
  RESTRICT(0, 0),
  FUNC(0, 0),
  FUNC_PROTO(0, 8),
  VAR(4, 0),
  DATASEC(0, 12),
  FLOAT(0, 0),
  DECL_TAG(4, 0),
  TYPE_TAG(0, 0),
  ENUM64(0, 12);

  private static final List<BtfKind> ALL = List.of(values());
  private static final int[] FIXED = new int[ALL.size()];
  private static final int[] EACH = new int[ALL.size()];

  static {
    for (int i = 0; i < ALL.size(); i++) {
      FIXED[i] = ALL.get(i).fixed;
      EACH[i] = ALL.get(i).each;
    }
  }

  private final int fixed;
  private final int each;

  BtfKind(int fixed, int each) {
    this.fixed = fixed;
    this.each = each;
  }

  /** Returns the kind of a number. */
  static BtfKind of(int number) {
    if (number >= ALL.size()) {
      throw new MalformedBtfException("record of unknown kind " + number);
    }
    return ALL.get(number);
  }

  /** Returns the number of this kind. */
  int number() {
    return ALL.indexOf(this);
  }

  /** Returns the number of bytes after the header of a type of this kind. */
  static int tail(int number, int entries) {
    if (number >= FIXED.length) {
      return of(number).fixed;
    }
    return FIXED[number] + EACH[number] * entries;
  }

  /** Returns whether it is a modifier or typedef of another type. */
  boolean isTransparent() {
    return switch (this) {
      case TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG -> true;
      case VOID,
          INT,
          PTR,
          ARRAY,
          STRUCT,
          UNION,
          ENUM,
          FWD,
          FUNC,
          FUNC_PROTO,
          VAR,
          DATASEC,
          FLOAT,
          DECL_TAG,
          ENUM64 ->
          false;
    };
  }
}
