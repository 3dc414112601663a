package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Width;
import java.util.Optional;

/** A comparison of two scalars: its outcome, if certain, and the refinement by each outcome. */
public record Comparison(Width width, JumpOp op, Scalar left, Scalar right) {

  /** Both operands, refined by an outcome. */
  public record Operands(Scalar left, Scalar right) {}

  /** Returns the outcome, if it is the same for all values. */
  public Optional<Boolean> outcome() {
    return switch (op) {
      case JEQ -> equality();
      case JNE -> equality().map(equal -> !equal);
      case JSET -> commonBit();
      case JGT -> above(a(), b(), false);
      case JGE -> above(b(), a(), false).map(less -> !less);
      case JLT -> above(b(), a(), false);
      case JLE -> above(a(), b(), false).map(more -> !more);
      case JSGT -> above(a(), b(), true);
      case JSGE -> above(b(), a(), true).map(less -> !less);
      case JSLT -> above(b(), a(), true);
      case JSLE -> above(a(), b(), true).map(more -> !more);
    };
  }

  /** Returns the operands where the jump is taken; unchanged if that is infeasible. */
  public Operands ifTaken() {
    return switch (op) {
      case JEQ -> ifEqual();
      case JNE -> ifUnequal();
      case JSET -> ifCommonBit();
      case JGT -> ifOrdered(right, left, true, false).swapped();
      case JGE -> ifOrdered(right, left, false, false).swapped();
      case JLT -> ifOrdered(left, right, true, false).inOrder();
      case JLE -> ifOrdered(left, right, false, false).inOrder();
      case JSGT -> ifOrdered(right, left, true, true).swapped();
      case JSGE -> ifOrdered(right, left, false, true).swapped();
      case JSLT -> ifOrdered(left, right, true, true).inOrder();
      case JSLE -> ifOrdered(left, right, false, true).inOrder();
    };
  }

  /** Returns the operands where the jump is not taken; unchanged if that is infeasible. */
  public Operands ifNotTaken() {
    return switch (op) {
      case JEQ -> with(JumpOp.JNE).ifTaken();
      case JNE -> with(JumpOp.JEQ).ifTaken();
      case JSET -> ifNoCommonBit();
      case JGT -> with(JumpOp.JLE).ifTaken();
      case JGE -> with(JumpOp.JLT).ifTaken();
      case JLT -> with(JumpOp.JGE).ifTaken();
      case JLE -> with(JumpOp.JGT).ifTaken();
      case JSGT -> with(JumpOp.JSLE).ifTaken();
      case JSGE -> with(JumpOp.JSLT).ifTaken();
      case JSLT -> with(JumpOp.JSGE).ifTaken();
      case JSLE -> with(JumpOp.JSGT).ifTaken();
    };
  }

  private Comparison with(JumpOp other) {
    return new Comparison(width, other, left, right);
  }

  private ScalarRange a() {
    return left.range(width);
  }

  private ScalarRange b() {
    return right.range(width);
  }

  private Optional<Boolean> equality() {
    if (left.bits(width).isDisjointFrom(right.bits(width)) || a().intersect(b()).isEmpty()) {
      return Optional.of(false);
    }
    return a().isConstant() && b().isConstant() ? Optional.of(true) : Optional.empty();
  }

  private Optional<Boolean> commonBit() {
    if (!b().isConstant()) {
      return Optional.empty(); // The kernel decides JSET for constants only.
    }
    Tnum common = left.bits(width).and(right.bits(width));
    if (common.value() != 0) {
      return Optional.of(true);
    }
    return common.mask() == 0 ? Optional.of(false) : Optional.empty();
  }

  private static Optional<Boolean> above(ScalarRange more, ScalarRange less, boolean signed) {
    if (signed) {
      return more.smin() > less.smax()
          ? Optional.of(true)
          : more.smax() <= less.smin() ? Optional.of(false) : Optional.empty();
    }
    return Long.compareUnsigned(more.umin(), less.umax()) > 0
        ? Optional.of(true)
        : Long.compareUnsigned(more.umax(), less.umin()) <= 0
            ? Optional.of(false)
            : Optional.empty();
  }

  private Operands ifEqual() {
    if (left.bits(width).isDisjointFrom(right.bits(width))) {
      return new Operands(left, right);
    }
    ScalarRange both = a().intersect(b());
    Tnum bits = left.bits(width).intersect(right.bits(width));
    return new Operands(refined(left, bits, both), refined(right, bits, both));
  }

  private Operands ifUnequal() {
    return new Operands(
        b().isConstant() ? without(left, b().umin()) : left,
        a().isConstant() ? without(right, a().umin()) : right);
  }

  /** Excludes a value from the bounds of a scalar. */
  private Scalar without(Scalar number, long value) {
    ScalarRange range = number.range(width);
    if (range.isConstant()) {
      return number;
    }
    ScalarRange excluded = ScalarRange.constant(width, value);
    ScalarRange rest =
        new ScalarRange(
            width,
            range.smin() == excluded.smin() ? range.smin() + 1 : range.smin(),
            range.smax() == excluded.smin() ? range.smax() - 1 : range.smax(),
            range.umin() == excluded.umin() ? range.umin() + 1 : range.umin(),
            range.umax() == excluded.umin() ? range.umax() - 1 : range.umax());
    return refined(number, number.bits(width), rest);
  }

  private Operands ifCommonBit() {
    if (b().isConstant() && Long.bitCount(b().umin()) == 1) {
      long bit = b().umin();
      Tnum known = left.bits(width);
      return new Operands(
          refined(left, new Tnum(known.value() | bit, known.mask() & ~bit), a()), right);
    }
    return new Operands(left, right);
  }

  private Operands ifNoCommonBit() {
    if (!b().isConstant()) {
      return new Operands(left, right);
    }
    Tnum known = left.bits(width);
    long clear = ~b().umin();
    return new Operands(
        refined(left, new Tnum(known.value() & clear, known.mask() & clear), a()), right);
  }

  private Ordered ifOrdered(Scalar less, Scalar more, boolean strictly, boolean signed) {
    ScalarRange top = ScalarRange.top(width);
    ScalarRange low = less.range(width);
    ScalarRange high = more.range(width);
    int gap = strictly ? 1 : 0;
    if (signed) {
      if (strictly && (high.smax() == top.smin() || low.smin() == top.smax())) {
        return new Ordered(less, more);
      }
      return new Ordered(
          refined(
              less,
              less.bits(width),
              low.intersect(
                  new ScalarRange(width, top.smin(), high.smax() - gap, top.umin(), top.umax()))),
          refined(
              more,
              more.bits(width),
              high.intersect(
                  new ScalarRange(width, low.smin() + gap, top.smax(), top.umin(), top.umax()))));
    }
    if (strictly && (high.umax() == 0 || low.umin() == top.umax())) {
      return new Ordered(less, more);
    }
    return new Ordered(
        refined(
            less,
            less.bits(width),
            low.intersect(new ScalarRange(width, top.smin(), top.smax(), 0, high.umax() - gap))),
        refined(
            more,
            more.bits(width),
            high.intersect(
                new ScalarRange(width, top.smin(), top.smax(), low.umin() + gap, top.umax()))));
  }

  /** Returns a scalar refined in the width of this comparison; unchanged if contradictory. */
  private Scalar refined(Scalar number, Tnum bits, ScalarRange range) {
    if (range.isEmpty()) {
      return number;
    }
    Tnum known = width == Width.W64 ? bits : bits.withUnknownUpperHalf();
    if (number.bits().isDisjointFrom(known)) {
      return number;
    }
    return Scalar.consistent(
            number.bits().intersect(known),
            width == Width.W64 ? range : number.range(),
            width == Width.W32 ? range : number.lower())
        .orElse(number)
        .withId(number.id());
  }

  private record Ordered(Scalar less, Scalar more) {
    Operands inOrder() {
      return new Operands(less, more);
    }

    Operands swapped() {
      return new Operands(more, less);
    }
  }
}
