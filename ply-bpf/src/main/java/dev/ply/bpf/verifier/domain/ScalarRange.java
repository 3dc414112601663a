package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.isa.Width;
import java.util.Optional;

/**
 * Signed and unsigned bounds of a 32-bit or 64-bit value, inclusive.
 *
 * <p>Arithmetic wraps around in that width: a bound that may have wrapped is dropped.
 *
 * @param smin the signed minimum, sign-extended for 32 bits
 * @param smax the signed maximum, sign-extended for 32 bits
 * @param umin the unsigned minimum, zero-extended for 32 bits
 * @param umax the unsigned maximum, zero-extended for 32 bits
 */
public record ScalarRange(Width width, long smin, long smax, long umin, long umax) {
  private static final ScalarRange TOP_32 =
      new ScalarRange(Width.W32, Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 0xffff_ffffL);
  private static final ScalarRange TOP_64 =
      new ScalarRange(Width.W64, Long.MIN_VALUE, Long.MAX_VALUE, 0, -1);

  /** Returns the full range of the given width. */
  public static ScalarRange top(Width width) {
    return width == Width.W64 ? TOP_64 : TOP_32;
  }

  /** Returns the range of one value, truncated to the width. */
  public static ScalarRange constant(Width width, long value) {
    return width == Width.W64
        ? new ScalarRange(width, value, value, value, value)
        : new ScalarRange(
            width, (int) value, (int) value, value & 0xffff_ffffL, value & 0xffff_ffffL);
  }

  /** Returns the range between two signed bounds. */
  public static ScalarRange signed(Width width, long min, long max) {
    ScalarRange top = top(width);
    return new ScalarRange(width, min, max, top.umin, top.umax).tightened();
  }

  /** Returns the range between two unsigned bounds. */
  public static ScalarRange unsigned(Width width, long min, long max) {
    ScalarRange top = top(width);
    return new ScalarRange(width, top.smin, top.smax, min, max).tightened();
  }

  /** Returns the least range that contains the values of {@code bits} in the given width. */
  public static ScalarRange of(Width width, Tnum bits) {
    long all = top(width).umax;
    long value = bits.value() & all;
    long mask = bits.mask() & all;
    long sign = width == Width.W64 ? Long.MIN_VALUE : 0x8000_0000L;
    return new ScalarRange(
        width,
        toSigned(width, value | (mask & sign)),
        toSigned(width, value | (mask & ~sign)),
        value,
        value | mask);
  }

  /** Returns whether the range is empty. */
  public boolean isEmpty() {
    return smin > smax || Long.compareUnsigned(umin, umax) > 0;
  }

  /** Returns whether the range has one value. */
  public boolean isConstant() {
    return umin == umax;
  }

  /** Returns whether {@code concrete}, truncated to the width, is in the range. */
  public boolean contains(long concrete) {
    long signed = toSigned(width, concrete);
    long unsigned = toUnsigned(width, concrete);
    return smin <= signed
        && signed <= smax
        && Long.compareUnsigned(umin, unsigned) <= 0
        && Long.compareUnsigned(unsigned, umax) <= 0;
  }

  /** Returns whether {@code other} contains this range. */
  public boolean isSubsumedBy(ScalarRange other) {
    return other.smin <= smin
        && smax <= other.smax
        && Long.compareUnsigned(other.umin, umin) <= 0
        && Long.compareUnsigned(umax, other.umax) <= 0;
  }

  /** Returns the least range that contains both. */
  public ScalarRange join(ScalarRange other) {
    return new ScalarRange(
        width,
        Math.min(smin, other.smin),
        Math.max(smax, other.smax),
        minUnsigned(umin, other.umin),
        maxUnsigned(umax, other.umax));
  }

  /** Returns this range without the bounds that {@code other} exceeds (widening). */
  public ScalarRange widen(ScalarRange other) {
    ScalarRange top = top(width);
    return new ScalarRange(
        width,
        other.smin < smin ? top.smin : smin,
        other.smax > smax ? top.smax : smax,
        Long.compareUnsigned(other.umin, umin) < 0 ? top.umin : umin,
        Long.compareUnsigned(other.umax, umax) > 0 ? top.umax : umax);
  }

  /** Returns the intersection, which may be empty. */
  public ScalarRange intersect(ScalarRange other) {
    return new ScalarRange(
            width,
            Math.max(smin, other.smin),
            Math.min(smax, other.smax),
            maxUnsigned(umin, other.umin),
            minUnsigned(umax, other.umax))
        .tightened();
  }

  /** Returns the sum. */
  public ScalarRange add(ScalarRange other) {
    Bounds signed = signedOrTop(exact(smin, other.smin, 1), exact(smax, other.smax, 1));
    ScalarRange top = top(width);
    long low = umin + other.umin;
    long high = umax + other.umax;
    boolean wraps =
        Long.compareUnsigned(high, umax) < 0 || Long.compareUnsigned(high, top.umax) > 0;
    return new ScalarRange(
            width, signed.min, signed.max, wraps ? top.umin : low, wraps ? top.umax : high)
        .tightened();
  }

  /** Returns the difference. */
  public ScalarRange sub(ScalarRange other) {
    Bounds signed = signedOrTop(exact(smin, other.smax, -1), exact(smax, other.smin, -1));
    ScalarRange top = top(width);
    boolean wraps = Long.compareUnsigned(umin, other.umax) < 0;
    return new ScalarRange(
            width,
            signed.min,
            signed.max,
            wraps ? top.umin : umin - other.umax,
            wraps ? top.umax : umax - other.umin)
        .tightened();
  }

  /** Returns the product; the full range unless both factors fit in half of the width. */
  public ScalarRange mul(ScalarRange other) {
    long limit = width == Width.W64 ? 0xffff_ffffL : 0xffffL;
    if (smin < 0
        || other.smin < 0
        || Long.compareUnsigned(umax, limit) > 0
        || Long.compareUnsigned(other.umax, limit) > 0) {
      return top(width);
    }
    return unsigned(width, umin * other.umin, umax * other.umax);
  }

  /** Returns the left shift by {@code count}, less than the width. */
  public ScalarRange lsh(int count) {
    long all = top(width).umax;
    return Long.compareUnsigned(umax, all >>> count) > 0
        ? top(width)
        : unsigned(width, umin << count, umax << count);
  }

  /** Returns the logical right shift by {@code count}, less than the width. */
  public ScalarRange rsh(int count) {
    return unsigned(width, umin >>> count, umax >>> count);
  }

  /** Returns the arithmetic right shift by {@code count}, less than the width. */
  public ScalarRange arsh(int count) {
    return signed(width, smin >> count, smax >> count);
  }

  /** Derives unsigned bounds from signed ones, and the reverse. */
  private ScalarRange tightened() {
    long smin = this.smin;
    long smax = this.smax;
    long umin = this.umin;
    long umax = this.umax;
    // Values of one sign have the same signed and unsigned order.
    if (smin <= smax && (smin >= 0 || smax < 0)) {
      umin = maxUnsigned(umin, toUnsigned(width, smin));
      umax = minUnsigned(umax, toUnsigned(width, smax));
    }
    long low = toSigned(width, umin);
    long high = toSigned(width, umax);
    if (Long.compareUnsigned(umin, umax) <= 0 && low <= high) {
      smin = Math.max(smin, low);
      smax = Math.min(smax, high);
    }
    return new ScalarRange(width, smin, smax, umin, umax);
  }

  private Bounds signedOrTop(Optional<Long> min, Optional<Long> max) {
    ScalarRange top = top(width);
    return min.isPresent() && max.isPresent()
        ? new Bounds(min.get(), max.get())
        : new Bounds(top.smin, top.smax);
  }

  private Optional<Long> exact(long left, long right, int sign) {
    long result = sign > 0 ? left + right : left - right;
    boolean overflows =
        sign > 0
            ? ((left ^ result) & (right ^ result)) < 0
            : ((left ^ right) & (left ^ result)) < 0;
    return overflows || result != toSigned(width, result) ? Optional.empty() : Optional.of(result);
  }

  private static long toSigned(Width width, long value) {
    return width == Width.W64 ? value : (int) value;
  }

  private static long toUnsigned(Width width, long value) {
    return width == Width.W64 ? value : value & 0xffff_ffffL;
  }

  static long minUnsigned(long left, long right) {
    return Long.compareUnsigned(left, right) <= 0 ? left : right;
  }

  static long maxUnsigned(long left, long right) {
    return Long.compareUnsigned(left, right) >= 0 ? left : right;
  }

  private record Bounds(long min, long max) {}
}
