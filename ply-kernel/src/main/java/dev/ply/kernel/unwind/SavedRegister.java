package dev.ply.kernel.unwind;

/** Where a function has saved a register of its caller. */
sealed interface SavedRegister {
  /** It still has the caller's value. */
  record Unchanged() implements SavedRegister {}

  /** It has no value: for the return address, there is no caller. */
  record Undefined() implements SavedRegister {}

  /**
   * It is in memory.
   *
   * @param offset relative to the CFA, in bytes
   */
  record AtCfa(long offset) implements SavedRegister {}

  /** The memory that the frame pointer points to. */
  record AtFramePointer() implements SavedRegister {}

  /**
   * In another register.
   *
   * @param number as in DWARF
   */
  record InRegister(long number) implements SavedRegister {}

  /** Where an expression says. */
  record Elsewhere() implements SavedRegister {}
}
