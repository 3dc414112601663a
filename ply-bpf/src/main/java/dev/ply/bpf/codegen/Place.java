package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.Register;

/** A memory location: a base register and an offset. */
record Place(Register base, int offset) {
  /** Returns the location {@code bytes} further. */
  Place plus(int bytes) {
    return new Place(base, offset + bytes);
  }

  /** Returns the alignment of the offset, at most 8: bases are aligned to 8. */
  int alignment() {
    return offset == 0 ? 8 : Math.min(8, Integer.lowestOneBit(offset));
  }
}
