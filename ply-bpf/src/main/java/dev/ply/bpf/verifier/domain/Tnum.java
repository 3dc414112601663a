package dev.ply.bpf.verifier.domain;

/**
 * A tristate number: 64 bits, each 0, 1 or unknown (include/linux/tnum.h).
 *
 * @param value the bits known to be 1
 * @param mask the unknown bits; disjoint from {@code value}
 */
public record Tnum(long value, long mask) {
  private static final Tnum TOP = new Tnum(0, -1);
  private static final Tnum ZERO = new Tnum(0, 0);
  private static final long LOWER = 0xffff_ffffL;

  public Tnum {
    if ((value & mask) != 0) {
      throw new IllegalArgumentException(
          "bits both known and unknown: value " + value + ", mask " + mask);
    }
  }

  /** Returns the number with all bits unknown. */
  public static Tnum top() {
    return TOP;
  }

  /** Returns a constant. */
  public static Tnum constant(long value) {
    return new Tnum(value, 0);
  }

  /** Returns the least tnum that contains the unsigned range from {@code min} to {@code max}. */
  public static Tnum range(long min, long max) {
    int bits = 64 - Long.numberOfLeadingZeros(min ^ max);
    if (bits > 63) {
      return TOP;
    }
    long delta = (1L << bits) - 1;
    return new Tnum(min & ~delta, delta);
  }

  /** Returns whether all bits are known. */
  public boolean isConstant() {
    return mask == 0;
  }

  /** Returns whether {@code concrete} is a possible value. */
  public boolean contains(long concrete) {
    return (concrete & ~mask) == value;
  }

  /** Returns whether no value is possible in both. */
  public boolean isDisjointFrom(Tnum other) {
    return ((value ^ other.value) & ~mask & ~other.mask) != 0;
  }

  /** Returns whether every possible value is one of {@code other}. */
  public boolean isSubsumedBy(Tnum other) {
    return (mask & ~other.mask) == 0 && (value & ~other.mask) == other.value;
  }

  /** Returns the least upper bound. */
  public Tnum join(Tnum other) {
    long unknown = (value ^ other.value) | mask | other.mask;
    return new Tnum(value & ~unknown, unknown);
  }

  /** Returns the values possible in both, which must not be disjoint. */
  public Tnum intersect(Tnum other) {
    long unknown = mask & other.mask;
    return new Tnum((value | other.value) & ~unknown, unknown);
  }

  /** Returns the sum. */
  public Tnum add(Tnum other) {
    long maskSum = mask + other.mask;
    long valueSum = value + other.value;
    long carries = (maskSum + valueSum) ^ valueSum;
    long unknown = carries | mask | other.mask;
    return new Tnum(valueSum & ~unknown, unknown);
  }

  /** Returns the difference. */
  public Tnum sub(Tnum other) {
    long difference = value - other.value;
    long borrows = (difference + mask) ^ (difference - other.mask);
    long unknown = borrows | mask | other.mask;
    return new Tnum(difference & ~unknown, unknown);
  }

  /** Returns the product. */
  public Tnum mul(Tnum other) {
    Tnum left = this;
    Tnum right = other;
    Tnum uncertainty = ZERO;
    while (left.value != 0 || left.mask != 0) {
      if ((left.value & 1) != 0) {
        uncertainty = uncertainty.add(new Tnum(0, right.mask));
      } else if ((left.mask & 1) != 0) {
        uncertainty = uncertainty.add(new Tnum(0, right.value | right.mask));
      }
      left = left.rsh(1);
      right = right.lsh(1);
    }
    return constant(value * other.value).add(uncertainty);
  }

  /** Returns the bitwise and. */
  public Tnum and(Tnum other) {
    long possible = (value | mask) & (other.value | other.mask);
    long certain = value & other.value;
    return new Tnum(certain, possible & ~certain);
  }

  /** Returns the bitwise or. */
  public Tnum or(Tnum other) {
    long certain = value | other.value;
    return new Tnum(certain, (mask | other.mask) & ~certain);
  }

  /** Returns the bitwise exclusive or. */
  public Tnum xor(Tnum other) {
    long unknown = mask | other.mask;
    return new Tnum((value ^ other.value) & ~unknown, unknown);
  }

  /** Returns the left shift by {@code count}, 0 to 63. */
  public Tnum lsh(int count) {
    return new Tnum(value << count, mask << count);
  }

  /** Returns the logical right shift by {@code count}, 0 to 63. */
  public Tnum rsh(int count) {
    return new Tnum(value >>> count, mask >>> count);
  }

  /** Returns the arithmetic right shift by {@code count}, 0 to 63. */
  public Tnum arsh(int count) {
    return new Tnum(value >> count, mask >> count);
  }

  /**
   * Returns the arithmetic right shift of the low half by {@code count}, 0 to 31, zero-extended.
   */
  public Tnum arsh32(int count) {
    return new Tnum(((int) value >> count) & LOWER, ((int) mask >> count) & LOWER);
  }

  /** Returns the low {@code bytes} bytes (1, 2, 4 or 8), zero-extended. */
  public Tnum truncate(int bytes) {
    if (bytes == 8) {
      return this;
    }
    long kept = (1L << (bytes * 8)) - 1;
    return new Tnum(value & kept, mask & kept);
  }

  /** Returns the low {@code bytes} bytes (1, 2 or 4), sign-extended. */
  public Tnum signExtend(int bytes) {
    int unused = 64 - bytes * 8;
    return new Tnum(value << unused >> unused, mask << unused >> unused);
  }

  /** Returns this number with its upper half unknown. */
  public Tnum withUnknownUpperHalf() {
    return new Tnum(value & LOWER, mask | ~LOWER);
  }

  /** Returns {@code 0x2a} for constants, {@code (value; mask)} for others. */
  @Override
  public String toString() {
    return isConstant()
        ? "0x" + Long.toHexString(value)
        : "(0x" + Long.toHexString(value) + "; 0x" + Long.toHexString(mask) + ")";
  }
}
