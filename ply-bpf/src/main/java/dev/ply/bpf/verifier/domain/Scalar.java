package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.isa.Width;
import java.util.Optional;

/**
 * An abstract scalar: known bits, 64-bit bounds and 32-bit bounds, consistent with each other.
 *
 * @param bits the known bits
 * @param range the bounds of the 64-bit value
 * @param lower the bounds of the lower 32 bits
 * @param id non-zero if registers of equal ID hold equal values, to refine them together
 */
public record Scalar(Tnum bits, ScalarRange range, ScalarRange lower, int id)
    implements RegisterState {
  private static final long LOWER = 0xffff_ffffL;
  private static final Scalar TOP =
      new Scalar(Tnum.top(), ScalarRange.top(Width.W64), ScalarRange.top(Width.W32), 0);

  /** Returns the unknown scalar. */
  public static Scalar top() {
    return TOP;
  }

  /** Returns a constant. */
  public static Scalar constant(long value) {
    return new Scalar(
        Tnum.constant(value),
        ScalarRange.constant(Width.W64, value),
        ScalarRange.constant(Width.W32, value),
        0);
  }

  /** Returns an unknown value of {@code bytes} bytes (1, 2, 4 or 8), zero-extended. */
  public static Scalar ofBytes(int bytes) {
    return bytes == 8 ? TOP : ofBits(Tnum.top().truncate(bytes));
  }

  /** Returns an unknown value of {@code bytes} bytes (1, 2, 4 or 8), sign-extended. */
  public static Scalar ofSignedBytes(int bytes) {
    if (bytes == 8) {
      return TOP;
    }
    long limit = 1L << (bytes * 8 - 1);
    return ofRange(ScalarRange.signed(Width.W64, -limit, limit - 1));
  }

  /** Returns the scalar with the given known bits. */
  public static Scalar ofBits(Tnum bits) {
    return consistent(bits, ScalarRange.top(Width.W64), ScalarRange.top(Width.W32)).orElse(TOP);
  }

  /** Returns the scalar with the given 64-bit bounds, which must not be empty. */
  public static Scalar ofRange(ScalarRange range) {
    return consistent(Tnum.top(), range, ScalarRange.top(Width.W32)).orElse(TOP);
  }

  /**
   * Returns the scalar that satisfies all three, each refined by the others; empty if none does.
   */
  public static Optional<Scalar> consistent(Tnum bits, ScalarRange range, ScalarRange lower) {
    // Each step only refines; the second round propagates the findings of the first.
    for (int round = 0; round < 2; round++) {
      range = range.intersect(ScalarRange.of(Width.W64, bits));
      lower = lower.intersect(ScalarRange.of(Width.W32, bits));
      if (range.isEmpty() || lower.isEmpty()) {
        return Optional.empty();
      }
      lower = lower.intersect(lowerOf(range));
      if (lower.isEmpty()) {
        return Optional.empty();
      }
      range = range.intersect(wholeOf(range, lower));
      if (range.isEmpty()) {
        return Optional.empty();
      }
      Tnum byRange = Tnum.range(range.umin(), range.umax());
      Tnum byLower = Tnum.range(lower.umin(), lower.umax()).withUnknownUpperHalf();
      if (bits.isDisjointFrom(byRange) || bits.intersect(byRange).isDisjointFrom(byLower)) {
        return Optional.empty();
      }
      bits = bits.intersect(byRange).intersect(byLower);
    }
    return Optional.of(new Scalar(bits, range, lower, 0));
  }

  /** Derives bounds of the lower half from bounds of the whole. */
  private static ScalarRange lowerOf(ScalarRange range) {
    ScalarRange result = ScalarRange.top(Width.W32);
    if (range.umin() >>> 32 == range.umax() >>> 32) {
      result =
          result.intersect(
              ScalarRange.unsigned(Width.W32, range.umin() & LOWER, range.umax() & LOWER));
    }
    if (range.smin() >= Integer.MIN_VALUE && range.smax() <= Integer.MAX_VALUE) {
      result = result.intersect(ScalarRange.signed(Width.W32, range.smin(), range.smax()));
    }
    return result;
  }

  /** Derives bounds of the whole, which is within {@code range}, from bounds of the lower half. */
  private static ScalarRange wholeOf(ScalarRange range, ScalarRange lower) {
    ScalarRange result =
        new ScalarRange(
            Width.W64,
            (range.smin() & ~LOWER) | lower.umin(),
            (range.smax() & ~LOWER) | lower.umax(),
            (range.umin() & ~LOWER) | lower.umin(),
            (range.umax() & ~LOWER) | lower.umax());
    return range.smin() >= Integer.MIN_VALUE && range.smax() <= Integer.MAX_VALUE
        ? result.intersect(ScalarRange.signed(Width.W64, lower.smin(), lower.smax()))
        : result;
  }

  /** Returns the bounds in the given width. */
  public ScalarRange range(Width width) {
    return width == Width.W64 ? range : lower;
  }

  /** Returns the known bits in the given width. */
  public Tnum bits(Width width) {
    return width == Width.W64 ? bits : bits.truncate(4);
  }

  /** Returns whether the value is known. */
  public boolean isConstant() {
    return bits.isConstant();
  }

  /** Returns the value, if known. */
  public Optional<Long> constantValue() {
    return isConstant() ? Optional.of(bits.value()) : Optional.empty();
  }

  /** Returns whether {@code concrete} is a possible value. */
  public boolean contains(long concrete) {
    return bits.contains(concrete) && range.contains(concrete) && lower.contains(concrete);
  }

  /** Returns this scalar with another ID. */
  public Scalar withId(int id) {
    return new Scalar(bits, range, lower, id);
  }

  /** Returns the low {@code bytes} bytes (1, 2, 4 or 8), zero-extended. */
  public Scalar truncate(int bytes) {
    if (bytes == 8) {
      return this;
    }
    long all = (1L << (bytes * 8)) - 1;
    if (Long.compareUnsigned(range.umax(), all) <= 0) {
      return this;
    }
    ScalarRange kept =
        bytes == 4
            ? ScalarRange.unsigned(Width.W64, lower.umin(), lower.umax())
            : ScalarRange.top(Width.W64);
    return consistent(bits.truncate(bytes), kept, ScalarRange.top(Width.W32)).orElse(TOP);
  }

  /**
   * Returns the low {@code bytes} bytes (1, 2 or 4), sign-extended; as precise as the kernel, which
   * keeps bounds only if all values share their upper bytes and sign.
   */
  public Scalar signExtend(int bytes) {
    int unused = 64 - bytes * 8;
    if (isConstant()) {
      return constant(bits.value() << unused >> unused);
    }
    long first = range.smin() << unused >> unused;
    long last = range.smax() << unused >> unused;
    boolean sameTop = range.smin() >> (bytes * 8) == range.smax() >> (bytes * 8);
    return sameTop && first < 0 == last < 0
        ? ofRange(ScalarRange.signed(Width.W64, first, last))
        : ofSignedBytes(bytes);
  }

  /** Returns whether {@code other} subsumes this scalar, with IDs related by {@code ids}. */
  public boolean isSubsumedBy(Scalar other, IdentityMatch ids) {
    return isWithin(other) && ids.matchNumber(other.id, id);
  }

  /** Returns whether every possible value is one of {@code other}. */
  public boolean isWithin(Scalar other) {
    return bits.isSubsumedBy(other.bits)
        && range.isSubsumedBy(other.range)
        && lower.isSubsumedBy(other.lower);
  }

  /** Returns the least upper bound. */
  public Scalar join(Scalar other) {
    return new Scalar(bits.join(other.bits), range.join(other.range), lower.join(other.lower), 0);
  }

  /** Returns an upper bound that drops every bound that {@code other} exceeds (widening). */
  public Scalar widen(Scalar other) {
    return consistent(
            other.bits.isSubsumedBy(bits) ? bits : Tnum.top(),
            range.widen(other.range),
            lower.widen(other.lower))
        .orElse(TOP);
  }
}
