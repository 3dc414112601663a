package dev.ply.bpf.encoding;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadPacket;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.SignExtend;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.diagnostic.SourceSpan;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InstructionEncoderTest {
  private static final Label OUT = new Label("out");
  private static final Instruction ADD = new Alu(Width.W64, AluOp.ADD, R1, Operand.of(0x11223344));

  @Test
  void fieldsFollowTheByteOrderAsInTheRfcsExample() {
    Instruction store = new Alu(Width.W64, AluOp.ADD, R1, R2);
    assertThat(hex(ByteOrder.LITTLE_ENDIAN, ADD, store))
        .isEqualTo("0701000044332211" + "0f21000000000000");
    assertThat(hex(ByteOrder.BIG_ENDIAN, ADD, store))
        .isEqualTo("0710000011223344" + "0f12000000000000");
  }

  @Test
  void mapsAreEncodedByTheCallersDescriptor() {
    assertThat(hex(ByteOrder.LITTLE_ENDIAN, new LoadWide(R1, new WideSource.Map("stats"))))
        .isEqualTo("1811000005000000" + "0000000000000000");
    assertThat(hex(ByteOrder.LITTLE_ENDIAN, new LoadWide(R1, new WideSource.MapValue("stats", 8))))
        .isEqualTo("1821000005000000" + "0000000008000000");
  }

  @Test
  void distancesCountSlotsFromTheNextSlot() {
    Instruction wide = new LoadWide(R0, new WideSource.Constant(-2));
    assertThat(hex(ByteOrder.LITTLE_ENDIAN, new Goto(OUT), wide, new LabelMark(OUT), new Exit()))
        .isEqualTo(
            "0500020000000000" + "18000000feffffff" + "00000000ffffffff" + "9500000000000000");
  }

  @Test
  void farGotoHasTheLongForm() {
    List<Instruction> code = far(new Goto(OUT), 32768);
    assertThat(Arrays.copyOf(encode(code).bytes(), 8))
        .isEqualTo(HexFormat.of().parseHex("0600000000800000"));
    assertThat(Arrays.copyOf(encode(far(new Goto(OUT), 32767)).bytes(), 8))
        .isEqualTo(HexFormat.of().parseHex("0500ff7f00000000"));
  }

  @Test
  void farConditionalJumpIsRejected() {
    Instruction jump = new Jump(Width.W64, JumpOp.JEQ, R1, Operand.of(0), OUT);
    assertThat(encode(far(jump, 32767)).slots()).isEqualTo(32769);
    assertRejected("label out is 32768 slots away", far(jump, 32768));
  }

  @Test
  void labelsMustBeDefinedExactlyOnce() {
    assertRejected("label out is not defined", List.of(new Goto(OUT)));
    assertRejected(
        "label out is defined twice", List.of(new LabelMark(OUT), new Exit(), new LabelMark(OUT)));
  }

  @Test
  void invalidOperandsAreRejected() {
    Register virtual = new Register(Register.FIRST_VIRTUAL);
    assertRejected("virtual register v0", List.of(new Alu(Width.W64, AluOp.MOV, virtual, R1)));
    assertRejected("virtual register v0", List.of(new Alu(Width.W64, AluOp.MOV, R1, virtual)));
    assertRejected("no move extends 4 bytes", List.of(new SignExtend(Width.W32, Size.W, R1, R2)));
    assertRejected("no move extends 8 bytes", List.of(new SignExtend(Width.W64, Size.DW, R1, R2)));
    assertRejected(
        "a load of 8 bytes cannot sign-extend",
        List.of(new Load(Size.DW, Extension.SIGN, R1, R2, 0)));
    assertRejected(
        "packet loads have 1, 2 or 4 bytes", List.of(new LoadPacket(Size.DW, Optional.empty(), 0)));
    assertRejected(
        "byte swaps have 16, 32 or 64 bits, not 8",
        List.of(new Instruction.ByteSwap(Instruction.ByteSwap.Order.BIG, 8, R1)));
  }

  @Test
  void slotsMapToSpansAndInstructionsToSlots() {
    SourceSpan span = new SourceSpan("t.ply", 3, 1, 3, 9);
    EncodedProgram program =
        encode(
            List.of(
                ADD,
                new SourceMark(span),
                new LoadWide(R0, new WideSource.Constant(1)),
                new SourceMark(SourceSpan.NONE),
                new Exit()));
    assertThat(program.slots()).isEqualTo(4);
    assertThat(program.spanOf(0)).isEmpty();
    assertThat(program.spanOf(1)).contains(span);
    assertThat(program.spanOf(2)).contains(span);
    assertThat(program.spanOf(3)).isEmpty();
    assertThat(program.slotOf(1)).isEqualTo(1);
    assertThat(program.slotOf(2)).isEqualTo(1);
    assertThat(program.slotOf(4)).isEqualTo(3);
  }

  private static List<Instruction> far(Instruction jump, int between) {
    List<Instruction> code = new ArrayList<>();
    code.add(jump);
    code.addAll(Collections.nCopies(between, ADD));
    code.add(new LabelMark(OUT));
    code.add(new Exit());
    return code;
  }

  private static void assertRejected(String message, List<Instruction> code) {
    assertThatThrownBy(() -> encode(code))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static String hex(ByteOrder order, Instruction... code) {
    return HexFormat.of()
        .formatHex(new InstructionEncoder(order, name -> 5).encode(List.of(code)).bytes());
  }

  private static EncodedProgram encode(List<Instruction> code) {
    return new InstructionEncoder(ByteOrder.LITTLE_ENDIAN, name -> 5).encode(code);
  }
}
