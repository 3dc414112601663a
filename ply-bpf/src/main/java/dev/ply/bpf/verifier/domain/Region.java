package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.object.BpfMap;
import dev.ply.type.Type.KernelStruct;

/** What a pointer points into. */
public sealed interface Region {
  /** The stack of the frame of that number, 0 for the program itself; offsets are negative. */
  record Stack(int frame) implements Region {
    @Override
    public boolean equals(Object other) {
      return other instanceof Stack stack && stack.frame == frame;
    }

    @Override
    public int hashCode() {
      return frame;
    }
  }

  /** The program's context: read-only memory of {@code size} bytes. */
  record Context(int size) implements Region {}

  /** A map itself, which can only be handed to helpers. */
  record Map(BpfMap map) implements Region {}

  /** A value of a map. */
  record MapValue(BpfMap map) implements Region {
    @Override
    public boolean equals(Object other) {
      return other instanceof MapValue value && value.map.equals(map);
    }

    @Override
    public int hashCode() {
      return map.hashCode();
    }
  }

  /**
   * A reserved record of a ring buffer.
   *
   * @param size bytes of the record
   * @param reference the number of the reservation, which must be given back
   */
  record RingRecord(long size, int reference) implements Region {}

  /** A key of a map, as functions that are called for each entry get it. */
  record MapKey(BpfMap map) implements Region {}

  /**
   * A function of the program, which only helpers can call.
   *
   * @param label its name
   * @param entry the index of its first instruction
   */
  record Function(String label, int entry) implements Region {}

  /**
   * A structure in the kernel whose members can be loaded.
   *
   * @param struct its type; of number 0 where what its members are is not known
   */
  record KernelObject(KernelStruct struct, Standing standing) implements Region {}

  /** How far the kernel vouches for a structure. */
  enum Standing {
    /** It was handed over by the kernel and is valid as long as the program runs. */
    TRUSTED,
    /** It is valid while RCU is held, which it is as long as the program runs. */
    RCU,
    /** It may be loaded from and handed to helpers, by the rules of before there were others. */
    PLAIN,
    /** It may only be loaded from. */
    UNTRUSTED,
    /** It is in the memory of the process. */
    USER,
    /** It is to be added to a CPU's own offset first. */
    PER_CPU
  }

  /** Something in the kernel that is no structure. */
  record KernelMemory() implements Region {}

  /** Returns the region's name in messages. */
  default String describe() {
    if (this instanceof Stack) {
      return "the stack";
    } else if (this instanceof Context context) {
      return "the " + context.size() + "-byte context";
    } else if (this instanceof Map map) {
      return "the map \"" + map.map().name() + "\"";
    } else if (this instanceof MapValue value) {
      return "the " + value.map().valueSize() + "-byte value of map \"" + value.map().name() + "\"";
    } else if (this instanceof RingRecord record) {
      return "the record of " + record.size() + " bytes";
    }
    if (this instanceof MapKey key) {
      return "the " + key.map().keySize() + "-byte key of map \"" + key.map().name() + "\"";
    } else if (this instanceof Function function) {
      return "the function " + function.label();
    }
    if (this instanceof KernelObject object) {
      String tag = object.struct().tag();
      return "the kernel's " + (tag.isEmpty() ? "structure" : tag);
    }
    return "memory of the kernel";
  }
}
