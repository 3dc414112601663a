package dev.ply.bpf.isa;

/**
 * A BPF register, or a virtual register before register allocation.
 *
 * <p>Numbers 0 to 10 are machine registers (RFC 9669, section 4.2), those from {@link
 * #FIRST_VIRTUAL} up are virtual. The encoder rejects virtual registers.
 *
 * @param number 0 to 10, or at least {@link #FIRST_VIRTUAL}
 */
public record Register(int number) implements Operand, Comparable<Register> {
  /** The first number of a virtual register. */
  public static final int FIRST_VIRTUAL = 16;

  /** Return value of calls and of the program. */
  public static final Register R0 = new Register(0);

  /** First argument of calls; the context at entry. */
  public static final Register R1 = new Register(1);

  /** Second argument of calls. */
  public static final Register R2 = new Register(2);

  /** Third argument of calls. */
  public static final Register R3 = new Register(3);

  /** Fourth argument of calls. */
  public static final Register R4 = new Register(4);

  /** Fifth argument of calls. */
  public static final Register R5 = new Register(5);

  /** Callee-saved. */
  public static final Register R6 = new Register(6);

  /** Callee-saved. */
  public static final Register R7 = new Register(7);

  /** Callee-saved. */
  public static final Register R8 = new Register(8);

  /** Callee-saved. */
  public static final Register R9 = new Register(9);

  /** Frame pointer, read-only: one past the end of the 512-byte stack. */
  public static final Register R10 = new Register(10);

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if it is neither of a machine register nor of a virtual one
   */
  public Register {
    if (number < 0 || (number > 10 && number < FIRST_VIRTUAL)) {
      throw new IllegalArgumentException(
          "register number " + number + " is neither in 0 to 10 nor at least " + FIRST_VIRTUAL);
    }
  }

  /**
   * {@return the register of argument {@code index} of a call, 1 to 5}
   *
   * @param index 1 to 5
   */
  public static Register argument(int index) {
    if (index < 1 || index > 5) {
      throw new IllegalArgumentException("calls have arguments 1 to 5, not " + index);
    }
    return new Register(index);
  }

  /** {@return whether this register is virtual} */
  public boolean isVirtual() {
    return number >= FIRST_VIRTUAL;
  }

  @Override
  public int compareTo(Register other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return (isVirtual() ? "v" + (number - FIRST_VIRTUAL) : "r" + number);
  }
}
