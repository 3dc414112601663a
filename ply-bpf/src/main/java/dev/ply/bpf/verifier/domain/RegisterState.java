package dev.ply.bpf.verifier.domain;

import java.util.Optional;

/** What is known of the content of a register or of a spilled one. */
public sealed interface RegisterState
    permits RegisterState.Uninitialized, RegisterState.Assumed, RegisterState.Pointer, Scalar {

  /** Nothing that may be read; the top of the lattice. */
  record Uninitialized(Cause cause) implements RegisterState {}

  /** Why a register holds nothing. */
  enum Cause {
    /** Nothing was written since the function began. */
    NEVER_WRITTEN,
    /** A call overwrote it. */
    LOST_BY_CALL,
    /** It pointed to a record that was submitted or discarded. */
    RECORD_GIVEN_BACK,
    /** No longer of interest; later code does not read it. */
    DEAD
  }

  /**
   * Whatever is needed: stands in after a violation so that one mistake is not reported again by
   * every instruction that builds on it.
   */
  record Assumed() implements RegisterState {}

  /**
   * An address inside a region.
   *
   * @param offset the constant part of the distance from the region's start
   * @param variable the part of the distance known only at run time
   * @param nullId nonzero if the pointer may be null; equal for copies of one pointer
   */
  record Pointer(Region region, long offset, Scalar variable, int nullId) implements RegisterState {
    /** Returns a pointer to the start of a region, never null. */
    public static Pointer to(Region region) {
      return new Pointer(region, 0, Scalar.constant(0), 0);
    }

    /** Returns whether this may be null. */
    public boolean mayBeNull() {
      return nullId != 0;
    }

    /** Returns whether the distance from the region's start is the same on every run. */
    public boolean hasConstantOffset() {
      return variable.isConstant();
    }

    /** Returns the whole distance, if it is a constant. */
    public Optional<Long> constantOffset() {
      return variable.constantValue().map(v -> v + offset);
    }

    /** Returns the pointer {@code distance} bytes further. */
    public Pointer plus(long distance) {
      return new Pointer(region, offset + distance, variable, nullId);
    }
  }

  /** Returns the state of a register that was not written. */
  static RegisterState uninitialized() {
    return new Uninitialized(Cause.NEVER_WRITTEN);
  }

  /** Returns whether it may be read. */
  default boolean isInitialized() {
    return !(this instanceof Uninitialized);
  }

  /** Returns whether this is an address, null or not. */
  default boolean isPointer() {
    return this instanceof Pointer;
  }

  /**
   * Returns whether what is true of {@code other} is true of this, with identities matched by
   * {@code ids}.
   */
  default boolean isSubsumedBy(RegisterState other, IdentityMatch ids) {
    if (other instanceof Uninitialized) {
      return true;
    }
    if (other instanceof Scalar old) {
      return this instanceof Scalar current && current.isSubsumedBy(old, ids);
    }
    if (other instanceof Pointer old) {
      return this instanceof Pointer current
          && sameRegion(current.region, old.region, ids)
          && current.offset == old.offset
          && current.variable.isSubsumedBy(old.variable, ids)
          && ids.match(old.nullId, current.nullId);
    }
    return equals(other);
  }

  /** Returns a number that is equal for contents that subsume each other: identities apart. */
  default int shape() {
    if (this instanceof Scalar number) {
      return 31 * number.bits().hashCode() + number.range().hashCode();
    }
    return this instanceof Pointer pointer
        ? 31 * Long.hashCode(pointer.offset) + pointer.variable.shape()
        : isInitialized() ? 1 : 2;
  }

  /** Returns the least state above both; states of different kinds share nothing readable. */
  default RegisterState join(RegisterState other) {
    if (equals(other)) {
      return this;
    }
    if (this instanceof Scalar left && other instanceof Scalar right) {
      return left.join(right);
    }
    return new Uninitialized(Cause.NEVER_WRITTEN);
  }

  private static boolean sameRegion(Region current, Region old, IdentityMatch ids) {
    if (current instanceof Region.RingRecord a && old instanceof Region.RingRecord b) {
      return a.size() == b.size() && ids.match(b.reference(), a.reference());
    }
    return current.equals(old);
  }
}
