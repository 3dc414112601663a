package dev.ply.bpf.verifier.rule;

import com.google.common.collect.ImmutableMap;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.RegisterState.Uninitialized;
import dev.ply.bpf.verifier.domain.Scalar;
import dev.ply.bpf.verifier.flow.CheckStructure;
import dev.ply.bpf.verifier.flow.StackUse;
import dev.ply.bpf.verifier.memory.StackAccesses;
import dev.ply.bpf.verifier.memory.TypedMemory;
import java.util.List;
import java.util.Optional;

/** Checks requirements against a state. */
public final class RequirementChecker {
  private final ImmutableMap<String, BpfMap> maps;
  private final CheckMemory memory;
  private final CheckArgument argument;
  private final BpfProgram program;

  /** Checks the requirements of one program. */
  public RequirementChecker(
      BpfProgram program,
      ImmutableMap<String, BpfMap> maps,
      StackUse stackUse,
      StackAccesses accesses,
      TypedMemory typed) {
    this.program = program;
    this.maps = maps;
    this.memory = new CheckMemory(program, stackUse, accesses, typed);
    this.argument = new CheckArgument(memory);
  }

  /** Returns why the requirement does not hold in the state, or empty. */
  public Optional<String> check(Requirement requirement, AbstractState state) {
    return requirement.accept(new Proof(state));
  }

  private final class Proof implements Requirement.Visitor<Optional<String>> {
    private final AbstractState state;

    Proof(AbstractState state) {
      this.state = state;
    }

    @Override
    public Optional<String> visit(Requirement.Initialized requirement) {
      return uninitialized(requirement.register());
    }

    @Override
    public Optional<String> visit(Requirement.NotFramePointer requirement) {
      return refuseIf(requirement.register().equals(Register.R10), "r10 is read-only");
    }

    @Override
    public Optional<String> visit(Requirement.Memory requirement) {
      return memory.check(
          state,
          requirement.access(),
          requirement.base(),
          requirement.offset(),
          requirement.size());
    }

    @Override
    public Optional<String> visit(Requirement.Storable requirement) {
      if (!(state.register(requirement.source()) instanceof Pointer stored)
          || !(state.register(requirement.base()) instanceof Pointer base)
          || !(base.region() instanceof Region.Stack stack)) {
        return Optional.empty();
      }
      if (requirement.size() != 8) {
        return Optional.of(
            requirement.source() + " is a pointer, which only a store of 8 bytes preserves");
      }
      if (!base.hasConstantOffset()) {
        return Optional.of(
            requirement.source() + " is a pointer, which can only be stored at a constant offset");
      }
      return refuseIf(
          stored.region() instanceof Region.Stack && stack.frame() != state.depth() - 1,
          requirement.source() + " points to a stack frame that is freed before the caller's");
    }

    @Override
    public Optional<String> visit(Requirement.NonZeroDivisor requirement) {
      return refuseIf(requirement.divisor() == 0, "division by the constant zero");
    }

    @Override
    public Optional<String> visit(Requirement.ShiftCount requirement) {
      int bits = requirement.width() == Width.W64 ? 64 : 32;
      return refuseIf(
          requirement.count() < 0 || requirement.count() >= bits,
          "a shift of "
              + bits
              + " bits by "
              + requirement.count()
              + "; 0 to "
              + (bits - 1)
              + " are allowed");
    }

    @Override
    public Optional<String> visit(Requirement.Arithmetic requirement) {
      return CheckArithmetic.check(state, requirement);
    }

    @Override
    public Optional<String> visit(Requirement.IsScalar requirement) {
      return refuseIf(
          state.register(requirement.register()).isPointer(),
          requirement.register() + " is a pointer and cannot be " + requirement.operation());
    }

    @Override
    public Optional<String> visit(Requirement.Offered requirement) {
      return refuseIf(
          program.type().offers(requirement.helper()).isEmpty(),
          requirement.helper().kernelName()
              + " cannot be called in programs of type "
              + program.type());
    }

    @Override
    public Optional<String> visit(Requirement.Argument requirement) {
      return argument.check(state, requirement.helper(), requirement.position());
    }

    @Override
    public Optional<String> visit(Requirement.KnownMap requirement) {
      return refuseIf(
          !maps.containsKey(requirement.name()), "map \"" + requirement.name() + "\" not found");
    }

    @Override
    public Optional<String> visit(Requirement.KnownValue requirement) {
      BpfMap map = maps.get(requirement.name());
      if (map == null) {
        return Optional.of("map \"" + requirement.name() + "\" not found");
      }
      if (map.type() != MapType.ARRAY) {
        return Optional.of(
            "values can be addressed directly in arrays only, but the map \""
                + map.name()
                + "\" is of type "
                + map.type());
      }
      if (map.maxEntries() != 1) {
        return Optional.of(
            "values can be addressed directly in arrays of one entry only, but the map \""
                + map.name()
                + "\" has "
                + map.maxEntries());
      }
      return refuseIf(
          requirement.offset() < 0 || requirement.offset() >= map.valueSize(),
          "offset " + requirement.offset() + " is outside " + new Region.MapValue(map).describe());
    }

    @Override
    public Optional<String> visit(Requirement.Result requirement) {
      RegisterState result = state.register(Register.R0);
      if (state.frame().isCallback()) {
        return callbackResult(result);
      }
      if (state.depth() > 1) {
        return refuseIf(
            result instanceof Pointer pointer && pointer.region() instanceof Region.Stack,
            "r0 points to the stack frame of the function, which is freed on return");
      }
      Optional<String> uninitialized = uninitialized(Register.R0);
      if (uninitialized.isPresent()) {
        return uninitialized;
      }
      if (result.isPointer()) {
        return Optional.of("r0 is a pointer, but the program's result must be a number");
      }
      boolean isOfProgram = state.frame().function() == 0;
      if (isOfProgram && program.type().isForOneFunction() && !result.equals(Scalar.constant(0))) {
        return Optional.of("r0 must be 0 at the end of a program of type " + program.type());
      }
      return state.references().isEmpty()
          ? Optional.empty()
          : Optional.of("the program exits with " + unreleasedRecord());
    }

    @Override
    public Optional<String> visit(Requirement.FrameLeft requirement) {
      return refuseIf(
          !CheckStructure.canEnter(state),
          "calls nest more than " + CheckStructure.MAX_FRAMES + " frames deep");
    }

    private Optional<String> callbackResult(RegisterState result) {
      Optional<String> uninitialized = uninitialized(Register.R0);
      if (uninitialized.isPresent()) {
        return uninitialized;
      }
      if (result instanceof RegisterState.Assumed) {
        return Optional.empty();
      }
      if (!(result instanceof Scalar number)
          || Long.compareUnsigned(number.range().umax(), 1) > 0) {
        return Optional.of("a callback must return 0 to continue or 1 to stop");
      }
      return state.references().size() <= state.frame().heldAtEntry()
          ? Optional.empty()
          : Optional.of("the callback returns with " + unreleasedRecord());
    }

    /** Describes the last unreleased record, with the slot number of its reservation. */
    private String unreleasedRecord() {
      List<Integer> reserved = state.references().values().asList();
      int index = reserved.get(reserved.size() - 1);
      int slot = program.code().subList(0, index).stream().mapToInt(Instruction::slots).sum();
      return "the record that instruction "
          + slot
          + " reserved; submit or discard it on every path";
    }

    private Optional<String> uninitialized(Register register) {
      if (!(state.register(register) instanceof Uninitialized nothing)) {
        return Optional.empty();
      }
      return Optional.of(
          switch (nothing.cause()) {
            case NEVER_WRITTEN, DEAD -> register + " is read before it is written";
            case CLOBBERED -> register + " is read, but a call has clobbered it";
            case RELEASED -> register + " is read, but the record it pointed to was released";
          });
    }

    private Optional<String> refuseIf(boolean violated, String message) {
      return violated ? Optional.of(message) : Optional.empty();
    }
  }

  /** Returns the state after assuming that the requirement holds, to avoid follow-up errors. */
  public static AbstractState assume(Requirement requirement, AbstractState state) {
    if (requirement instanceof Requirement.Initialized initialized) {
      return state.with(initialized.register(), new RegisterState.Assumed());
    }
    if (requirement instanceof Requirement.Memory memory) {
      return assumeNotNull(state, memory.base());
    }
    if (requirement instanceof Requirement.Argument argument) {
      return assumeNotNull(state, Register.argument(argument.position()));
    }
    if (requirement instanceof Requirement.Result
        && (state.depth() == 1 || state.frame().isCallback())) {
      return state.with(Register.R0, Scalar.constant(0));
    }
    return state;
  }

  private static AbstractState assumeNotNull(AbstractState state, Register register) {
    return state.register(register) instanceof Pointer pointer && pointer.mayBeNull()
        ? state.withNotNull(pointer.nullId())
        : state;
  }
}
