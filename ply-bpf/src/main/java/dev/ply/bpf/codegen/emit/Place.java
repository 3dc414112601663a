package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.isa.Register;

/**
 * A memory location: a base register and an offset.
 *
 * @param known the alignment of the base in bytes, a power of two up to 8
 */
public record Place(Register base, int offset, int known) {
  /** Creates a location relative to a base that is aligned to 8. */
  public Place(Register base, int offset) {
    this(base, offset, 8);
  }

  /** Returns the location {@code bytes} further. */
  public Place plus(int bytes) {
    return new Place(base, offset + bytes, known);
  }

  /** Returns the alignment of the location, at most 8. */
  public int alignment() {
    return offset == 0 ? known : Math.min(known, Integer.lowestOneBit(offset));
  }
}
