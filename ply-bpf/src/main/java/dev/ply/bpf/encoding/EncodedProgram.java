package dev.ply.bpf.encoding;

import dev.ply.diagnostic.SourceSpan;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The bytecode of a program, with maps from slots to source spans and instructions to slots. */
public final class EncodedProgram {
  private final byte[] bytes;
  private final int[] slotOfInstruction;
  private final List<SourceSpan> spans;
  private final Set<Integer> globals;

  /** Takes ownership of the arrays. */
  EncodedProgram(
      byte[] bytes, int[] slotOfInstruction, List<SourceSpan> spans, Set<Integer> globals) {
    this.globals = Set.copyOf(globals);
    this.bytes = bytes;
    this.slotOfInstruction = slotOfInstruction;
    this.spans = List.copyOf(spans);
  }

  /** {@return a copy of the bytecode, 8 bytes per slot} */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** {@return the first slots of the global functions, of which the bytecode does not tell} */
  public Set<Integer> globals() {
    return globals;
  }

  /** {@return the number of slots, the kernel's instruction count} */
  public int slots() {
    return bytes.length / Slot.BYTES;
  }

  /**
   * {@return the source span of slot {@code slot}, if known}
   *
   * @param slot counted from 0
   */
  public Optional<SourceSpan> spanOf(int slot) {
    return Optional.of(spans.get(slot)).filter(SourceSpan::isKnown);
  }

  /**
   * {@return the first slot of the instruction at {@code instructionIndex} of the encoded list; for
   * a pseudo-instruction, the slot of its successor}
   *
   * @param instructionIndex counted from 0; pseudo-instructions count
   */
  public int slotOf(int instructionIndex) {
    return slotOfInstruction[Objects.checkIndex(instructionIndex, slotOfInstruction.length)];
  }
}
