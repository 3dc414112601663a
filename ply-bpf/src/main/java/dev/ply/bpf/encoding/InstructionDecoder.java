package dev.ply.bpf.encoding;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Label;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Decodes bytecode; jump targets get the labels L1, L2 and so on in address order.
 *
 * <p>Accepts only encodings of RFC 9669, with every unused field zero. The program need not pass
 * the verifier. Immutable.
 */
public final class InstructionDecoder {
  private final ByteOrder order;
  private final IntFunction<String> mapName;

  /**
   * Creates a decoder.
   *
   * @param order the byte order of the program
   * @param mapName maps a map's descriptor to its name
   */
  public InstructionDecoder(ByteOrder order, IntFunction<String> mapName) {
    this.order = order;
    this.mapName = mapName;
  }

  /**
   * Decodes a program.
   *
   * @param bytes slots of 8 bytes in the decoder's byte order
   * @return the instructions, with labels at the targets of jumps
   * @throws InvalidEncodingException at the first invalid slot, or at a jump out of the program or
   *     into the middle of a wide instruction
   */
  public List<Instruction> decode(byte[] bytes) {
    return new Decoding(slots(bytes)).run();
  }

  private List<Slot> slots(byte[] bytes) {
    int count = bytes.length / Slot.BYTES;
    if (bytes.length % Slot.BYTES != 0) {
      throw new InvalidEncodingException(
          count, "only " + bytes.length % Slot.BYTES + " of 8 bytes are present");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(order);
    List<Slot> slots = new ArrayList<>(count);
    while (in.hasRemaining()) {
      slots.add(Slot.get(in));
    }
    return slots;
  }

  /** Decodes one program: collects instruction starts and jump targets, then builds records. */
  private final class Decoding implements Format.SlotContext {
    private final List<Slot> slots;
    private final BitSet starts = new BitSet();
    private final BitSet targets = new BitSet();
    private final Map<Integer, Label> labels = new HashMap<>();
    private int position;

    Decoding(List<Slot> slots) {
      this.slots = slots;
    }

    List<Instruction> run() {
      starts.set(slots.size());
      for (position = 0; position < slots.size(); ) {
        starts.set(position);
        position += isWide() ? 2 : 1;
      }
      // Labels are numbered in address order, so all targets must be known before the first label.
      for (position = starts.nextSetBit(0); position < slots.size(); ) {
        build();
        position = starts.nextSetBit(position + 1);
      }
      targets.stream().forEach(slot -> labels.put(slot, new Label("L" + (labels.size() + 1))));

      List<Instruction> code = new ArrayList<>();
      for (position = 0; position <= slots.size(); position = starts.nextSetBit(position + 1)) {
        Optional.ofNullable(labels.get(position)).map(LabelMark::new).ifPresent(code::add);
        if (position == slots.size()) {
          break;
        }
        code.add(build());
      }
      return List.copyOf(code);
    }

    private boolean isWide() {
      return slots.get(position).opcode() == Opcode.LOAD_WIDE;
    }

    private Instruction build() {
      Slot slot = slots.get(position);
      if (isWide()) {
        checkSecondSlot();
      }
      return format(slot).builder().build(slot, this);
    }

    private Format format(Slot slot) {
      List<Format> formats = FormatTable.of(slot.opcode());
      return formats.stream()
          .filter(format -> format.mismatch(slot).isEmpty())
          .findFirst()
          .orElseThrow(() -> invalid(reason(slot, formats)));
    }

    private String reason(Slot slot, List<Format> formats) {
      String opcode = "opcode 0x" + HexFormat.of().toHexDigits((byte) slot.opcode());
      // Report against the format that matches the most fields.
      return formats.stream()
          .flatMap(format -> format.mismatch(slot).stream())
          .max(Comparator.naturalOrder())
          .map(field -> opcode + " does not allow " + field + " " + field.of(slot))
          .orElse(opcode + " is not an instruction");
    }

    private void checkSecondSlot() {
      if (position + 1 >= slots.size()) {
        throw invalid("the second slot of a wide instruction is missing");
      }
      Slot second = slots.get(position + 1);
      if (!second.equals(Slot.second(second.immediate()))) {
        throw new InvalidEncodingException(
            position + 1, "the second slot of a wide instruction may hold an immediate only");
      }
    }

    private InvalidEncodingException invalid(String reason) {
      return new InvalidEncodingException(position, reason);
    }

    @Override
    public Label target(int distance) {
      long target = position + 1L + distance;
      if (target < 0 || target > slots.size()) {
        throw invalid("target " + target + " is outside the program's " + slots.size() + " slots");
      }
      if (!starts.get((int) target)) {
        throw invalid("target " + target + " is the second slot of a wide instruction");
      }
      targets.set((int) target);
      return labels.getOrDefault((int) target, new Label("L" + target));
    }

    @Override
    public int nextImmediate() {
      return slots.get(position + 1).immediate();
    }

    @Override
    public void requireNoNextImmediate() {
      if (nextImmediate() != 0) {
        throw new InvalidEncodingException(
            position + 1, "immediate " + nextImmediate() + " is unused and must be 0");
      }
    }

    @Override
    public String map(int descriptor) {
      return mapName.apply(descriptor);
    }
  }
}
