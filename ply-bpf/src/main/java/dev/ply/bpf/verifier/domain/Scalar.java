package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.isa.Width;
import java.util.Optional;

/**
 * A number: what is known of its bits, of the whole and of its lower half, each made consistent
 * with the others.
 *
 * @param bits the known bits
 * @param range the bounds of the 64-bit number
 * @param lower the bounds of the lower 32 bits
 * @param id nonzero if registers with the same id hold the same number, so that a comparison of one
 *     tells about all
 */
public record Scalar(Tnum bits, ScalarRange range, ScalarRange lower, int id)
    implements RegisterState {
  private static final long LOWER = 0xffff_ffffL;
  private static final Scalar TOP =
      new Scalar(Tnum.top(), ScalarRange.top(Width.W64), ScalarRange.top(Width.W32), 0);

  @Override
  public boolean equals(Object other) {
    return other instanceof Scalar number
        && number.id == id
        && number.bits.equals(bits)
        && number.range.equals(range)
        && number.lower.equals(lower);
  }

  @Override
  public int hashCode() {
    return (bits.hashCode() * 31 + range.hashCode()) * 31 + id;
  }

  /** Returns the number of which nothing is known. */
  public static Scalar top() {
    return TOP;
  }

  /** Returns the number that is {@code value}. */
  public static Scalar constant(long value) {
    return new Scalar(
        Tnum.constant(value),
        ScalarRange.constant(Width.W64, value),
        ScalarRange.constant(Width.W32, value),
        0);
  }

  /** Returns an unknown number of {@code bytes} bytes (1, 2, 4 or 8), zero-extended. */
  public static Scalar ofBytes(int bytes) {
    return bytes == 8 ? TOP : ofBits(Tnum.top().truncate(bytes));
  }

  /** Returns an unknown number of {@code bytes} bytes (1, 2, 4 or 8), sign-extended. */
  public static Scalar ofSignedBytes(int bytes) {
    if (bytes == 8) {
      return TOP;
    }
    long limit = 1L << (bytes * 8 - 1);
    return ofRange(ScalarRange.signed(Width.W64, -limit, limit - 1));
  }

  /** Returns the number known by its bits. */
  public static Scalar ofBits(Tnum bits) {
    return consistent(bits, ScalarRange.top(Width.W64), ScalarRange.top(Width.W32)).orElse(TOP);
  }

  /** Returns the number known by its 64-bit bounds, which must not be empty. */
  public static Scalar ofRange(ScalarRange range) {
    return consistent(Tnum.top(), range, ScalarRange.top(Width.W32)).orElse(TOP);
  }

  /**
   * Returns the number that is all of this, each part tightened by the others, or nothing if they
   * contradict each other.
   */
  public static Optional<Scalar> consistent(Tnum bits, ScalarRange range, ScalarRange lower) {
    // Each step only tightens, and the second round carries what the first found across.
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

  /** Returns what the bounds of the whole tell about its lower half. */
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

  /** Returns what the bounds of the lower half tell about the whole, itself inside a range. */
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

  /** Returns the bounds in that width. */
  public ScalarRange range(Width width) {
    return width == Width.W64 ? range : lower;
  }

  /** Returns the known bits in that width. */
  public Tnum bits(Width width) {
    return width == Width.W64 ? bits : bits.truncate(4);
  }

  /** Returns whether this is one number. */
  public boolean isConstant() {
    return bits.isConstant();
  }

  /** Returns the one number this is, if it is one. */
  public Optional<Long> constantValue() {
    return isConstant() ? Optional.of(bits.value()) : Optional.empty();
  }

  /** Returns whether {@code concrete} is one of the numbers this stands for. */
  public boolean contains(long concrete) {
    return bits.contains(concrete) && range.contains(concrete) && lower.contains(concrete);
  }

  /** Returns the same number with that identity. */
  public Scalar withId(int id) {
    return new Scalar(bits, range, lower, id);
  }

  /** Returns the lower {@code bytes} bytes (1, 2, 4 or 8), the rest zero. */
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
   * Returns the lower {@code bytes} bytes (1, 2 or 4), the rest copies of their sign bit; as exact
   * as the kernel, which knows more than the size only if all numbers share their upper bytes and
   * sign.
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

  /** Returns whether every number of this is one of {@code other}, and linked alike. */
  public boolean isSubsumedBy(Scalar other, IdentityMatch ids) {
    return isWithin(other) && ids.matchNumber(other.id, id);
  }

  /** Returns whether every number of this is one of {@code other}. */
  public boolean isWithin(Scalar other) {
    return bits.isSubsumedBy(other.bits)
        && range.isSubsumedBy(other.range)
        && lower.isSubsumedBy(other.lower);
  }

  /** Returns the least number known to contain both. */
  public Scalar join(Scalar other) {
    return new Scalar(bits.join(other.bits), range.join(other.range), lower.join(other.lower), 0);
  }

  /** Returns this with all that {@code other} contradicts given up, so that chains are short. */
  public Scalar widen(Scalar other) {
    return consistent(
            other.bits.isSubsumedBy(bits) ? bits : Tnum.top(),
            range.widen(other.range),
            lower.widen(other.lower))
        .orElse(TOP);
  }
}
