package dev.ply.bpf.object;

import dev.ply.bpf.isa.Helper;

/** An operation that fails while a program runs. */
public sealed interface FailureCause {
  /**
   * A call of a helper.
   *
   * @param helper whose result is an error number
   */
  record Call(Helper helper) implements FailureCause {}

  /** An operation of the language. */
  enum Operation implements FailureCause {
    /** A division by zero. */
    DIVISION("division by zero: the result is 0"),
    /** The remainder of a division by zero. */
    REMAINDER("the remainder of a division by zero: the result is the dividend"),
    /** An element of an array. */
    ELEMENT("the array has no element of this number: it is read as 0"),
    /** Memory beyond an array, by an index that the array does not have. */
    BEYOND("the array has no element of this number: memory beyond it is read");

    private final String message;

    Operation(String message) {
      this.message = message;
    }

    /** {@return what is wrong, and what follows} */
    public String message() {
      return message;
    }
  }
}
