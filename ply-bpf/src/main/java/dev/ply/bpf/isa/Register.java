package dev.ply.bpf.isa;

/**
 * A register: one of the machine's eleven, or a virtual one that the register allocator has yet to
 * place.
 *
 * <p>The machine's registers are numbered 0 to 10 (RFC 9669, section 4.2). Numbers from {@link
 * #FIRST_VIRTUAL} up are virtual: code generation and optimisation use them freely, no encoder
 * accepts them.
 */
public record Register(int number) implements Operand, Comparable<Register> {
  /** The first number that stands for a virtual register. */
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

  /** Kept across calls. */
  public static final Register R6 = new Register(6);

  /** Kept across calls. */
  public static final Register R7 = new Register(7);

  /** Kept across calls. */
  public static final Register R8 = new Register(8);

  /** Kept across calls. */
  public static final Register R9 = new Register(9);

  /** Frame pointer, read-only: one past the highest byte of the 512-byte stack. */
  public static final Register R10 = new Register(10);

  public Register {
    if (number < 0 || (number > 10 && number < FIRST_VIRTUAL)) {
      throw new IllegalArgumentException(
          "no register has the number " + number + "; 0 to 10 or 16 and up do");
    }
  }

  /** Returns the register that carries argument {@code index} of a call, 1 to 5. */
  public static Register argument(int index) {
    if (index < 1 || index > 5) {
      throw new IllegalArgumentException("calls take arguments 1 to 5, not " + index);
    }
    return new Register(index);
  }

  /** Tells whether the register allocator has yet to place this register. */
  public boolean isVirtual() {
    return number >= FIRST_VIRTUAL;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Register register && register.number == number;
  }

  @Override
  public int hashCode() {
    return number;
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
