package dev.ply.bpf.isa;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.Locale;
import java.util.Optional;

/**
 * One way to fill the fields behind an opcode: each field is free or has a value that it must have.
 *
 * @param free the fields that hold operands
 * @param fixed the values of other fields that tell this format from others of the same opcode;
 *     fields in neither set are unused and must be zero
 * @param builder makes the instruction from the free fields
 */
record Format(ImmutableSet<Field> free, ImmutableMap<Field, Integer> fixed, Builder builder) {
  /** The fields of a slot. */
  enum Field {
    DST,
    SRC,
    OFFSET,
    IMMEDIATE;

    int of(Slot slot) {
      return switch (this) {
        case DST -> slot.dst();
        case SRC -> slot.src();
        case OFFSET -> slot.offset();
        case IMMEDIATE -> slot.immediate();
      };
    }

    boolean isRegister() {
      return this == DST || this == SRC;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a builder may ask about the surroundings of its slot. */
  interface Surroundings {
    /** Returns the label {@code distance} slots after the next slot. */
    Label target(int distance);

    /** Returns the immediate field of the second slot of a wide instruction. */
    int nextImmediate();

    /** Rejects a second immediate other than zero. */
    void requireNoNextImmediate();

    /** Returns the name of the map with that descriptor. */
    String map(int descriptor);
  }

  /** Makes an instruction from a slot that has the format. */
  @FunctionalInterface
  interface Builder {
    Instruction build(Slot slot, Surroundings surroundings);
  }

  /** Returns a format without fixed fields. */
  static Format of(Builder builder, Field... free) {
    return new Format(ImmutableSet.copyOf(free), ImmutableMap.of(), builder);
  }

  /** Returns this format with one more fixed field. */
  Format with(Field field, int value) {
    ImmutableMap<Field, Integer> all =
        ImmutableMap.<Field, Integer>builder().putAll(fixed).put(field, value).buildOrThrow();
    return new Format(free, all, builder);
  }

  /** Returns the first field whose value this format does not have, if there is one. */
  Optional<Field> mismatch(Slot slot) {
    for (Field field : Field.values()) {
      boolean matches =
          free.contains(field)
              ? !field.isRegister() || field.of(slot) <= Register.R10.number()
              : field.of(slot) == fixed.getOrDefault(field, 0);
      if (!matches) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }
}
