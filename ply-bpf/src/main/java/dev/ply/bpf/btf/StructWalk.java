package dev.ply.bpf.btf;

import dev.ply.bpf.btf.BtfTypes.Loads;
import dev.ply.bpf.btf.TypedLoad.Mark;
import dev.ply.type.Type.KernelStruct;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * Determines the type of a load from a structure, as the verifier does (btf_struct_walk in
 * kernel/bpf/btf.c): the first member that overlaps decides.
 */
final class StructWalk {
  private static final int MEMBER_WORDS = 3;
  private static final int POINTER_BYTES = 8;

  /** The suffix of structures that list trusted members of another. */
  private static final String SAFE = "__safe_";

  private final Btf btf;
  private final Loads loads;
  private final IntFunction<KernelStruct> structs;
  private final ToIntFunction<String> numbers;
  private final int outer;
  private final int size;

  /** Whether the path passed through a union. */
  private boolean isInUnion;

  /**
   * Creates a walk into a structure.
   *
   * @param structs returns the structure of an id
   * @param numbers returns the id of a structure's name, 0 if missing
   * @param outer the structure's id
   * @param size the size of the load in bytes
   */
  StructWalk(
      Btf btf,
      Loads loads,
      IntFunction<KernelStruct> structs,
      ToIntFunction<String> numbers,
      int outer,
      int size) {
    this.btf = btf;
    this.loads = loads;
    this.structs = structs;
    this.numbers = numbers;
    this.outer = outer;
    this.size = size;
  }

  /** Returns the type of a load at an offset in bytes. */
  TypedLoad at(long offset) {
    return at(outer, offset);
  }

  private TypedLoad at(int struct, long offset) {
    int members = btf.entries(struct);
    isInUnion |= btf.kind(struct) == BtfKind.UNION && members != 1;
    if (offset + size > btf.sizeOrType(struct)) {
      return beyond(struct, offset);
    }
    for (int i = nearest(struct, members, offset);
        i < members && offset + size > start(struct, i);
        i++) {
      if (bits(struct, i) != 0) {
        long end = (bitOffset(struct, i) + bits(struct, i) + Byte.SIZE - 1) / Byte.SIZE;
        if (offset <= start(struct, i) && end <= offset + size) {
          return new TypedLoad.PlainNumber();
        }
      } else if (offset < start(struct, i)) {
        break;
      } else if (offset < start(struct, i) + size(type(struct, i))) {
        return in(struct, i, offset);
      }
    }
    return new TypedLoad.Refused(bytes(offset) + " of " + name(struct) + " belong to no member");
  }

  /**
   * Returns the first member that can contain an offset: members are sorted by offset, and those of
   * a structure do not overlap.
   */
  private int nearest(int struct, int members, long offset) {
    int last = below(struct, members, offset + 1) - 1;
    return last < 0 ? 0 : below(struct, members, start(struct, last));
  }

  /** Returns the number of members that start before an offset. */
  private int below(int struct, int members, long offset) {
    int low = 0;
    int high = members;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (start(struct, middle) < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Only a flexible array member extends past the end. */
  private TypedLoad beyond(int struct, long offset) {
    int last = btf.entries(struct) - 1;
    if (last >= 0) {
      int array = type(struct, last);
      if (btf.kind(array) == BtfKind.ARRAY
          && btf.word(array, 2) == 0
          && offset >= start(struct, last)) {
        int element = btf.resolve(btf.word(array, 0));
        if (btf.kind(element) == BtfKind.INT && loads == Loads.LENIENT) {
          return new TypedLoad.PlainNumber();
        }
        if (isStruct(element) && btf.sizeOrType(element) > 0) {
          return at(element, (offset - start(struct, last)) % btf.sizeOrType(element));
        }
      }
    }
    return new TypedLoad.Refused(
        bytes(offset)
            + " are outside "
            + name(struct)
            + ", which has "
            + btf.sizeOrType(struct)
            + " bytes");
  }

  private TypedLoad in(int struct, int member, long offset) {
    long start = start(struct, member);
    int type = type(struct, member);
    long end = start + size(type);
    boolean isRenamed = false;
    while (btf.kind(type) == BtfKind.ARRAY) {
      int element = btf.word(type, 0);
      type = btf.resolve(element);
      isRenamed = type != element;
    }
    long within = (offset - start) % size(type);
    if (isStruct(type)) {
      return isRenamed && loads == Loads.STRICT
          ? new TypedLoad.Refused(
              bytes(offset)
                  + " of "
                  + name(struct)
                  + " are in an array of a typedef, which no kernel before Linux 6.6 looks into")
          : at(type, within);
    }
    String name = btf.text(btf.word(struct, member * MEMBER_WORDS));
    if (btf.kind(type) == BtfKind.PTR) {
      return within == 0 && size == POINTER_BYTES
          ? pointer(type, name)
          : new TypedLoad.Refused(
              bytes(offset)
                  + " of "
                  + name(struct)
                  + " are not all of the address \""
                  + name
                  + "\" at "
                  + (offset - within));
    }
    return offset + size <= end || (isInUnion && loads == Loads.LENIENT)
        ? new TypedLoad.PlainNumber()
        : new TypedLoad.Refused(
            bytes(offset)
                + " of "
                + name(struct)
                + " reach beyond its member \""
                + name
                + "\", which ends at "
                + end);
  }

  private TypedLoad pointer(int pointer, String member) {
    int target = btf.resolve(btf.sizeOrType(pointer));
    return isStruct(target)
        ? new TypedLoad.ObjectPointer(structs.apply(target), mark(pointer, target, member))
        : new TypedLoad.OtherPointer();
  }

  private Mark mark(int pointer, int target, String member) {
    Mark tag = tag(btf, pointer);
    if (tag == Mark.USER || tag == Mark.PER_CPU) {
      return tag;
    } else if (isListed("rcu_or_null", target, member)) {
      return Mark.SAFE_RCU_OR_NULL;
    } else if (isInUnion) {
      return Mark.IN_UNION;
    } else if (isListed("trusted", target, member)) {
      return Mark.SAFE;
    } else if (isListed("trusted_or_null", target, member)) {
      return Mark.SAFE_OR_NULL;
    } else if (isListed("rcu", target, member)) {
      return Mark.SAFE_RCU;
    }
    return tag;
  }

  /** Returns whether the kernel lists a member as trusted. */
  private boolean isListed(String trust, int target, String member) {
    int list = numbers.applyAsInt(btf.name(outer) + SAFE + trust);
    for (int i = 0; list != 0 && i < btf.entries(list); i++) {
      int type = type(list, i);
      if (btf.text(btf.word(list, i * MEMBER_WORDS)).equals(member)
          && btf.kind(type) == BtfKind.PTR
          && btf.resolve(btf.sizeOrType(type)) == target) {
        return true;
      }
    }
    return false;
  }

  /** Returns the tag of a pointer's target. */
  static Mark tag(Btf btf, int pointer) {
    int tag = btf.sizeOrType(pointer);
    // Those with kind_flag are compiler attributes.
    if (btf.kind(tag) != BtfKind.TYPE_TAG || btf.flag(tag)) {
      return Mark.NONE;
    }
    return switch (btf.name(tag)) {
      case "user" -> Mark.USER;
      case "percpu" -> Mark.PER_CPU;
      case "rcu" -> Mark.RCU;
      default -> Mark.NONE;
    };
  }

  private boolean isStruct(int id) {
    return btf.kind(id) == BtfKind.STRUCT || btf.kind(id) == BtfKind.UNION;
  }

  private int type(int struct, int member) {
    return btf.resolve(btf.word(struct, member * MEMBER_WORDS + 1));
  }

  private long size(int id) {
    return switch (btf.kind(id)) {
      case PTR -> POINTER_BYTES;
      case ARRAY -> size(btf.resolve(btf.word(id, 0))) * btf.word(id, 2);
      case INT, STRUCT, UNION, ENUM, ENUM64, FLOAT -> btf.sizeOrType(id);
      case VOID,
          FWD,
          TYPEDEF,
          VOLATILE,
          CONST,
          RESTRICT,
          FUNC,
          FUNC_PROTO,
          VAR,
          DATASEC,
          DECL_TAG,
          TYPE_TAG ->
          0;
    };
  }

  private long start(int struct, int member) {
    return bitOffset(struct, member) / Byte.SIZE;
  }

  private long bitOffset(int struct, int member) {
    int offset = btf.word(struct, member * MEMBER_WORDS + 2);
    return btf.flag(struct) ? offset & 0xff_ffff : Integer.toUnsignedLong(offset);
  }

  private int bits(int struct, int member) {
    return btf.flag(struct) ? btf.word(struct, member * MEMBER_WORDS + 2) >>> 24 : 0;
  }

  private String bytes(long offset) {
    return (size == 1 ? "1 byte" : size + " bytes") + " at offset " + offset;
  }

  private String name(int struct) {
    String kind = btf.kind(struct) == BtfKind.UNION ? "union" : "struct";
    return btf.name(struct).isEmpty() ? "an unnamed " + kind : kind + " " + btf.name(struct);
  }
}
