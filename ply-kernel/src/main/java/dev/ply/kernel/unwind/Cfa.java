package dev.ply.kernel.unwind;

import dev.ply.bpf.unwind.UnwindRule;

/** How the canonical frame address is computed. */
sealed interface Cfa {
  /**
   * A register plus a number of bytes.
   *
   * @param register its DWARF number
   */
  record OfRegister(int register, long offset) implements Cfa {}

  /**
   * An expression of a known form.
   *
   * @param kind the form
   * @param offset that of {@link UnwindRule}
   */
  record Known(UnwindRule.Kind kind, int offset) implements Cfa {}

  /** Any other expression, or none so far. */
  record Unknown() implements Cfa {}
}
