package dev.ply.bpf.generate;

import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.Intrinsic;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.UnaryOp;
import java.util.List;
import java.util.Random;

/** Makes random integer expressions of what a scene has. */
public final class Expressions {
  private static final UnaryOp[] UNARY = {UnaryOp.NEGATE, UnaryOp.COMPLEMENT, UnaryOp.NOT};

  private final Random random;
  private final Scene scene;

  /** A source of expressions about a scene. */
  public Expressions(Random random, Scene scene) {
    this.random = random;
    this.scene = scene;
  }

  /** Returns an expression of about {@code size} operands. */
  public Expr integer(int size) {
    if (size <= 1) {
      return switch (random.nextInt(8)) {
        case 0 -> new Expr.Unary(UNARY[random.nextInt(3)], scene.integer(), SourceSpan.NONE);
        case 1 -> texts();
        default -> scene.integer();
      };
    }
    List<BinaryOp> all = List.of(BinaryOp.values());
    BinaryOp op = all.get(random.nextInt(all.size()));
    int left = 1 + random.nextInt(size - 1);
    Expr binary = new Expr.Binary(op, integer(left), operand(op, size - left), SourceSpan.NONE);
    return random.nextInt(5) == 0
        ? new Expr.Unary(UNARY[random.nextInt(3)], binary, SourceSpan.NONE)
        : binary;
  }

  /** Returns a right operand: a constant never divides by zero. */
  private Expr operand(BinaryOp op, int size) {
    Expr operand = integer(size);
    boolean divides = op == BinaryOp.DIV || op == BinaryOp.MOD;
    return divides && isZero(operand) ? new Expr.IntLiteral(1, SourceSpan.NONE) : operand;
  }

  private static boolean isZero(Expr expr) {
    return expr instanceof Expr.IntLiteral literal
        ? literal.value() == 0
        : expr instanceof Expr.Unary minus
            && minus.op() == UnaryOp.NEGATE
            && isZero(minus.operand());
  }

  /** Returns a comparison of two texts. */
  private Expr texts() {
    Expr left = scene.text();
    Expr right = scene.text();
    return switch (random.nextInt(3)) {
      case 0 -> new Expr.Binary(BinaryOp.EQ, left, right, SourceSpan.NONE);
      case 1 -> new Expr.Binary(BinaryOp.NE, left, right, SourceSpan.NONE);
      default -> new Expr.Call(Intrinsic.STRCMP, List.of(left, right), SourceSpan.NONE);
    };
  }

  /** Returns {@code x - (y - (z - …))} of so many operands, all of which wait for the last. */
  public Expr leaningRight(int operands) {
    Expr last = scene.integer();
    return operands <= 1
        ? last
        : new Expr.Binary(BinaryOp.SUB, last, leaningRight(operands - 1), SourceSpan.NONE);
  }

  /** Returns {@code ((x - y) - (z - x)) - …}: a full tree of that depth. */
  public Expr tree(int depth) {
    return depth == 0
        ? scene.integers().get(random.nextInt(scene.integers().size()))
        : new Expr.Binary(BinaryOp.SUB, tree(depth - 1), tree(depth - 1), SourceSpan.NONE);
  }
}
