package dev.ply.bpf.isa;

import dev.ply.ir.SourceSpan;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A program as the kernel takes it, with the way back to instructions and source. Immutable. */
public final class EncodedProgram {
  private final byte[] bytes;
  private final int[] slotOfInstruction;
  private final List<SourceSpan> spans;

  /** Keeps the arrays, which belong to this object from now on. */
  EncodedProgram(byte[] bytes, int[] slotOfInstruction, List<SourceSpan> spans) {
    this.bytes = bytes;
    this.slotOfInstruction = slotOfInstruction;
    this.spans = List.copyOf(spans);
  }

  /** Returns a copy of the bytes, eight for each slot. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the number of slots, by which the kernel counts a program's instructions. */
  public int slots() {
    return bytes.length / Slot.BYTES;
  }

  /** Returns the piece of source that slot {@code slot} comes from, if that is known. */
  public Optional<SourceSpan> spanOf(int slot) {
    return Optional.of(spans.get(slot)).filter(SourceSpan::isKnown);
  }

  /**
   * Returns the first slot of the instruction at {@code instructionIndex} of the encoded list; for
   * a mark, the slot that follows it.
   */
  public int slotOf(int instructionIndex) {
    return slotOfInstruction[Objects.checkIndex(instructionIndex, slotOfInstruction.length)];
  }
}
