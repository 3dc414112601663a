package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.Register;

/** Memory at a fixed distance from the address in a register. */
record Place(Register base, int offset) {
  /** Returns the place {@code bytes} further on. */
  Place plus(int bytes) {
    return new Place(base, offset + bytes);
  }

  /**
   * Returns the largest power of two, at most 8, that divides the distance: the base itself is
   * aligned to 8.
   */
  int alignment() {
    return offset == 0 ? 8 : Math.min(8, Integer.lowestOneBit(offset));
  }
}
