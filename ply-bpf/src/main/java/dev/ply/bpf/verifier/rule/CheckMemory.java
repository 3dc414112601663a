package dev.ply.bpf.verifier.rule;

import dev.ply.bpf.isa.Register;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import dev.ply.bpf.verifier.domain.StackState;
import dev.ply.bpf.verifier.domain.Tnum;
import dev.ply.bpf.verifier.flow.StackUse;
import dev.ply.bpf.verifier.memory.Access;
import dev.ply.bpf.verifier.memory.StackAccesses;
import dev.ply.bpf.verifier.memory.TypedMemory;
import dev.ply.type.Type.KernelStruct;
import java.util.Optional;

/** Checks memory accesses: pointer type, bounds, alignment, initialisation. */
public final class CheckMemory {
  /** Limit of offsets and sizes (BPF_MAX_VAR_OFF). */
  public static final long OFFSET_LIMIT = 1L << 29;

  private final BpfProgram program;
  private final StackUse stackUse;
  private final StackAccesses accesses;
  private final TypedMemory typed;

  CheckMemory(BpfProgram program, StackUse stackUse, StackAccesses accesses, TypedMemory typed) {
    this.program = program;
    this.stackUse = stackUse;
    this.accesses = accesses;
    this.typed = typed;
  }

  /** Returns why the access is unsafe, or empty. */
  Optional<String> check(AbstractState state, Access access, Register base, int offset, long size) {
    RegisterState content = state.register(base);
    if (content instanceof RegisterState.Assumed) {
      return Optional.empty();
    }
    if (!(content instanceof Pointer pointer)) {
      return Optional.of(
          base
              + " is a number, not a pointer to accessible memory; read through addresses"
              + " with probe_read_kernel or probe_read_user");
    }
    if (pointer.mayBeNull()) {
      return Optional.of(base + " may be null: " + origin(pointer) + "; test it first");
    }
    Region region = pointer.region();
    if (region instanceof Region.Stack stack) {
      return checkStack(state, stack, access, base, pointer.plus(offset), size);
    } else if (region instanceof Region.Context) {
      return checkContext(access, base, pointer, offset, (int) size);
    } else if (region instanceof Region.MapValue value) {
      if (value.map().content().isPresent() && !access.isRead()) {
        return Optional.of(base + " is " + region.describe() + ", which is frozen");
      }
      return checkBounds(access, base, pointer.plus(offset), value.map().valueSize(), size);
    } else if (region instanceof Region.RingRecord record) {
      return checkBounds(access, base, pointer.plus(offset), record.size(), size);
    } else if (region instanceof Region.MapKey key) {
      return access.isRead()
          ? checkBounds(access, base, pointer.plus(offset), key.map().keySize(), size)
          : Optional.of(base + " is " + region.describe() + ", which is read-only");
    } else if (region instanceof Region.KernelObject object) {
      return checkObject(access, base, object, pointer.plus(offset), (int) size);
    } else if (region instanceof Region.KernelMemory) {
      return Optional.of(base + " points to untyped kernel memory; read it with probe_read_kernel");
    }
    return Optional.of(base + " is " + region.describe() + " itself; only helpers can access it");
  }

  /** Returns whether a kernel structure is of this type at an offset. */
  boolean isAt(KernelStruct struct, long offset, String tag) {
    return typed.isAt(struct, offset, tag);
  }

  private static String origin(Pointer pointer) {
    if (pointer.region() instanceof Region.KernelObject) {
      return "loaded pointers may be null";
    }
    return pointer.region() instanceof Region.RingRecord
        ? "ringbuf_reserve found no room"
        : "map_lookup_elem found nothing";
  }

  private Optional<String> checkBounds(
      Access access, Register base, Pointer pointer, long available, long size) {
    Scalar variable = pointer.variable();
    long min = pointer.offset() + variable.range().smin();
    if (variable.range().smin() < 0 && min < 0) {
      return Optional.of(
          "the offset of "
              + base
              + " into "
              + pointer.region().describe()
              + " may be negative;"
              + " compare it or mask it first");
    }
    if (Long.compareUnsigned(variable.range().umax(), OFFSET_LIMIT) >= 0) {
      return Optional.of(
          "the offset of "
              + base
              + " into "
              + pointer.region().describe()
              + " is not bounded;"
              + " compare it or mask it first");
    }
    long max = pointer.offset() + variable.range().umax();
    if (min < 0 || max + size > available) {
      return Optional.of(outside(pointer, min, max, size, available));
    }
    if (access == Access.ATOMIC && !isAligned(variable.bits(), pointer.offset(), size)) {
      return Optional.of(
          "an atomic operation of "
              + size
              + " bytes needs an offset that is a multiple of "
              + size);
    }
    return Optional.empty();
  }

  private static String outside(Pointer pointer, long min, long max, long size, long available) {
    String region = pointer.region().describe();
    if (min != max) {
      return bytes(size) + " at offsets " + min + " to " + max + " may be outside " + region;
    }
    return min < 0 || min >= available
        ? "offset " + min + " is outside " + region
        : bytes(size)
            + " at offset "
            + min
            + (size == 1 ? " reaches" : " reach")
            + " beyond "
            + region;
  }

  private Optional<String> checkObject(
      Access access, Register base, Region.KernelObject struct, Pointer pointer, int size) {
    String object = base + " is " + struct.describe();
    if (access != Access.READ) {
      return Optional.of(
          access.isByHelper()
              ? object + ", which helpers do not accept as memory; load its fields"
              : object + ", which is read-only");
    }
    Optional<Long> offset = pointer.constantOffset().filter(constant -> constant >= 0);
    return offset.isPresent()
        ? typed.check(base, struct, offset.get(), size)
        : Optional.of(object + " at an offset that is negative or not constant");
  }

  private Optional<String> checkContext(
      Access access, Register base, Pointer pointer, int offset, int size) {
    if (access != Access.READ) {
      return Optional.of(
          access.isByHelper()
              ? base + " is the context, which helpers do not accept as memory; copy it first"
              : "the context is read-only");
    }
    if (!pointer.constantOffset().equals(Optional.of(0L))) {
      return Optional.of(base + " is the context plus an offset; move the offset into the load");
    }
    return ContextRules.check(program, offset, size)
        .or(() -> typed.checkArgumentWord(offset, size));
  }

  private Optional<String> checkStack(
      AbstractState state,
      Region.Stack stack,
      Access access,
      Register base,
      Pointer pointer,
      long size) {
    Scalar variable = pointer.variable();
    if (Math.abs(variable.range().smin()) >= OFFSET_LIMIT
        || variable.range().smin() == Long.MIN_VALUE
        || variable.range().smax() >= OFFSET_LIMIT) {
      return Optional.of(
          "the offset of "
              + base
              + " into the stack is not bounded;"
              + " compare it or mask it first");
    }
    long min = pointer.offset() + variable.range().smin();
    long max = pointer.offset() + variable.range().smax();
    if (!StackState.contains(min, max - min + size) || (size == 0 && min >= 0)) {
      return Optional.of(
          "stack "
              + access.noun()
              + " of "
              + bytes(size)
              + " at "
              + framePointer(min)
              + " is outside the "
              + StackState.SIZE
              + " bytes below fp");
    }
    stackUse.touch(state.frames().get(stack.frame()).function(), (int) -min);
    accesses.add(stack.frame(), access, min, max, size);
    if (!access.isByHelper() && !isAligned(variable.bits(), pointer.offset(), size)) {
      return Optional.of(
          "stack "
              + access.noun()
              + " of "
              + bytes(size)
              + " at "
              + framePointer(min)
              + " is not aligned to its size");
    }
    int reach = (int) (max - min + size);
    StackState content = state.stack(stack.frame());
    if (access.needsInitialized()) {
      int written = content.writtenBytes((int) min, reach);
      if (written < reach) {
        return Optional.of(
            "stack read of "
                + bytes(reach)
                + " at "
                + framePointer(min)
                + (written == 0
                    ? ", which is uninitialised"
                    : ", of which only " + written + " are initialised"));
      }
      boolean wholePointer = access == Access.READ && size == 8 && min == max;
      if (!wholePointer && !access.isByHelper() && content.holdsPointer((int) min, reach)) {
        return Optional.of(
            "stack "
                + access.noun()
                + " of "
                + bytes(reach)
                + " at "
                + framePointer(min)
                + " splits a pointer");
      }
    }
    return Optional.empty();
  }

  private static boolean isAligned(Tnum variable, long offset, long size) {
    Tnum sum = variable.add(Tnum.constant(offset));
    return ((sum.value() | sum.mask()) & (size - 1)) == 0;
  }

  static String bytes(long count) {
    return count == 1 ? "1 byte" : count + " bytes";
  }

  private static String framePointer(long offset) {
    return "fp" + (offset < 0 ? "" : "+") + offset;
  }
}
