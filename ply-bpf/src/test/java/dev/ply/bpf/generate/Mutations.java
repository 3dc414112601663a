package dev.ply.bpf.generate;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Programs that differ from a given one in one instruction: almost right. */
public final class Mutations {
  private static final List<Size> SIZES = List.of(Size.values());
  private static final List<JumpOp> JUMPS = List.of(JumpOp.values());

  private Mutations() {}

  private enum Kind {
    LEFT_OUT,
    TWICE,
    SWAPPED,
    REGISTER,
    NUMBER,
    OFFSET,
    SIZE,
    OPERATION
  }

  /** Returns mutants of a program; a few are equal to it. */
  public static Arbitrary<BpfProgram> of(BpfProgram program) {
    List<Instruction> code = program.code();
    List<Integer> places =
        IntStream.range(0, code.size())
            .filter(i -> !(code.get(i) instanceof LabelMark || code.get(i) instanceof SourceMark))
            .boxed()
            .toList();
    return Combinators.combine(
            Arbitraries.of(Kind.class),
            Arbitraries.of(places),
            Arbitraries.integers().between(0, 10),
            Numbers.ints())
        .as((kind, place, small, number) -> mutant(program, kind, place, small, number));
  }

  private static BpfProgram mutant(
      BpfProgram program, Kind kind, int place, int small, int number) {
    List<Instruction> code = new ArrayList<>(program.code());
    Instruction old = code.get(place);
    switch (kind) {
      case LEFT_OUT -> code.remove(place);
      case TWICE -> code.add(place, old);
      case SWAPPED -> {
        int other = Math.min(code.size() - 1, place + 1);
        code.set(place, code.get(other));
        code.set(other, old);
      }
      case REGISTER -> code.set(place, withRegister(old, new Register(small)));
      case NUMBER -> code.set(place, withNumber(old, small < 4 ? small - 2 : number));
      case OFFSET -> code.set(place, withOffset(old, List.of(-8, -4, -1, 1, 4, 8).get(small % 6)));
      case SIZE -> code.set(place, withSize(old, SIZES.get(small % SIZES.size())));
      case OPERATION -> code.set(place, withOperation(old, small));
    }
    return program.withCode(code);
  }

  private static Instruction withRegister(Instruction old, Register register) {
    RegisterUse use = RegisterUse.of(old);
    List<Register> named = new ArrayList<>(use.reads());
    named.addAll(use.writes());
    if (named.isEmpty() || old instanceof CallHelper) {
      return old;
    }
    Register victim = named.get(register.number() % named.size());
    return RegisterUse.rename(old, each -> each.equals(victim) ? register : each);
  }

  private static Instruction withNumber(Instruction old, int number) {
    if (old instanceof Alu alu && alu.src() instanceof Immediate) {
      return new Alu(alu.width(), alu.op(), alu.dst(), shift(alu, number));
    }
    if (old instanceof Jump jump && jump.right() instanceof Immediate) {
      return new Jump(jump.width(), jump.op(), jump.left(), new Immediate(number), jump.target());
    }
    if (old instanceof Store store && store.src() instanceof Immediate) {
      return new Store(store.size(), store.base(), store.offset(), new Immediate(number));
    }
    return old instanceof CallHelper ? new CallHelper(Math.abs(number % 136)) : old;
  }

  private static Operand shift(Alu alu, int number) {
    return switch (alu.op()) {
      case LSH, RSH, ARSH -> new Immediate(number & (alu.width() == Width.W64 ? 63 : 31));
      default -> new Immediate(number);
    };
  }

  private static Instruction withOffset(Instruction old, int distance) {
    if (old instanceof Load load) {
      return new Load(
          load.size(), load.extension(), load.dst(), load.base(), load.offset() + distance);
    }
    return old instanceof Store store
        ? new Store(store.size(), store.base(), store.offset() + distance, store.src())
        : old;
  }

  private static Instruction withSize(Instruction old, Size size) {
    if (old instanceof Load load) {
      return new Load(size, load.extension(), load.dst(), load.base(), load.offset());
    }
    return old instanceof Store store
        ? new Store(size, store.base(), store.offset(), store.src())
        : old;
  }

  private static Instruction withOperation(Instruction old, int choice) {
    if (old instanceof Alu alu) {
      List<AluOp> others = List.of(AluOp.ADD, AluOp.SUB, AluOp.AND, AluOp.OR, AluOp.MOV, AluOp.MUL);
      return new Alu(alu.width(), others.get(choice % others.size()), alu.dst(), alu.src());
    }
    if (old instanceof Jump jump) {
      if (choice == 0) {
        return new Goto(jump.target());
      }
      JumpOp op = JUMPS.get(choice % JUMPS.size());
      return new Jump(jump.width(), op, jump.left(), jump.right(), jump.target());
    }
    return old;
  }
}
