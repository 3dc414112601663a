package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Width;

/**
 * Abstract arithmetic on scalars: sound, and exactly as precise as the kernel's.
 *
 * <p>Quotients, remainders and shifts by variable counts are unknown, as in the kernel: more
 * precision would accept programs that the kernel rejects.
 */
public final class ScalarArithmetic {
  private ScalarArithmetic() {}

  /** Returns {@code left op right}; 32-bit results are zero-extended. */
  public static Scalar apply(AluOp op, Width width, Scalar left, Scalar right) {
    return switch (op) {
      case ADD ->
          of(
              width,
              left.bits().add(right.bits()),
              left.range().add(right.range()),
              left.lower().add(right.lower()));
      case SUB ->
          of(
              width,
              left.bits().sub(right.bits()),
              left.range().sub(right.range()),
              left.lower().sub(right.lower()));
      case MUL ->
          of(
              width,
              left.bits().mul(right.bits()),
              left.range().mul(right.range()),
              left.lower().mul(right.lower()));
      case AND -> and(width, left, right);
      case OR -> or(width, left, right);
      case XOR ->
          of(
              width,
              left.bits().xor(right.bits()),
              ScalarRange.top(Width.W64),
              ScalarRange.top(Width.W32));
      case LSH, RSH, ARSH -> shift(op, width, left, right);
      // The kernel does not even know that the upper half of a 32-bit result is zero.
      case DIV, SDIV, MOD, SMOD -> Scalar.top();
      case MOV -> width == Width.W64 ? right.withId(0) : right.truncate(4).withId(0);
    };
  }

  /** Returns an unknown value of the given width, zero-extended. */
  public static Scalar unknown(Width width) {
    return Scalar.ofBytes(width == Width.W64 ? 8 : 4);
  }

  private static Scalar and(Width width, Scalar left, Scalar right) {
    long limit = ScalarRange.minUnsigned(left.range().umax(), right.range().umax());
    long lowerLimit = Math.min(left.lower().umax(), right.lower().umax());
    return of(
        width,
        left.bits().and(right.bits()),
        ScalarRange.unsigned(Width.W64, 0, limit),
        ScalarRange.unsigned(Width.W32, 0, lowerLimit));
  }

  private static Scalar or(Width width, Scalar left, Scalar right) {
    long least = ScalarRange.maxUnsigned(left.range().umin(), right.range().umin());
    long lowerLeast = Math.max(left.lower().umin(), right.lower().umin());
    return of(
        width,
        left.bits().or(right.bits()),
        ScalarRange.unsigned(Width.W64, least, -1),
        ScalarRange.unsigned(Width.W32, lowerLeast, 0xffff_ffffL));
  }

  private static Scalar shift(AluOp op, Width width, Scalar left, Scalar right) {
    int bits = width == Width.W64 ? 64 : 32;
    ScalarRange by = right.range(width);
    if (!by.isConstant() || Long.compareUnsigned(by.umax(), bits) >= 0) {
      return Scalar.top();
    }
    int count = (int) by.umax();
    Tnum known = left.bits(width);
    ScalarRange range = left.range(width);
    if (op == AluOp.LSH) {
      // "<<= 32; s>>= 32" is the sign extension before kernel 6.6.
      ScalarRange shifted =
          width == Width.W64 && count == 32
              ? ScalarRange.signed(Width.W64, left.lower().smin() << 32, left.lower().smax() << 32)
              : range.lsh(count);
      return ofWidth(width, known.lsh(count), shifted);
    } else if (op == AluOp.RSH) {
      return ofWidth(width, known.rsh(count), range.rsh(count));
    }
    return ofWidth(
        width, width == Width.W64 ? known.arsh(count) : known.arsh32(count), range.arsh(count));
  }

  private static Scalar ofWidth(Width width, Tnum bits, ScalarRange range) {
    return width == Width.W64
        ? of(width, bits, range, ScalarRange.top(Width.W32))
        : of(width, bits, ScalarRange.top(Width.W64), range);
  }

  private static Scalar of(Width width, Tnum bits, ScalarRange range, ScalarRange lower) {
    if (width == Width.W64) {
      return Scalar.consistent(bits, range, lower).orElse(Scalar.top());
    }
    return Scalar.consistent(
            bits.truncate(4), ScalarRange.unsigned(Width.W64, lower.umin(), lower.umax()), lower)
        .orElse(unknown(Width.W32));
  }
}
