package dev.ply.bpf.generate;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
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
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadPacket;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Instruction.SignExtend;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Arbitrary instructions over the machine's registers, valid one by one. */
public final class Instructions {
  private static final List<Size> UP_TO_WORD = List.of(Size.B, Size.H, Size.W);

  private Instructions() {}

  /** Returns r0 to r10. */
  public static Arbitrary<Register> registers() {
    return Arbitraries.integers().between(0, 10).map(Register::new);
  }

  /** Returns 32-bit immediates, with many small and extreme ones. */
  public static Arbitrary<Immediate> immediates() {
    return Arbitraries.integers().map(Immediate::new);
  }

  /** Returns registers and immediates. */
  public static Arbitrary<Operand> operands() {
    return Arbitraries.oneOf(registers(), immediates());
  }

  /** Returns every kind of instruction, those with a target naming one of {@code labels}. */
  public static Arbitrary<Instruction> any(Arbitrary<Label> labels) {
    return Arbitraries.frequencyOf(
        Tuple.of(3, arithmetic()),
        Tuple.of(3, memory()),
        Tuple.of(2, wideLoads(labels)),
        Tuple.of(3, control(labels)));
  }

  /** Returns instructions that compute in registers. */
  public static Arbitrary<Instruction> arithmetic() {
    Arbitrary<Width> widths = Arbitraries.of(Width.class);
    Arbitrary<Register> registers = registers();
    return Arbitraries.oneOf(
        Combinators.combine(widths, Arbitraries.of(AluOp.class), registers, operands())
            .as(Alu::new),
        Combinators.combine(widths, registers).as(Negate::new),
        Combinators.combine(Arbitraries.of(UP_TO_WORD), registers, registers)
            .as((from, dst, src) -> new SignExtend(Width.W64, from, dst, src)),
        Combinators.combine(Arbitraries.of(Size.B, Size.H), registers, registers)
            .as((from, dst, src) -> new SignExtend(Width.W32, from, dst, src)),
        Combinators.combine(
                Arbitraries.of(ByteSwap.Order.class), Arbitraries.of(16, 32, 64), registers)
            .as(ByteSwap::new));
  }

  /** Returns loads, stores, atomic operations and packet loads. */
  public static Arbitrary<Instruction> memory() {
    Arbitrary<Size> sizes = Arbitraries.of(Size.class);
    Arbitrary<Integer> offsets = Arbitraries.integers().between(Short.MIN_VALUE, Short.MAX_VALUE);
    Arbitrary<Register> registers = registers();
    return Arbitraries.oneOf(
        Combinators.combine(sizes, registers, registers, offsets)
            .as((size, dst, base, offset) -> new Load(size, Extension.ZERO, dst, base, offset)),
        Combinators.combine(Arbitraries.of(UP_TO_WORD), registers, registers, offsets)
            .as((size, dst, base, offset) -> new Load(size, Extension.SIGN, dst, base, offset)),
        Combinators.combine(sizes, registers, offsets, operands()).as(Store::new),
        Combinators.combine(
                Arbitraries.of(Size.W, Size.DW),
                Arbitraries.of(AtomicOp.class),
                registers,
                offsets,
                registers)
            .as(Atomic::new),
        Combinators.combine(
                Arbitraries.of(UP_TO_WORD), registers.optional(), Arbitraries.integers())
            .as(LoadPacket::new));
  }

  /** Returns 64-bit immediate loads, maps named {@code a} to {@code d}. */
  public static Arbitrary<Instruction> wideLoads(Arbitrary<Label> labels) {
    Arbitrary<String> maps = Arbitraries.of("a", "b", "c", "d");
    Arbitrary<WideSource> sources =
        Arbitraries.oneOf(
            Arbitraries.longs().map(WideSource.Constant::new),
            maps.map(WideSource.Map::new),
            Combinators.combine(maps, Arbitraries.integers()).as(WideSource.MapValue::new),
            Arbitraries.integers().map(WideSource.Variable::new),
            labels.map(WideSource.Function::new),
            Arbitraries.integers().map(WideSource.IndexedMap::new),
            Combinators.combine(Arbitraries.integers(), Arbitraries.integers())
                .as(WideSource.IndexedMapValue::new));
    return Combinators.combine(registers(), sources).as(LoadWide::new);
  }

  /** Returns jumps, calls and exits. */
  public static Arbitrary<Instruction> control(Arbitrary<Label> labels) {
    return Arbitraries.oneOf(
        Combinators.combine(
                Arbitraries.of(Width.class),
                Arbitraries.of(JumpOp.class),
                registers(),
                operands(),
                labels)
            .as(Jump::new),
        labels.map(Goto::new),
        Arbitraries.oneOf(Arbitraries.of(Helper.class).map(Helper::number), Arbitraries.integers())
            .map(CallHelper::new),
        labels.map(CallLocal::new),
        Arbitraries.integers().map(CallKernel::new),
        Arbitraries.just(new Exit()));
  }
}
