package dev.ply.bpf.isa;

/** The width of an arithmetic or jump instruction: the whole register, or its lower half. */
public enum Width {
  /** 32 bits; arithmetic zeroes the upper half of its destination. */
  W32,
  /** 64 bits. */
  W64
}
