package dev.ply.bpf.verifier.domain;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Width;
import java.util.Optional;

/** The abstract state of a register or of a spilled register. */
public sealed interface RegisterState
    permits RegisterState.Uninitialized, RegisterState.Assumed, RegisterState.Pointer, Scalar {

  /** Not readable; the top of the lattice. */
  record Uninitialized(Cause cause) implements RegisterState {}

  /** Why a register is not readable. */
  enum Cause {
    /** Not written since the function's entry. */
    NEVER_WRITTEN,
    /** Clobbered by a call. */
    CLOBBERED,
    /** A pointer to a record that was submitted or discarded. */
    RELEASED,
    /** Dead: no later instruction reads it. */
    DEAD
  }

  /** Anything: replaces a state that violated a requirement, to avoid follow-up errors. */
  record Assumed() implements RegisterState {}

  /**
   * A pointer into a region.
   *
   * @param offset the constant part of the offset
   * @param variable the variable part of the offset
   * @param nullId non-zero if the pointer may be null; equal for copies of one pointer
   */
  record Pointer(Region region, long offset, Scalar variable, int nullId) implements RegisterState {
    /** Returns a pointer to the start of a region, never null. */
    public static Pointer to(Region region) {
      return new Pointer(region, 0, Scalar.constant(0), 0);
    }

    /** Returns whether the pointer may be null. */
    public boolean mayBeNull() {
      return nullId != 0;
    }

    /** Returns whether the offset is constant. */
    public boolean hasConstantOffset() {
      return variable.isConstant();
    }

    /** Returns the offset, if constant. */
    public Optional<Long> constantOffset() {
      return variable.constantValue().map(v -> v + offset);
    }

    /** Returns the pointer plus {@code distance} bytes. */
    public Pointer plus(long distance) {
      return new Pointer(region, offset + distance, variable, nullId);
    }

    /**
     * Returns the pointer plus or minus a scalar; constant parts stay separate from variable ones.
     *
     * @param op addition or subtraction
     */
    public Pointer moved(AluOp op, Scalar distance) {
      Optional<Long> constant = distance.constantValue();
      return constant.isPresent()
          ? plus(op == AluOp.SUB ? -constant.get() : constant.get())
          : new Pointer(
              region, offset, ScalarArithmetic.apply(op, Width.W64, variable, distance), nullId);
    }
  }

  /** Returns the state of a register that was never written. */
  static RegisterState uninitialized() {
    return new Uninitialized(Cause.NEVER_WRITTEN);
  }

  /** Returns whether the register is readable. */
  default boolean isInitialized() {
    return !(this instanceof Uninitialized);
  }

  /** Returns whether this is a pointer, null or not. */
  default boolean isPointer() {
    return this instanceof Pointer;
  }

  /** Returns whether {@code other} subsumes this state, with IDs related by {@code ids}. */
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

  /** Returns a hash, without IDs, that is equal for states that subsume each other. */
  default int shape() {
    if (this instanceof Scalar number) {
      return 31 * number.bits().hashCode() + number.range().hashCode();
    }
    return this instanceof Pointer pointer
        ? 31 * Long.hashCode(pointer.offset) + pointer.variable.shape()
        : isInitialized() ? 1 : 2;
  }

  /** Returns the least upper bound; uninitialised for states of different kinds. */
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
