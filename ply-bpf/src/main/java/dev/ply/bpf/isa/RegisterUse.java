package dev.ply.bpf.isa;

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
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The registers that an instruction reads and writes, explicitly or implicitly.
 *
 * @param reads the registers read, each once
 * @param writes the registers overwritten or clobbered, each once
 */
public record RegisterUse(List<Register> reads, List<Register> writes) {
  private static final List<Register> ARGUMENTS =
      List.of(Register.R1, Register.R2, Register.R3, Register.R4, Register.R5);
  private static final List<Register> CLOBBERED =
      List.of(Register.R0, Register.R1, Register.R2, Register.R3, Register.R4, Register.R5);

  /** Copies the registers, each once. */
  public RegisterUse {
    reads = distinct(reads);
    writes = distinct(writes);
  }

  // Hot in every pass, and duplicates are rare: no stream in the common case.
  private static List<Register> distinct(List<Register> registers) {
    for (int i = 1; i < registers.size(); i++) {
      if (registers.indexOf(registers.get(i)) < i) {
        return registers.stream().distinct().toList();
      }
    }
    return List.copyOf(registers);
  }

  /**
   * {@return the registers that {@code instruction} uses}
   *
   * @param instruction of any kind
   */
  public static RegisterUse of(Instruction instruction) {
    return instruction.accept(UseFinder.INSTANCE);
  }

  /**
   * {@return the registers that {@code instruction} reads, including implicit ones: r0 at exit, the
   * arguments of a call (all five if the helper is unknown)}
   *
   * @param instruction of any kind
   */
  public static List<Register> reads(Instruction instruction) {
    return of(instruction).reads();
  }

  /**
   * {@return the registers that {@code instruction} overwrites; calls clobber r0 to r5}
   *
   * @param instruction of any kind
   */
  public static List<Register> writes(Instruction instruction) {
    return of(instruction).writes();
  }

  /**
   * {@return {@code instruction} with its explicit registers renamed}
   *
   * @param instruction of any kind
   * @param names the new register for each that is named
   */
  public static Instruction rename(Instruction instruction, UnaryOperator<Register> names) {
    return instruction.accept(new Renamer(names));
  }

  private static List<Register> registers(Operand operand) {
    return operand instanceof Register register ? List.of(register) : List.of();
  }

  private static List<Register> registers(Operand one, Operand other) {
    return one instanceof Register first
            && other instanceof Register second
            && !first.equals(second)
        ? List.of(first, second)
        : registers(one instanceof Register ? one : other);
  }

  private static final class UseFinder implements Instruction.Visitor<RegisterUse> {
    static final UseFinder INSTANCE = new UseFinder();
    private static final RegisterUse NOTHING = new RegisterUse(List.of(), List.of());

    /** Register use of calls by argument count; no stream, whose classes would slow startup. */
    private static final List<RegisterUse> CALLS =
        List.of(
            call(ARGUMENTS.subList(0, 0)),
            call(ARGUMENTS.subList(0, 1)),
            call(ARGUMENTS.subList(0, 2)),
            call(ARGUMENTS.subList(0, 3)),
            call(ARGUMENTS.subList(0, 4)),
            call(ARGUMENTS));

    private static RegisterUse call(List<Register> arguments) {
      return new RegisterUse(arguments, CLOBBERED);
    }

    @Override
    public RegisterUse visit(Alu alu) {
      List<Register> reads =
          alu.op() == AluOp.MOV ? registers(alu.src()) : registers(alu.dst(), alu.src());
      return new RegisterUse(reads, List.of(alu.dst()));
    }

    @Override
    public RegisterUse visit(Negate negate) {
      return new RegisterUse(List.of(negate.dst()), List.of(negate.dst()));
    }

    @Override
    public RegisterUse visit(SignExtend extend) {
      return new RegisterUse(List.of(extend.src()), List.of(extend.dst()));
    }

    @Override
    public RegisterUse visit(ByteSwap swap) {
      return new RegisterUse(List.of(swap.dst()), List.of(swap.dst()));
    }

    @Override
    public RegisterUse visit(LoadWide load) {
      return new RegisterUse(List.of(), List.of(load.dst()));
    }

    @Override
    public RegisterUse visit(Load load) {
      return new RegisterUse(List.of(load.base()), List.of(load.dst()));
    }

    @Override
    public RegisterUse visit(Store store) {
      return new RegisterUse(registers(store.base(), store.src()), List.of());
    }

    @Override
    public RegisterUse visit(Atomic atomic) {
      if (atomic.op() == AtomicOp.CMPXCHG) {
        return new RegisterUse(
            List.of(atomic.base(), atomic.src(), Register.R0), List.of(Register.R0));
      }
      return new RegisterUse(
          List.of(atomic.base(), atomic.src()),
          atomic.op().fetches() ? List.of(atomic.src()) : List.of());
    }

    @Override
    public RegisterUse visit(LoadPacket load) {
      return call(Stream.concat(Stream.of(Register.R6), load.index().stream()).toList());
    }

    @Override
    public RegisterUse visit(Jump jump) {
      return new RegisterUse(registers(jump.left(), jump.right()), List.of());
    }

    @Override
    public RegisterUse visit(Goto jump) {
      return NOTHING;
    }

    @Override
    public RegisterUse visit(CallHelper call) {
      int arguments =
          call.helper()
              .map(helper -> helper.signature().parameters().size())
              .orElse(ARGUMENTS.size());
      return CALLS.get(arguments);
    }

    @Override
    public RegisterUse visit(CallLocal call) {
      return CALLS.get(call.isGlobal() ? 0 : ARGUMENTS.size());
    }

    @Override
    public RegisterUse visit(CallKernel call) {
      return CALLS.get(ARGUMENTS.size());
    }

    @Override
    public RegisterUse visit(Exit exit) {
      return new RegisterUse(List.of(Register.R0), List.of());
    }

    @Override
    public RegisterUse visit(LabelMark mark) {
      return NOTHING;
    }

    @Override
    public RegisterUse visit(SourceMark mark) {
      return NOTHING;
    }
  }

  private record Renamer(UnaryOperator<Register> names)
      implements Instruction.Visitor<Instruction> {
    private Register rename(Register register) {
      return names.apply(register);
    }

    private Operand rename(Operand operand) {
      return operand instanceof Register register ? rename(register) : operand;
    }

    @Override
    public Instruction visit(Alu alu) {
      return new Alu(alu.width(), alu.op(), rename(alu.dst()), rename(alu.src()));
    }

    @Override
    public Instruction visit(Negate negate) {
      return new Negate(negate.width(), rename(negate.dst()));
    }

    @Override
    public Instruction visit(SignExtend extend) {
      return new SignExtend(
          extend.width(), extend.from(), rename(extend.dst()), rename(extend.src()));
    }

    @Override
    public Instruction visit(ByteSwap swap) {
      return new ByteSwap(swap.order(), swap.bits(), rename(swap.dst()));
    }

    @Override
    public Instruction visit(LoadWide load) {
      return new LoadWide(rename(load.dst()), load.source());
    }

    @Override
    public Instruction visit(Load load) {
      return new Load(
          load.size(), load.extension(), rename(load.dst()), rename(load.base()), load.offset());
    }

    @Override
    public Instruction visit(Store store) {
      return new Store(store.size(), rename(store.base()), store.offset(), rename(store.src()));
    }

    @Override
    public Instruction visit(Atomic atomic) {
      return new Atomic(
          atomic.size(), atomic.op(), rename(atomic.base()), atomic.offset(), rename(atomic.src()));
    }

    @Override
    public Instruction visit(LoadPacket load) {
      return new LoadPacket(load.size(), load.index().map(this::rename), load.offset());
    }

    @Override
    public Instruction visit(Jump jump) {
      return new Jump(
          jump.width(), jump.op(), rename(jump.left()), rename(jump.right()), jump.target());
    }

    @Override
    public Instruction visit(Goto jump) {
      return jump;
    }

    @Override
    public Instruction visit(CallHelper call) {
      return call;
    }

    @Override
    public Instruction visit(CallLocal call) {
      return call;
    }

    @Override
    public Instruction visit(CallKernel call) {
      return call;
    }

    @Override
    public Instruction visit(Exit exit) {
      return exit;
    }

    @Override
    public Instruction visit(LabelMark mark) {
      return mark;
    }

    @Override
    public Instruction visit(SourceMark mark) {
      return mark;
    }
  }
}
