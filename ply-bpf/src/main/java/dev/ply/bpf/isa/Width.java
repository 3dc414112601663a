package dev.ply.bpf.isa;

/** The operand width of an arithmetic or jump instruction. */
public enum Width {
  /** 32 bits; arithmetic zeroes the upper half of the destination. */
  W32,
  /** 64 bits. */
  W64
}
