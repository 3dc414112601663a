package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.object.BpfMap;

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
   * A kernel object whose fields can be loaded; what the loads give is not followed.
   *
   * @param type the name of its structure, {@code task_struct}
   */
  record KernelObject(String type) implements Region {}

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
    return "the kernel's " + ((KernelObject) this).type();
  }
}
