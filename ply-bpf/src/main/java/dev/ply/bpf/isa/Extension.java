package dev.ply.bpf.isa;

/** How a load or move of a narrow value fills the upper bits of its register. */
public enum Extension {
  /** Zero extension. */
  ZERO,
  /** Sign extension. Needs kernel 6.6 in a load or a move. */
  SIGN
}
