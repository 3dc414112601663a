package dev.ply.bpf.isa;

import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.ir.SourceSpan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Turns instructions into the bytes of RFC 9669, section 3: labels become distances, names of maps
 * become descriptors.
 */
public final class InstructionEncoder {
  private final ByteOrder order;
  private final ToIntFunction<String> mapReference;

  /**
   * Creates an encoder.
   *
   * @param order the byte order of the machine that will run the program
   * @param mapReference gives the number by which the kernel knows a map, its descriptor
   */
  public InstructionEncoder(ByteOrder order, ToIntFunction<String> mapReference) {
    this.order = order;
    this.mapReference = mapReference;
  }

  /**
   * Encodes {@code code}.
   *
   * @throws IllegalArgumentException if a register is virtual, a label unknown or marked twice, a
   *     distance too long for its field, or a combination of operator, size and width is not part
   *     of the instruction set
   */
  public EncodedProgram encode(List<Instruction> code) {
    Map<Label, Integer> places = new HashMap<>();
    int[] slotOfInstruction = new int[code.size()];
    int slots = 0;
    for (int i = 0; i < slotOfInstruction.length; i++) {
      slotOfInstruction[i] = slots;
      if (code.get(i) instanceof LabelMark mark && places.put(mark.label(), slots) != null) {
        throw new IllegalArgumentException("label " + mark.label() + " is marked twice");
      }
      slots += code.get(i).slots();
    }

    ByteBuffer out = ByteBuffer.allocate(slots * Slot.BYTES).order(order);
    List<SourceSpan> spans = new ArrayList<>(slots);
    SourceSpan span = SourceSpan.NONE;
    for (int i = 0; i < slotOfInstruction.length; i++) {
      Instruction instruction = code.get(i);
      if (instruction instanceof SourceMark mark) {
        span = mark.span();
      }
      for (Slot slot :
          instruction.accept(new SlotEncoder(slotOfInstruction[i], places, mapReference))) {
        slot.put(out);
        spans.add(span);
      }
    }
    return new EncodedProgram(out.array(), slotOfInstruction, spans);
  }
}
