package dev.ply.bpf.asm;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import dev.ply.bpf.encoding.InstructionDecoder;
import dev.ply.bpf.encoding.InvalidEncodingException;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.LabelMark;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares decoder and disassembler with a table written from RFC 9669, not from our enums. */
@Tag("any-java")
class OpcodeTableTest {
  private record Row(int opcode, String dst, String src, String offset, String imm, String text) {
    static Row parse(String line) {
      List<String> parts =
          Splitter.on(' ').trimResults().omitEmptyStrings().limit(6).splitToList(line);
      return new Row(
          Integer.parseInt(parts.get(0), 16),
          parts.get(1),
          parts.get(2),
          parts.get(3),
          parts.get(4),
          parts.get(5));
    }

    boolean accepts(int dst, int src, int offset, int imm) {
      return accepts(this.dst, dst)
          && accepts(this.src, src)
          && accepts(this.offset, offset)
          && accepts(this.imm, imm);
    }

    private static boolean accepts(String column, int value) {
      return switch (column) {
        case "any" -> true;
        case "reg" -> value <= 10;
        default -> value == Integer.decode(column);
      };
    }

    private static int sample(String column, int sample) {
      return column.equals("any") || column.equals("reg") ? sample : Integer.decode(column);
    }

    byte[] sample() {
      return program(
          opcode, sample(dst, 1), sample(src, 2), sample(offset, 3), sample(imm, 5), second());
    }

    private int second() {
      return text.equals("r1 = 0x700000005") || text.contains("][0]") ? 7 : 0;
    }
  }

  @Test
  void everyRowDecodesToItsText() throws IOException {
    for (Row row : rows()) {
      Instruction first =
          decoder().decode(row.sample()).stream()
              .filter(instruction -> !(instruction instanceof LabelMark))
              .findFirst()
              .orElseThrow();
      assertThat(Disassembler.text(first)).isEqualTo(row.text());
    }
  }

  @Test
  void onlyTheRowsAreAccepted() throws IOException {
    List<List<Row>> rows = new ArrayList<>();
    for (int opcode = 0; opcode <= 0xff; opcode++) {
      rows.add(new ArrayList<>());
    }
    rows().forEach(row -> rows.get(row.opcode()).add(row));
    for (int opcode = 0; opcode <= 0xff; opcode++) {
      for (int dst : new int[] {0, 10, 11}) {
        for (int src : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 11}) {
          for (int offset : new int[] {0, 1, 8, 16, 32, 64, -1}) {
            for (int imm : new int[] {0, 1, 2, -1, 16, 32, 64, 0x41, 0x50, 0xa1, 0xe0, 0xf1}) {
              compare(rows.get(opcode), opcode, dst, src, offset, imm);
            }
          }
        }
      }
    }
  }

  private static void compare(List<Row> rows, int opcode, int dst, int src, int offset, int imm) {
    boolean expected = rows.stream().anyMatch(row -> row.accepts(dst, src, offset, imm));
    boolean accepted;
    try {
      decoder().decode(program(opcode, dst, src, offset, imm, 0));
      accepted = true;
    } catch (InvalidEncodingException e) {
      // A target outside this small program is an error of the program, not of the encoding.
      accepted = e.reason().startsWith("target ");
    }
    if (accepted != expected) {
      throw new AssertionError(
          String.format(
              "opcode %02x dst %d src %d offset %d immediate %d: decoder accepts %b, table %b",
              opcode, dst, src, offset, imm, accepted, expected));
    }
  }

  /** Returns the slot, the second slot of a wide load, and exits as jump targets. */
  private static byte[] program(int opcode, int dst, int src, int offset, int imm, int second) {
    ByteBuffer out = ByteBuffer.allocate(8 * 8).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) opcode).put((byte) (src << 4 | dst)).putShort((short) offset).putInt(imm);
    if (opcode == 0x18) {
      out.putInt(0).putInt(second);
    }
    while (out.hasRemaining()) {
      out.putLong(0x95);
    }
    return out.array();
  }

  private static InstructionDecoder decoder() {
    return new InstructionDecoder(ByteOrder.LITTLE_ENDIAN, number -> "m" + number);
  }

  private static List<Row> rows() throws IOException {
    return Resources.readLines(
            Resources.getResource("golden/isa/opcodes.txt"), StandardCharsets.UTF_8)
        .stream()
        .filter(line -> !line.startsWith("#"))
        .map(Row::parse)
        .toList();
  }
}
