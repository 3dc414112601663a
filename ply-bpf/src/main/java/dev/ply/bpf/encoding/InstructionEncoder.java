package dev.ply.bpf.encoding;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.bpf.isa.Label;
import dev.ply.diagnostic.SourceSpan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Encodes instructions (RFC 9669, section 3): resolves labels to distances, maps to descriptors.
 */
public final class InstructionEncoder {
  private final ByteOrder order;
  private final ToIntFunction<String> mapReference;

  /**
   * Creates an encoder.
   *
   * @param order the byte order of the target machine
   * @param mapReference maps a map's name to its descriptor
   */
  public InstructionEncoder(ByteOrder order, ToIntFunction<String> mapReference) {
    this.order = order;
    this.mapReference = mapReference;
  }

  /**
   * Encodes {@code code}.
   *
   * @param code with labels and source marks
   * @return the bytes, and the spans of their slots
   * @throws IllegalArgumentException if a register is virtual, a label is undefined or defined
   *     twice, a distance does not fit its field, or operator, size and width cannot be combined
   */
  public EncodedProgram encode(List<Instruction> code) {
    Map<Label, Integer> slotOfLabel = new HashMap<>();
    int[] slotOfInstruction = new int[code.size()];
    int slots = 0;
    for (int i = 0; i < slotOfInstruction.length; i++) {
      slotOfInstruction[i] = slots;
      if (code.get(i) instanceof LabelMark mark && slotOfLabel.put(mark.label(), slots) != null) {
        throw new IllegalArgumentException("label " + mark.label() + " is defined twice");
      }
      slots += code.get(i).slots();
    }

    ByteBuffer out = ByteBuffer.allocate(slots * Slot.BYTES).order(order);
    List<SourceSpan> spans = new ArrayList<>(slots);
    Set<Integer> globals = new HashSet<>();
    SourceSpan span = SourceSpan.NONE;
    for (int i = 0; i < slotOfInstruction.length; i++) {
      Instruction instruction = code.get(i);
      if (instruction instanceof SourceMark mark) {
        span = mark.span();
      } else if (instruction instanceof CallLocal call && call.isGlobal()) {
        globals.add(slotOfLabel.get(call.target()));
      }
      for (Slot slot :
          instruction.accept(new SlotEncoder(slotOfInstruction[i], slotOfLabel, mapReference))) {
        slot.put(out);
        spans.add(span);
      }
    }
    return new EncodedProgram(out.array(), slotOfInstruction, spans, globals);
  }
}
