package dev.ply.bpf.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.WideSource;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstructionDecoderTest {
  private static final String EXIT = "9500000000000000";

  @Test
  void labelsAreNumberedInAddressOrder() {
    Label first = new Label("L1");
    Label second = new Label("L2");
    // The first goto targets the third slot, the second one the first.
    assertThat(decode("0500010000000000" + "0500feff00000000" + EXIT))
        .containsExactly(
            new LabelMark(first),
            new Goto(second),
            new Goto(first),
            new LabelMark(second),
            new Exit());
  }

  @Test
  void mapDescriptorsBecomeNames() {
    assertThat(decode("1811000003000000" + "0000000000000000"))
        .containsExactly(new LoadWide(Register.R1, new WideSource.Map("map3")));
  }

  @Test
  void longGotoDecodesToGoto() {
    Label label = new Label("L1");
    assertThat(decode("0600000000000000" + EXIT))
        .containsExactly(new Goto(label), new LabelMark(label), new Exit());
  }

  @Test
  void invalidEncodingsHaveASlotAndAReason() {
    assertInvalid("ff00000000000000", 0, "opcode 0xff is not an instruction");
    assertInvalid(EXIT + "070b000000000000", 1, "opcode 0x07 does not allow dst 11");
    assertInvalid("0711000000000000", 0, "opcode 0x07 does not allow src 1");
    assertInvalid("0701010000000000", 0, "opcode 0x07 does not allow offset 1");
    assertInvalid("bf21070000000000", 0, "opcode 0xbf does not allow offset 7");
    assertInvalid("db21000002000000", 0, "opcode 0xdb does not allow immediate 2");
    assertInvalid("0500010000000000", 0, "target 2 is outside the program's 1 slots");
    assertInvalid("0500feff00000000", 0, "target -1 is outside the program's 1 slots");
    assertInvalid(
        "0500010000000000" + "1800000000000000" + "0000000000000000",
        0,
        "target 2 is the second slot of a wide instruction");
    assertInvalid("1800000000000000", 0, "the second slot of a wide instruction is missing");
    assertInvalid(
        "1800000000000000" + EXIT,
        1,
        "the second slot of a wide instruction may hold an immediate only");
    assertInvalid(
        "1811000003000000" + "0000000001000000", 1, "immediate 1 is unused and must be 0");
    assertInvalid(EXIT + "9500", 1, "only 2 of 8 bytes are present");
  }

  private static void assertInvalid(String hex, int slot, String reason) {
    assertThatThrownBy(() -> decode(hex))
        .isInstanceOfSatisfying(
            InvalidEncodingException.class,
            e -> {
              assertThat(e.slot()).isEqualTo(slot);
              assertThat(e.reason()).isEqualTo(reason);
            })
        .hasMessage("slot " + slot + ": " + reason);
  }

  private static List<Instruction> decode(String hex) {
    return new InstructionDecoder(ByteOrder.LITTLE_ENDIAN, number -> "map" + number)
        .decode(HexFormat.of().parseHex(hex));
  }
}
