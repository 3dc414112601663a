package dev.ply.bpf.isa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.LoadWide;
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
    // The first goto leads to the third slot, the second one back to the first.
    assertThat(decode("0500010000000000" + "0500feff00000000" + EXIT))
        .containsExactly(
            new LabelMark(first),
            new Goto(second),
            new Goto(first),
            new LabelMark(second),
            new Exit());
  }

  @Test
  void mapsComeBackByName() {
    assertThat(decode("1811000003000000" + "0000000000000000"))
        .containsExactly(new LoadWide(Register.R1, new WideSource.Map("map3")));
  }

  @Test
  void aLongGotoIsAGoto() {
    Label label = new Label("L1");
    assertThat(decode("0600000000000000" + EXIT))
        .containsExactly(new Goto(label), new LabelMark(label), new Exit());
  }

  @Test
  void aFaultNamesItsSlotAndReason() {
    assertFault("ff00000000000000", 0, "opcode 0xff is not an instruction");
    assertFault(EXIT + "070b000000000000", 1, "opcode 0x07 does not allow dst 11");
    assertFault("0711000000000000", 0, "opcode 0x07 does not allow src 1");
    assertFault("0701010000000000", 0, "opcode 0x07 does not allow offset 1");
    assertFault("bf21070000000000", 0, "opcode 0xbf does not allow offset 7");
    assertFault("db21000002000000", 0, "opcode 0xdb does not allow immediate 2");
    assertFault("0500010000000000", 0, "target 2 is outside of the program's 1 slots");
    assertFault("0500feff00000000", 0, "target -1 is outside of the program's 1 slots");
    assertFault(
        "0500010000000000" + "1800000000000000" + "0000000000000000",
        0,
        "target 2 is the second slot of a wide instruction");
    assertFault("1800000000000000", 0, "the second slot of a wide instruction is missing");
    assertFault(
        "1800000000000000" + EXIT,
        1,
        "the second slot of a wide instruction has an immediate only");
    assertFault(
        "1811000003000000" + "0000000001000000", 1, "immediate 1 is not used here and must be 0");
    assertFault(EXIT + "9500", 1, "only 2 of 8 bytes are there");
  }

  private static void assertFault(String hex, int slot, String reason) {
    assertThatThrownBy(() -> decode(hex))
        .isInstanceOfSatisfying(
            InvalidEncodingException.class,
            fault -> {
              assertThat(fault.slot()).isEqualTo(slot);
              assertThat(fault.reason()).isEqualTo(reason);
            })
        .hasMessage("slot " + slot + ": " + reason);
  }

  private static List<Instruction> decode(String hex) {
    return new InstructionDecoder(ByteOrder.LITTLE_ENDIAN, number -> "map" + number)
        .decode(HexFormat.of().parseHex(hex));
  }
}
