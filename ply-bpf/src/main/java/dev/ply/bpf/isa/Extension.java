package dev.ply.bpf.isa;

/** How a narrow value fills the rest of its register. */
public enum Extension {
  /** With zeroes. */
  ZERO,
  /** With copies of the sign bit. Needs kernel 6.6 as part of a load or a move. */
  SIGN
}
