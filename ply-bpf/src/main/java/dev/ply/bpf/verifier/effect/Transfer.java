package dev.ply.bpf.verifier.effect;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallKernel;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadPacket;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Instruction.SignExtend;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import dev.ply.bpf.verifier.domain.ScalarArithmetic;
import dev.ply.bpf.verifier.flow.CheckStructure;
import dev.ply.bpf.verifier.flow.Reachability;
import dev.ply.bpf.verifier.memory.StackMemory;
import dev.ply.bpf.verifier.memory.TypedMemory;
import dev.ply.bpf.verifier.rule.CheckArithmetic;
import dev.ply.bpf.verifier.rule.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The transfer function of instructions: the successors with their states.
 *
 * <p>Requirements that were violated are assumed to hold; the result is then a plausible state.
 */
public final class Transfer implements Instruction.Visitor<List<Successor>> {
  private final Reachability flow;
  private final ImmutableMap<String, BpfMap> maps;
  private final TypedMemory typed;
  private final int index;
  private final AbstractState state;

  private Transfer(
      Reachability flow,
      ImmutableMap<String, BpfMap> maps,
      TypedMemory typed,
      int index,
      AbstractState state) {
    this.flow = flow;
    this.maps = maps;
    this.typed = typed;
    this.index = index;
    this.state = state;
  }

  /** Returns the successors of the instruction at {@code index}. */
  public static List<Successor> apply(
      Reachability flow,
      ImmutableMap<String, BpfMap> maps,
      TypedMemory typed,
      int index,
      AbstractState state) {
    return flow.code().get(index).accept(new Transfer(flow, maps, typed, index, state));
  }

  @Override
  public List<Successor> visit(Alu alu) {
    RegisterState right = CheckArithmetic.content(state, alu.src());
    if (alu.op() == AluOp.MOV) {
      return copy(alu, right);
    }
    RegisterState left = state.register(alu.dst());
    if (left instanceof Scalar a && right instanceof Scalar b) {
      return next(state.with(alu.dst(), ScalarArithmetic.apply(alu.op(), alu.width(), a, b)));
    }
    if (!CheckArithmetic.check(
            state, new Requirement.Arithmetic(alu.width(), alu.op(), alu.dst(), alu.src()))
        .isEmpty()) {
      return next(state.with(alu.dst(), new RegisterState.Assumed()));
    }
    if (alu.width() == Width.W64) {
      if (left instanceof Pointer pointer && right instanceof Scalar distance) {
        return next(state.with(alu.dst(), pointer.moved(alu.op(), distance)));
      }
      if (left instanceof Scalar distance && right instanceof Pointer pointer) {
        return next(state.with(alu.dst(), pointer.moved(alu.op(), distance)));
      }
    }
    boolean numbers =
        (left.isPointer() && right.isInitialized())
            || (left instanceof Scalar && right.isPointer());
    return next(state.with(alu.dst(), numbers ? Scalar.top() : new RegisterState.Assumed()));
  }

  private List<Successor> copy(Alu alu, RegisterState source) {
    if (!(source instanceof Scalar number)) {
      return next(
          state.with(
              alu.dst(),
              alu.width() == Width.W32 && source.isPointer()
                  ? ScalarArithmetic.unknown(Width.W32)
                  : source));
    }
    boolean lossless =
        alu.width() == Width.W64 || Long.compareUnsigned(number.range().umax(), 0xffff_ffffL) <= 0;
    if (!lossless || number.isConstant() || !(alu.src() instanceof Register register)) {
      return next(
          state.with(
              alu.dst(),
              ScalarArithmetic.apply(AluOp.MOV, alu.width(), Scalar.constant(0), number)));
    }
    if (number.id() != 0) {
      return next(state.with(alu.dst(), number));
    }
    AbstractState linked = state.withFreshId();
    Scalar shared = number.withId(linked.lastId());
    return next(linked.with(register, shared).with(alu.dst(), shared));
  }

  @Override
  public List<Successor> visit(Negate negate) {
    return next(state.with(negate.dst(), Scalar.top()));
  }

  @Override
  public List<Successor> visit(SignExtend extend) {
    Scalar result = Scalar.top();
    if (state.register(extend.src()) instanceof Scalar number && extend.from().bytes() < 8) {
      result = number.signExtend(extend.from().bytes());
    }
    return next(
        state.with(extend.dst(), extend.width() == Width.W32 ? result.truncate(4) : result));
  }

  @Override
  public List<Successor> visit(ByteSwap swap) {
    return next(state.with(swap.dst(), Scalar.top()));
  }

  @Override
  public List<Successor> visit(LoadWide load) {
    return next(state.with(load.dst(), load.source().accept(new Loaded())));
  }

  /** The state of a register after a 64-bit load. */
  private final class Loaded implements WideSource.Visitor<RegisterState> {
    @Override
    public RegisterState visit(WideSource.Constant constant) {
      return Scalar.constant(constant.value());
    }

    @Override
    public RegisterState visit(WideSource.Map source) {
      BpfMap map = maps.get(source.name());
      return map == null ? new RegisterState.Assumed() : Pointer.to(new Region.Map(map));
    }

    @Override
    public RegisterState visit(WideSource.MapValue source) {
      BpfMap map = maps.get(source.name());
      return map == null
          ? new RegisterState.Assumed()
          : Pointer.to(new Region.MapValue(map)).plus(source.offset());
    }

    @Override
    public RegisterState visit(WideSource.Function function) {
      String name = function.target().toString();
      Optional<Integer> entry = flow.target(function.target());
      return entry.isEmpty()
          ? new RegisterState.Assumed()
          : Pointer.to(new Region.Function(name, entry.get()));
    }

    @Override
    public RegisterState visit(WideSource.Variable source) {
      return new RegisterState.Assumed();
    }

    @Override
    public RegisterState visit(WideSource.IndexedMap source) {
      return new RegisterState.Assumed();
    }

    @Override
    public RegisterState visit(WideSource.IndexedMapValue source) {
      return new RegisterState.Assumed();
    }
  }

  @Override
  public List<Successor> visit(Load load) {
    int size = load.size().bytes();
    RegisterState loaded =
        load.extension() == Extension.SIGN ? Scalar.ofSignedBytes(size) : Scalar.ofBytes(size);
    RegisterState base = state.register(load.base());
    if (base instanceof RegisterState.Assumed) {
      loaded = base;
    } else if (base instanceof Pointer pointer) {
      Optional<AbstractState> known = typed.load(state, load.dst(), pointer, load.offset(), size);
      if (known.isPresent()) {
        return next(known.get());
      }
      Optional<RegisterState> spilled =
          load.extension() == Extension.SIGN
              ? Optional.empty()
              : StackMemory.read(state, pointer.plus(load.offset()), size);
      loaded = spilled.orElse(loaded);
    }
    return next(state.with(load.dst(), loaded));
  }

  @Override
  public List<Successor> visit(Store store) {
    if (!(state.register(store.base()) instanceof Pointer pointer)) {
      return next(state);
    }
    RegisterState source = CheckArithmetic.content(state, store.src());
    AbstractState linked = state;
    if (store.src() instanceof Register register
        && source instanceof Scalar number
        && number.id() == 0
        && !number.isConstant()
        && store.size().bytes() == 8) {
      linked = state.withFreshId();
      source = number.withId(linked.lastId());
      linked = linked.with(register, source);
    }
    boolean whole = store.src() instanceof Register;
    return next(
        StackMemory.store(
            linked, pointer.plus(store.offset()), store.size().bytes(), source, whole));
  }

  @Override
  public List<Successor> visit(Atomic atomic) {
    AbstractState result = state;
    int size = atomic.size().bytes();
    RegisterState old = Scalar.ofBytes(size);
    if (state.register(atomic.base()) instanceof Pointer pointer) {
      Pointer address = pointer.plus(atomic.offset());
      old = StackMemory.read(state, address, size).filter(Scalar.class::isInstance).orElse(old);
      result = StackMemory.write(state, address, size, false);
    }
    if (atomic.op() == AtomicOp.CMPXCHG) {
      result = result.with(Register.R0, old);
    } else if (atomic.op().fetches()) {
      result = result.with(atomic.src(), old);
    }
    return next(result);
  }

  @Override
  public List<Successor> visit(LoadPacket load) {
    return next(state.withClobberedArguments().with(Register.R0, new RegisterState.Assumed()));
  }

  @Override
  public List<Successor> visit(Jump jump) {
    Optional<Integer> target = flow.target(jump.target());
    List<Successor> steps = new ArrayList<>(2);
    for (Branches.Branch branch : Branches.of(state, jump)) {
      if (!branch.taken()) {
        steps.addAll(next(branch.state()));
      } else if (target.isPresent()) {
        steps.add(new Successor(target.get(), branch.state()));
      }
    }
    return steps;
  }

  @Override
  public List<Successor> visit(Goto jump) {
    Optional<Integer> target = flow.target(jump.target());
    return target.isEmpty() ? List.of() : List.of(new Successor(target.get(), state));
  }

  /** A helper with a callback either calls it once more or returns. */
  @Override
  public List<Successor> visit(CallHelper call) {
    List<Successor> without = withoutCallback(call);
    return call.helper()
        .flatMap(helper -> CallEffect.callBack(helper, state, index))
        .map(entered -> ImmutableList.<Successor>builder().addAll(without).add(entered).build())
        .orElse(ImmutableList.copyOf(without));
  }

  private List<Successor> withoutCallback(CallHelper call) {
    return next(
        call.helper()
            .map(helper -> CallEffect.apply(helper, state, index, typed))
            .orElseGet(
                () ->
                    state.withClobberedArguments().with(Register.R0, new RegisterState.Assumed())));
  }

  @Override
  public List<Successor> visit(CallLocal call) {
    if (call.isGlobal()) {
      return next(state.withClobberedArguments().with(Register.R0, Scalar.top()));
    }
    Optional<Integer> target = flow.target(call.target());
    if (target.isEmpty() || !CheckStructure.canEnter(state)) {
      return next(state.withClobberedArguments().with(Register.R0, new RegisterState.Assumed()));
    }
    return List.of(new Successor(target.get(), state.call(target.get(), index + 1)));
  }

  @Override
  public List<Successor> visit(CallKernel call) {
    return next(state.withClobberedArguments().with(Register.R0, new RegisterState.Assumed()));
  }

  @Override
  public List<Successor> visit(Exit exit) {
    if (state.depth() == 1) {
      return List.of();
    }
    int returnIndex = state.frame().returnIndex();
    if (state.frame().isCallback()) {
      return apply(flow, maps, typed, returnIndex, state.leaveCallback());
    }
    RegisterState result = state.register(Register.R0);
    AbstractState left = state.leave();
    if (result instanceof Pointer pointer && pointer.region() instanceof Region.Stack) {
      left = left.with(Register.R0, new RegisterState.Assumed());
    }
    return returnIndex < flow.code().size() ? List.of(new Successor(returnIndex, left)) : List.of();
  }

  @Override
  public List<Successor> visit(LabelMark mark) {
    return next(state);
  }

  @Override
  public List<Successor> visit(SourceMark mark) {
    return next(state);
  }

  private List<Successor> next(AbstractState after) {
    return index + 1 < flow.code().size() ? List.of(new Successor(index + 1, after)) : List.of();
  }
}
