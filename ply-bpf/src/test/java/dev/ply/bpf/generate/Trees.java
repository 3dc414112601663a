package dev.ply.bpf.generate;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;

/**
 * Arbitrary numbers that are computed from many operands. They do not shrink by themselves; what
 * they are in is shrunk by its structure.
 */
final class Trees {
  private static final int GENERATION_SIZE = 1000;
  private static final List<UnaryOp> SIGNS =
      List.of(UnaryOp.NEGATE, UnaryOp.COMPLEMENT, UnaryOp.NOT);
  private static final List<BinaryOp> OPERATORS = List.of(BinaryOp.values());

  private final RandomGenerator<Expr> operands;

  Trees(Arbitrary<Expr> operands) {
    this.operands = operands.generator(GENERATION_SIZE);
  }

  /** Returns expressions of any shape with all operators. */
  Arbitrary<Expr> ofAnyShape(int mostOperands) {
    return Fixed.of(
        random -> Shrinkable.unshrinkable(anyShape(random, 1 + random.nextInt(mostOperands))));
  }

  private Expr anyShape(Random random, int size) {
    if (size == 1) {
      return operand(random);
    }
    BinaryOp op = OPERATORS.get(random.nextInt(OPERATORS.size()));
    int left = 1 + random.nextInt(size - 1);
    Expr binary =
        TypedExpressions.binary(op, anyShape(random, left), anyShape(random, size - left));
    return random.nextInt(5) == 0
        ? new Expr.Unary(SIGNS.get(random.nextInt(SIGNS.size())), binary, SourceSpan.NONE)
        : binary;
  }

  /** Returns {@code x - (y - (z - …))}: all operands wait for the last. */
  Arbitrary<Expr> leaningRight(int mostOperands) {
    return Fixed.of(
        random -> {
          Expr expr = operand(random);
          for (int i = random.nextInt(mostOperands); i > 0; i--) {
            expr = minus(operand(random), expr);
          }
          return Shrinkable.unshrinkable(expr);
        });
  }

  /** Returns {@code ((x - y) - (z - x)) - …}: no shape needs more registers. */
  Arbitrary<Expr> full(int deepest) {
    return Fixed.of(random -> Shrinkable.unshrinkable(full(random, 1 + random.nextInt(deepest))));
  }

  private Expr full(Random random, int depth) {
    return depth == 0 ? operand(random) : minus(full(random, depth - 1), full(random, depth - 1));
  }

  private static Expr minus(Expr left, Expr right) {
    return new Expr.Binary(BinaryOp.SUB, left, right, SourceSpan.NONE);
  }

  private Expr operand(Random random) {
    return operands.next(random).value();
  }
}
