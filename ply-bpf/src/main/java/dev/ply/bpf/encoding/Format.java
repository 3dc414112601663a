package dev.ply.bpf.encoding;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import java.util.Locale;
import java.util.Optional;

/**
 * One encoding of an opcode: which fields are operands and which have a fixed value.
 *
 * @param free the operand fields
 * @param fixed the values that distinguish formats of one opcode; fields in neither set must be 0
 * @param builder creates the instruction from the operands
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

  /** The context of a slot in its program. */
  interface SlotContext {
    /** Returns the label at {@code distance} slots past the next slot. */
    Label target(int distance);

    /** Returns the immediate of the second slot of a wide instruction. */
    int nextImmediate();

    /** Rejects a non-zero immediate in the second slot. */
    void requireNoNextImmediate();

    /** Returns the name of the map with descriptor {@code descriptor}. */
    String map(int descriptor);
  }

  /** Creates the instruction of a slot in this format. */
  @FunctionalInterface
  interface Builder {
    Instruction build(Slot slot, SlotContext context);
  }

  /** Returns a format without fixed fields; {@code free} are the operands. */
  static Format of(Builder builder, Field... free) {
    return new Format(ImmutableSet.copyOf(free), ImmutableMap.of(), builder);
  }

  /** Returns this format with {@code field} fixed to {@code value}. */
  Format with(Field field, int value) {
    ImmutableMap<Field, Integer> all =
        ImmutableMap.<Field, Integer>builder().putAll(fixed).put(field, value).buildOrThrow();
    return new Format(free, all, builder);
  }

  /** Returns the first field that does not match this format, or empty if the slot matches. */
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
