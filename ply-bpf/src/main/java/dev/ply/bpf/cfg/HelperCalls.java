package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.HelperSignature.Parameter;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.WideSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** The effect of helper calls on registers, stack and memory, by their signatures. */
final class HelperCalls {
  private final ValueTable table;
  private final Function<String, Optional<MapSizes>> maps;

  /**
   * Creates the effects for one program.
   *
   * @param maps returns the sizes of a map by name, if known
   */
  HelperCalls(ValueTable table, Function<String, Optional<MapSizes>> maps) {
    this.table = table;
    this.maps = maps;
  }

  /** Applies the effect of a call on stack and memory to {@code state}. */
  void updateMemory(int index, Instruction.CallHelper call, ValueState state) {
    OptionalInt name =
        isThreadName(call, state) ? state.stackOffset(Register.R1) : OptionalInt.empty();
    StackAccess access = access(call, state);
    if (!access.isKnown()) {
      state.clearStack();
      state.bumpKeys(index);
    } else if (changesKeys(call)) {
      state.bumpKeys(index);
    } else if (writes(call)) {
      state.bumpMemory(index);
    }
    for (StackAccess.Range range : access.writes()) {
      state.clearStack(range.offset(), range.size());
    }
    if (name.isPresent()) {
      int value = table.number(new ValueTable.ThreadName());
      state.setStack(name.getAsInt(), ValueState.NAME_SIZE, value);
    }
  }

  private static boolean writes(Instruction.CallHelper call) {
    if (call.helper().isPresent()) {
      for (Parameter parameter : call.helper().get().signature().parameters()) {
        if (parameter.isWritten()) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean changesKeys(Instruction.CallHelper call) {
    return call.number() == Helper.MAP_UPDATE_ELEM.number()
        || call.number() == Helper.MAP_DELETE_ELEM.number();
  }

  /** Returns the value number of r0 after a call. */
  int result(int index, Instruction.CallHelper call, ValueState before) {
    int unknown = table.number(new ValueTable.Returned(index));
    if (call.helper().isEmpty()) {
      return unknown;
    }
    Helper helper = call.helper().get();
    if (ValueState.isInvariant(helper)) {
      return table.number(new ValueTable.Invariant(helper));
    }
    if (helper != Helper.MAP_LOOKUP_ELEM) {
      return unknown;
    }
    OptionalInt key = before.stackOffset(Register.R2);
    Optional<MapSizes> sizes = map(before);
    if (key.isEmpty() || sizes.isEmpty()) {
      return unknown;
    }
    Optional<List<Integer>> parts = before.stackParts(key.getAsInt(), sizes.get().key());
    return parts.isPresent()
        ? table.number(new ValueTable.Lookup(before.value(Register.R1), parts.get(), before.keys()))
        : unknown;
  }

  private Optional<MapSizes> map(ValueState before) {
    return table.form(before.value(Register.R1)) instanceof ValueTable.Wide wide
            && wide.source() instanceof WideSource.Map map
        ? maps.apply(map.name())
        : Optional.empty();
  }

  /** Returns the stack bytes that a call reads and writes. */
  StackAccess access(Instruction.CallHelper call, ValueState before) {
    if (call.helper().isEmpty()) {
      return StackAccess.ANYTHING;
    }
    List<Parameter> parameters = call.helper().get().signature().parameters();
    List<StackAccess.Range> reads = new ArrayList<>();
    List<StackAccess.Range> writes = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      Register register = Register.argument(i + 1);
      OptionalInt offset = before.stackOffset(register);
      if (offset.isEmpty()) {
        if (!before.isOffStack(register) && parameters.get(i).isMemory()) {
          return StackAccess.ANYTHING;
        }
        continue;
      }
      OptionalInt size = size(parameters, i, before);
      if (size.isEmpty()) {
        return StackAccess.ANYTHING;
      }
      StackAccess.Range range = new StackAccess.Range(offset.getAsInt(), size.getAsInt());
      if (parameters.get(i).isRead()) {
        reads.add(range);
      }
      if (parameters.get(i).isWritten()) {
        writes.add(range);
      }
    }
    return new StackAccess(reads, writes, true);
  }

  private OptionalInt size(List<Parameter> parameters, int index, ValueState before) {
    return switch (parameters.get(index)) {
      case MAP_KEY ->
          map(before).map(sizes -> OptionalInt.of(sizes.key())).orElse(OptionalInt.empty());
      case MAP_VALUE ->
          map(before).map(sizes -> OptionalInt.of(sizes.value())).orElse(OptionalInt.empty());
      case READABLE_MEMORY, READABLE_MEMORY_OR_NULL, WRITABLE_MEMORY, WRITABLE_MEMORY_OR_NULL -> {
        OptionalLong size = before.constant(Register.argument(index + 2));
        yield size.isPresent() ? OptionalInt.of((int) size.getAsLong()) : OptionalInt.empty();
      }
      case WRITABLE_LONG -> OptionalInt.of(Long.BYTES);
      default -> OptionalInt.empty();
    };
  }

  /**
   * Returns the offset from r10 of a copy of the thread name, if {@code call} fetches the name and
   * the stack already holds it.
   */
  OptionalInt threadName(Instruction.CallHelper call, ValueState before) {
    return isThreadName(call, before)
        ? before.onStack(table.number(new ValueTable.ThreadName()), ValueState.NAME_SIZE)
        : OptionalInt.empty();
  }

  private static boolean isThreadName(Instruction.CallHelper call, ValueState before) {
    OptionalLong size = before.constant(Register.R2);
    return call.number() == Helper.GET_CURRENT_COMM.number()
        && size.isPresent()
        && size.getAsLong() == ValueState.NAME_SIZE
        && before.stackOffset(Register.R1).isPresent();
  }
}
