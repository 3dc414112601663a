package dev.ply.bpf.generate;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Width;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Arithmetic on numbers. */
final class ArithmeticPieces {
  private final Mistakes mistakes;
  private final Operands operands;

  ArithmeticPieces(Mistakes mistakes) {
    this.mistakes = mistakes;
    this.operands = new Operands(mistakes);
  }

  Arbitrary<Piece> any() {
    return Piece.one(arithmetic());
  }

  private Arbitrary<Instruction> arithmetic() {
    Arbitrary<Width> widths = Arbitraries.of(Width.class);
    List<AluOp> operations =
        List.of(
            AluOp.ADD,
            AluOp.SUB,
            AluOp.MUL,
            AluOp.DIV,
            AluOp.OR,
            AluOp.AND,
            AluOp.LSH,
            AluOp.RSH,
            AluOp.MOD,
            AluOp.XOR,
            AluOp.MOV,
            AluOp.ARSH);
    return Arbitraries.frequencyOf(
        Tuple.of(
            8,
            Combinators.combine(
                    widths,
                    Arbitraries.of(operations),
                    Operands.results(),
                    operands.operands(),
                    mistakes.mostly(20, Arbitraries.just(true), Arbitraries.just(false)))
                .as(
                    (width, op, dst, src, isRight) ->
                        new Alu(width, op, dst, isRight ? possible(width, op, src) : src))),
        Tuple.of(
            2,
            Combinators.combine(
                    widths,
                    Arbitraries.of(AluOp.LSH, AluOp.RSH, AluOp.ARSH, AluOp.AND),
                    Operands.results(),
                    Arbitraries.integers().between(0, 31).map(Immediate::new))
                .as(Alu::new)),
        Tuple.of(1, Combinators.combine(widths, Operands.results()).as(Negate::new)),
        Tuple.of(
            1,
            Combinators.combine(
                    Arbitraries.of(ByteSwap.Order.BIG, ByteSwap.Order.LITTLE),
                    Arbitraries.of(16, 32, 64),
                    Operands.results())
                .as(ByteSwap::new)));
  }

  /** Shifts are shorter than what they shift, and nothing is divided by a zero one sees. */
  private static Operand possible(Width width, AluOp op, Operand src) {
    if (!(src instanceof Immediate immediate)) {
      return src;
    }
    return switch (op) {
      case LSH, RSH, ARSH -> new Immediate(immediate.value() & (width == Width.W64 ? 63 : 31));
      case DIV, MOD -> immediate.value() == 0 ? new Immediate(1) : src;
      default -> src;
    };
  }
}
