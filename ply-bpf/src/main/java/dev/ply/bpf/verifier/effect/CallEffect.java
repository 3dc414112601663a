package dev.ply.bpf.verifier.effect;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.HelperSignature.Parameter;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import dev.ply.bpf.verifier.domain.ScalarRange;
import dev.ply.bpf.verifier.flow.CheckStructure;
import dev.ply.bpf.verifier.memory.StackMemory;
import dev.ply.bpf.verifier.memory.TypedMemory;
import dev.ply.bpf.verifier.rule.CheckMemory;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The transfer function of helper calls: memory written, records released, result. */
final class CallEffect {
  /** The largest errno (MAX_ERRNO). */
  private static final int MAX_ERRNO = 4095;

  /** Helpers that return a size of at most r2, or a negative errno. */
  private static final Set<Helper> LENGTHS =
      EnumSet.of(Helper.PROBE_READ_STR, Helper.PROBE_READ_USER_STR, Helper.PROBE_READ_KERNEL_STR);

  private static final Set<Helper> STACKS = EnumSet.of(Helper.GET_STACK, Helper.GET_TASK_STACK);

  private CallEffect() {}

  /**
   * Returns the state after a call.
   *
   * @param index the index of the call
   */
  static AbstractState apply(Helper helper, AbstractState state, int index, TypedMemory typed) {
    AbstractState written = state;
    List<Parameter> parameters = helper.signature().parameters();
    for (int i = 1; i <= parameters.size(); i++) {
      RegisterState argument = state.register(Register.argument(i));
      if (argument instanceof Pointer pointer) {
        if (parameters.get(i - 1) == Parameter.WRITABLE_MEMORY
            || parameters.get(i - 1) == Parameter.WRITABLE_MEMORY_OR_NULL) {
          written = write(written, pointer, state.register(Register.argument(i + 1)));
        } else if (parameters.get(i - 1) == Parameter.WRITABLE_LONG) {
          written = StackMemory.write(written, pointer, Long.BYTES, false);
        } else if (parameters.get(i - 1) == Parameter.RECORD
            && pointer.region() instanceof Region.RingRecord record) {
          written = written.release(record.reference());
        }
      }
    }
    return result(helper, state, written.withClobberedArguments(), index, typed);
  }

  /**
   * Returns the entry of the callback that a helper calls, if it has one and the arguments are
   * valid.
   *
   * @param index the index of the call
   */
  static Optional<Successor> callBack(Helper helper, AbstractState state, int index) {
    if (!helper.signature().parameters().contains(Parameter.CALLBACK)
        || !(state.register(Register.R2) instanceof Pointer pointer)
        || !(pointer.region() instanceof Region.Function function)
        || !CheckStructure.canEnter(state)) {
      return Optional.empty();
    }
    RegisterState context = state.register(Register.R3);
    List<RegisterState> arguments = List.of(Scalar.top(), context);
    if (helper == Helper.FOR_EACH_MAP_ELEM) {
      RegisterState map = state.register(Register.R1);
      if (!(map instanceof Pointer at) || !(at.region() instanceof Region.Map of)) {
        return Optional.empty();
      }
      arguments =
          List.of(
              map,
              Pointer.to(new Region.MapKey(of.map())),
              Pointer.to(new Region.MapValue(of.map())),
              context);
    }
    return Optional.of(
        new Successor(function.entry(), state.callBack(function.entry(), index, arguments)));
  }

  private static AbstractState write(AbstractState state, Pointer pointer, RegisterState length) {
    if (!(length instanceof Scalar size)
        || Long.compareUnsigned(size.range().umax(), CheckMemory.OFFSET_LIMIT) >= 0) {
      return state;
    }
    int most = (int) size.range().umax();
    return size.isConstant()
        ? StackMemory.write(state, pointer, most, false)
        : StackMemory.blur(state, pointer, most);
  }

  private static AbstractState result(
      Helper helper, AbstractState before, AbstractState after, int index, TypedMemory typed) {
    return switch (helper.signature().result()) {
      case SCALAR -> after.with(Register.R0, number(helper, before));
      case MAP_VALUE_OR_NULL -> mapValue(before, after);
      case RECORD_OR_NULL -> record(before, after, index);
      case CURRENT_TASK -> after.with(Register.R0, Pointer.to(typed.object("task_struct")));
      case TASK_REGISTERS -> after.with(Register.R0, Pointer.to(typed.object("pt_regs")));
      case NOTHING ->
          after.with(Register.R0, new RegisterState.Uninitialized(RegisterState.Cause.CLOBBERED));
    };
  }

  private static Scalar number(Helper helper, AbstractState before) {
    Optional<Register> limit =
        LENGTHS.contains(helper)
            ? Optional.of(Register.R2)
            : STACKS.contains(helper) ? Optional.of(Register.R3) : Optional.empty();
    return limit.isPresent()
            && before.register(limit.get()) instanceof Scalar size
            && Long.compareUnsigned(size.range().umax(), CheckMemory.OFFSET_LIMIT) < 0
        ? Scalar.ofRange(ScalarRange.signed(Width.W64, -MAX_ERRNO, size.range().umax()))
        : Scalar.top();
  }

  private static AbstractState mapValue(AbstractState before, AbstractState after) {
    if (!(before.register(Register.R1) instanceof Pointer pointer)
        || !(pointer.region() instanceof Region.Map map)) {
      return after.with(Register.R0, new RegisterState.Assumed());
    }
    AbstractState named = after.withFreshId();
    BpfMap called = map.map();
    Region found =
        called.inner().isPresent()
            ? new Region.Map(called.inner().get())
            : new Region.MapValue(called);
    return named.with(Register.R0, new Pointer(found, 0, Scalar.constant(0), named.lastId()));
  }

  private static AbstractState record(AbstractState before, AbstractState after, int index) {
    if (!(before.register(Register.R2) instanceof Scalar size) || !size.isConstant()) {
      return after.with(Register.R0, new RegisterState.Assumed());
    }
    AbstractState named = after.withFreshId();
    int id = named.lastId();
    return named
        .withReference(id, index)
        .with(
            Register.R0,
            new Pointer(new Region.RingRecord(size.range().umax(), id), 0, Scalar.constant(0), id));
  }
}
