package dev.ply.bpf.generate;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Loads and stores in the stack and the context. */
final class MemoryPieces {
  private final Mistakes mistakes;
  private final Operands operands;

  MemoryPieces(Mistakes mistakes) {
    this.mistakes = mistakes;
    this.operands = new Operands(mistakes);
  }

  /** Mostly aligned and within the first words of the frame. */
  private Arbitrary<Integer> frameOffsets() {
    return mistakes.mostly(
        20,
        Arbitraries.integers().between(1, Piece.WORDS).map(word -> -8 * word),
        Arbitraries.oneOf(
            Arbitraries.integers().between(-48, -1), Arbitraries.of(0, 8, -504, -512, -520)));
  }

  Arbitrary<Instruction> stack() {
    Arbitrary<Size> sizes = Arbitraries.of(Size.DW, Size.DW, Size.W, Size.H, Size.B);
    return Arbitraries.oneOf(
        Combinators.combine(sizes, frameOffsets(), operands.operands())
            .as((size, offset, src) -> new Store(size, Register.R10, offset, src)),
        Combinators.combine(sizes, Operands.results(), frameOffsets())
            .as((size, dst, offset) -> new Load(size, Extension.ZERO, dst, Register.R10, offset)),
        Combinators.combine(
                Arbitraries.of(Size.W, Size.DW),
                Arbitraries.of(AtomicOp.class),
                frameOffsets(),
                Operands.results())
            .as((size, op, offset, src) -> new Atomic(size, op, Register.R10, offset, src)));
  }

  Arbitrary<Instruction> context() {
    Arbitrary<Integer> offsets =
        mistakes.mostly(
            20,
            Arbitraries.integers().between(0, 11).map(word -> 8 * word),
            Arbitraries.integers().between(-8, 104));
    return Combinators.combine(
            Arbitraries.of(Size.DW, Size.DW, Size.W, Size.B), Operands.results(), offsets)
        .as((size, dst, offset) -> new Load(size, Extension.ZERO, dst, new Register(6), offset));
  }

  /** Loads from the stack on one path, and on another by mistake from the context. */
  Arbitrary<Piece> eitherWay() {
    return Combinators.combine(
            Operands.results(),
            Operands.results(),
            mistakes.mostly(3, Arbitraries.just(Register.R10), Arbitraries.just(new Register(6))))
        .as(
            (condition, result, other) ->
                number -> {
                  Label load = new Label("load" + number);
                  List<Instruction> code = new ArrayList<>(Piece.argument(1, -8));
                  code.add(new Store(Size.DW, Register.R10, -8, new Immediate(1)));
                  code.add(new Jump(Width.W64, JumpOp.JEQ, condition, new Immediate(0), load));
                  code.add(Piece.move(1, other));
                  code.add(
                      new Alu(
                          Width.W64,
                          AluOp.ADD,
                          Register.R1,
                          new Immediate(other.equals(Register.R10) ? -8 : 0)));
                  code.add(new LabelMark(load));
                  code.add(new Load(Size.DW, Extension.ZERO, result, Register.R1, 0));
                  return code;
                });
  }
}
