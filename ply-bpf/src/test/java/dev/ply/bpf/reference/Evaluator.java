package dev.ply.bpf.reference;

import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.Intrinsic;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.UnaryOp;
import java.math.BigInteger;
import java.util.Map;

/** Evaluates integer expressions by C's rules, with unbounded numbers cut to size. */
public final class Evaluator {
  private final Map<String, Int> numbers;
  private final Map<String, String> texts;

  /**
   * An evaluator that knows the values of what an expression is made of, by the texts that {@link
   * IrPrinter} gives them.
   */
  public Evaluator(Map<String, Int> numbers, Map<String, String> texts) {
    this.numbers = Map.copyOf(numbers);
    this.texts = Map.copyOf(texts);
  }

  /** An integer of a C type; the value is in the type's range. */
  public record Int(BigInteger value, int bits, boolean signed) {
    /** Returns the number cut to that size. */
    public static Int of(BigInteger value, int bits, boolean signed) {
      BigInteger cut = value.mod(BigInteger.TWO.pow(bits));
      boolean negative = signed && cut.testBit(bits - 1);
      return new Int(negative ? cut.subtract(BigInteger.TWO.pow(bits)) : cut, bits, signed);
    }

    /** Returns the number cut to that size. */
    public static Int of(long value, int bits, boolean signed) {
      return of(BigInteger.valueOf(value), bits, signed);
    }

    Int as(int newBits, boolean newSigned) {
      return of(value, newBits, newSigned);
    }

    /** Returns this as C's integer promotion makes it. */
    public Int promoted() {
      return bits < 32 ? as(32, true) : this;
    }

    /** Tells whether this is not zero. */
    public boolean isTrue() {
      return value.signum() != 0;
    }
  }

  private static Int truth(boolean value) {
    return Int.of(value ? 1 : 0, 32, true);
  }

  /** Returns the value of an expression. */
  public Int evaluate(Expr expr) {
    Int known = numbers.get(IrPrinter.print(expr));
    if (known != null) {
      return known;
    }
    if (expr instanceof Expr.IntLiteral literal) {
      return literal(new BigInteger(Long.toUnsignedString(literal.value())));
    }
    if (expr instanceof Expr.Unary unary) {
      return unary(unary.op(), evaluate(unary.operand()));
    }
    if (expr instanceof Expr.Binary binary) {
      return binary(binary);
    }
    if (expr instanceof Expr.Call call && call.function() == Intrinsic.STRCMP) {
      int order = text(call.arguments().get(0)).compareTo(text(call.arguments().get(1)));
      return Int.of(Integer.signum(order), 32, true);
    }
    throw new IllegalArgumentException("unknown: " + IrPrinter.print(expr));
  }

  private String text(Expr expr) {
    if (expr instanceof Expr.StringLiteral literal) {
      return literal.value();
    }
    String text = texts.get(IrPrinter.print(expr));
    if (text == null) {
      throw new IllegalArgumentException("unknown: " + IrPrinter.print(expr));
    }
    return text;
  }

  private boolean isText(Expr expr) {
    return expr instanceof Expr.StringLiteral || texts.containsKey(IrPrinter.print(expr));
  }

  private static Int literal(BigInteger value) {
    for (int bits = 32; bits <= 64; bits += 32) {
      for (boolean signed : new boolean[] {true, false}) {
        Int candidate = Int.of(value, bits, signed);
        if (candidate.value().equals(value)) {
          return candidate;
        }
      }
    }
    throw new IllegalArgumentException(value + " does not fit in 64 bits");
  }

  private static Int unary(UnaryOp op, Int operand) {
    Int value = operand.promoted();
    return switch (op) {
      case NOT -> truth(!operand.isTrue());
      case NEGATE -> Int.of(value.value().negate(), value.bits(), value.signed());
      case COMPLEMENT -> Int.of(value.value().not(), value.bits(), value.signed());
      case DEREFERENCE -> throw new IllegalArgumentException("no number");
    };
  }

  private Int binary(Expr.Binary node) {
    BinaryOp op = node.op();
    if (isText(node.left())) {
      boolean equal = text(node.left()).equals(text(node.right()));
      return truth(equal == (op == BinaryOp.EQ));
    }
    Int left = evaluate(node.left());
    Int right = evaluate(node.right());
    return switch (op.kind()) {
      case LOGICAL -> truth(logical(op, left.isTrue(), right.isTrue()));
      case SHIFT -> shift(op, left.promoted(), right);
      case ARITHMETIC, COMPARISON -> {
        Int a = left.promoted();
        Int b = right.promoted();
        int bits = Math.max(a.bits(), b.bits());
        boolean signed = (a.bits() < bits || a.signed()) && (b.bits() < bits || b.signed());
        BigInteger x = a.as(bits, signed).value();
        BigInteger y = b.as(bits, signed).value();
        yield op.kind() == BinaryOp.Kind.COMPARISON
            ? truth(compare(op, x.compareTo(y)))
            : Int.of(arithmetic(op, x, y), bits, signed);
      }
    };
  }

  private static boolean logical(BinaryOp op, boolean left, boolean right) {
    return op == BinaryOp.LOGICAL_AND
        ? left && right
        : op == BinaryOp.LOGICAL_OR ? left || right : left ^ right;
  }

  /** Shifts by the count modulo the width, as the machine does where C leaves it open. */
  private static Int shift(BinaryOp op, Int left, Int right) {
    int count = right.value().mod(BigInteger.valueOf(left.bits())).intValueExact();
    BigInteger shifted =
        op == BinaryOp.SHL ? left.value().shiftLeft(count) : left.value().shiftRight(count);
    return Int.of(shifted, left.bits(), left.signed());
  }

  private static boolean compare(BinaryOp op, int order) {
    return switch (op) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case GT -> order > 0;
      case LE -> order <= 0;
      case GE -> order >= 0;
      case LOGICAL_OR, LOGICAL_XOR, LOGICAL_AND, OR, XOR, AND, SHL, SHR, ADD, SUB, MUL, DIV, MOD ->
          throw new IllegalArgumentException(op.symbol());
    };
  }

  private static BigInteger arithmetic(BinaryOp op, BigInteger x, BigInteger y) {
    return switch (op) {
      case OR -> x.or(y);
      case XOR -> x.xor(y);
      case AND -> x.and(y);
      case ADD -> x.add(y);
      case SUB -> x.subtract(y);
      case MUL -> x.multiply(y);
      case DIV -> y.signum() == 0 ? BigInteger.ZERO : x.divide(y);
      case MOD -> y.signum() == 0 ? x : x.remainder(y);
      case LOGICAL_OR, LOGICAL_XOR, LOGICAL_AND, SHL, SHR, EQ, NE, LT, GT, LE, GE ->
          throw new IllegalArgumentException(op.symbol());
    };
  }
}
