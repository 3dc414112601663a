package dev.ply.bpf.verifier.rule;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
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
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.verifier.memory.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Derives the requirements of an instruction, the most basic first. */
public final class RequirementExtractor implements Instruction.Visitor<List<Requirement>> {
  /** Returns what must hold before an instruction is executed. */
  public static List<Requirement> requirements(Instruction instruction) {
    return instruction.accept(new RequirementExtractor());
  }

  @Override
  public List<Requirement> visit(Alu alu) {
    List<Requirement> all = new ArrayList<>();
    all.addAll(initialized(alu.src()));
    if (alu.op() != AluOp.MOV) {
      all.addAll(initialized(alu.dst()));
    }
    all.add(new Requirement.NotFramePointer(alu.dst()));
    if (alu.src() instanceof Immediate immediate) {
      all.addAll(constantOperand(alu, immediate.value()));
    }
    if (alu.op() != AluOp.MOV) {
      all.add(new Requirement.Arithmetic(alu.width(), alu.op(), alu.dst(), alu.src()));
    }
    return all;
  }

  private static List<Requirement> constantOperand(Alu alu, int value) {
    return switch (alu.op()) {
      case DIV, SDIV, MOD, SMOD -> List.of(new Requirement.NonZeroDivisor(value));
      case LSH, RSH, ARSH -> List.of(new Requirement.ShiftCount(alu.width(), value));
      case ADD, SUB, MUL, OR, AND, XOR, MOV -> List.of();
    };
  }

  @Override
  public List<Requirement> visit(Negate negate) {
    return List.of(
        new Requirement.Initialized(negate.dst()), new Requirement.NotFramePointer(negate.dst()));
  }

  @Override
  public List<Requirement> visit(SignExtend extend) {
    return List.of(
        new Requirement.Initialized(extend.src()),
        new Requirement.NotFramePointer(extend.dst()),
        new Requirement.IsScalar(extend.src(), "sign-extended"));
  }

  @Override
  public List<Requirement> visit(ByteSwap swap) {
    return List.of(
        new Requirement.Initialized(swap.dst()), new Requirement.NotFramePointer(swap.dst()));
  }

  @Override
  public List<Requirement> visit(LoadWide load) {
    List<Requirement> all = new ArrayList<>();
    all.add(new Requirement.NotFramePointer(load.dst()));
    if (load.source() instanceof WideSource.Map map) {
      all.add(new Requirement.KnownMap(map.name()));
    } else if (load.source() instanceof WideSource.MapValue value) {
      all.add(new Requirement.KnownValue(value.name(), value.offset()));
    }
    return all;
  }

  @Override
  public List<Requirement> visit(Load load) {
    return List.of(
        new Requirement.Initialized(load.base()),
        new Requirement.NotFramePointer(load.dst()),
        new Requirement.Memory(Access.READ, load.base(), load.offset(), load.size().bytes()));
  }

  @Override
  public List<Requirement> visit(Store store) {
    List<Requirement> all = new ArrayList<>();
    all.addAll(initialized(store.src()));
    all.add(new Requirement.Initialized(store.base()));
    int size = store.size().bytes();
    all.add(new Requirement.Memory(Access.WRITE, store.base(), store.offset(), size));
    if (store.src() instanceof Register source) {
      all.add(new Requirement.Storable(store.base(), size, source));
    }
    return all;
  }

  @Override
  public List<Requirement> visit(Atomic atomic) {
    List<Requirement> all = new ArrayList<>();
    all.add(new Requirement.Initialized(atomic.src()));
    all.add(new Requirement.Initialized(atomic.base()));
    all.add(new Requirement.IsScalar(atomic.src(), "stored atomically"));
    if (atomic.op() == AtomicOp.CMPXCHG) {
      all.add(new Requirement.Initialized(Register.R0));
      all.add(new Requirement.IsScalar(Register.R0, "compared atomically"));
    } else if (atomic.op().fetches()) {
      all.add(new Requirement.NotFramePointer(atomic.src()));
    }
    all.add(
        new Requirement.Memory(
            Access.ATOMIC, atomic.base(), atomic.offset(), atomic.size().bytes()));
    return all;
  }

  @Override
  public List<Requirement> visit(LoadPacket load) {
    return List.of();
  }

  @Override
  public List<Requirement> visit(Jump jump) {
    List<Requirement> all = new ArrayList<>(initialized(jump.left()));
    all.addAll(initialized(jump.right()));
    return all;
  }

  @Override
  public List<Requirement> visit(Goto jump) {
    return List.of();
  }

  @Override
  public List<Requirement> visit(CallHelper call) {
    Optional<Helper> helper = call.helper();
    if (helper.isEmpty()) {
      return List.of();
    }
    List<Requirement> all = new ArrayList<>();
    all.add(new Requirement.Offered(helper.get()));
    int parameters = helper.get().signature().required();
    for (int i = 1; i <= parameters; i++) {
      all.add(new Requirement.Initialized(Register.argument(i)));
    }
    for (int i = 1; i <= parameters; i++) {
      all.add(new Requirement.Argument(helper.get(), i));
    }
    return all;
  }

  @Override
  public List<Requirement> visit(CallLocal call) {
    return List.of(new Requirement.FrameLeft());
  }

  @Override
  public List<Requirement> visit(CallKernel call) {
    return List.of();
  }

  @Override
  public List<Requirement> visit(Exit exit) {
    return List.of(new Requirement.Result());
  }

  @Override
  public List<Requirement> visit(LabelMark mark) {
    return List.of();
  }

  @Override
  public List<Requirement> visit(SourceMark mark) {
    return List.of();
  }

  private static List<Requirement> initialized(Operand operand) {
    return operand instanceof Register register
        ? List.of(new Requirement.Initialized(register))
        : List.of();
  }
}
