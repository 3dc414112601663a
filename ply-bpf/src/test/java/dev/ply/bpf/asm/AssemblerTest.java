package dev.ply.bpf.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ply.bpf.generate.Programs;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.SourceSpan;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class AssemblerTest {
  @Property
  void assembleInvertsDisassemble(@ForAll("programs") List<Instruction> program) {
    String text = program.stream().map(Disassembler::text).collect(Collectors.joining("\n"));

    assertThat(Assembler.assemble("t", text)).isEqualTo(program);
  }

  @Property(tries = 200)
  void listingsWithVirtualRegistersRoundTrip(@ForAll("programs") List<Instruction> program) {
    List<Instruction> virtual =
        program.stream().map(i -> RegisterUse.rename(i, AssemblerTest::virtual)).toList();

    assertThat(Assembler.assemble("t", Disassembler.listing(virtual))).isEqualTo(virtual);
  }

  private static Register virtual(Register register) {
    return register.number() % 2 == 0 ? register : new Register(register.number() + 20);
  }

  @Provide
  Arbitrary<List<Instruction>> programs() {
    return Programs.any();
  }

  @Example
  void commentsSlotNumbersAndBlankLinesAreIgnored() {
    assertThat(
            Assembler.assemble(
                "t",
                """
                ; kprobe:vfs_read { @ = count(); }
                  0: r1 = 5      // a move

                out:  12: exit   ; the end
                """))
        .containsExactly(
            new Alu(Width.W64, AluOp.MOV, Register.R1, Operand.of(5)),
            new LabelMark(new Label("out")),
            new Exit());
  }

  @Example
  void hexadecimalIsAWideLoadAndInJumpsThe32BitField() {
    assertThat(Assembler.assemble("t", "r1 = 0xffffffffffffffff"))
        .containsExactly(new LoadWide(Register.R1, new WideSource.Constant(-1)));
    assertThat(Assembler.assemble("t", "a: if w1 s< 0xffffffff goto a"))
        .contains(new Jump(Width.W32, JumpOp.JSLT, Register.R1, Operand.of(-1), new Label("a")));
  }

  @Example
  void callsTargetHelpersByNameOrNumberAndLabels() {
    assertThat(
            Assembler.assemble(
                "t",
                "f: call bpf_map_lookup_elem#1\ncall unknown#999\ncall f\ncall global f\ngotol f"))
        .contains(
            new CallHelper(Helper.MAP_LOOKUP_ELEM.number()),
            new CallHelper(999),
            new CallLocal(new Label("f")),
            new CallLocal(new Label("f"), /* isGlobal= */ true));
  }

  @Example
  void everyBadLineIsReportedWithItsPosition() {
    assertThat(
            errors(
                """
                r1 += w2
                r11 = 5
                r1 = *(u24 *)(r2 +0)
                exit
                if r1 = r2 goto out
                goto out
                r1 = 5000000000
                exit exit
                *(u64 *)(r1 +40000) = r2
                w1 = (s32)w2
                r1 = be16 r2
                r3 = atomic64_fetch_add((u64 *)(r1 +0), r2)
                call bpf_map_lokup_elem
                call bpf_map_lookup_elem#2
                f:
                f:
                r1 = ?
                """))
        .containsExactly(
            "t:1:7: expected a 64-bit register (r0 to r10), found \"w2\"",
            "t:2:1: expected an instruction, found \"r11\"",
            "t:3:8: expected u8, u16, u32, u64, s8, s16 or s32, found \"u24\"",
            "t:5:7: expected a comparison, found \"=\"",
            "t:7:6: 5000000000 is not between -2147483648 and 2147483647",
            "t:8:6: expected the end of the line, found \"exit\"",
            "t:9:14: 40000 is not between -32768 and 32767",
            "t:10:7: expected s8 or s16, found \"s32\"",
            "t:11:11: expected r1 again, found \"r2\"",
            "t:12:41: atomic64_fetch_add leaves the old value in r2, not in r3",
            "t:13:6: helper \"bpf_map_lokup_elem\" is unknown; write its number"
                + " after \"#\" (did you mean \"bpf_map_lookup_elem\"?)",
            "t:14:6: helper 2 is not bpf_map_lookup_elem but bpf_map_update_elem",
            "t:16:1: label \"f\" is defined twice",
            "t:17:6: expected a value, found \"?\"",
            "t:6:6: label \"out\" is not defined");
  }

  @Example
  void endOfLineIsNamedInMessages() {
    assertThat(errors("r1 +="))
        .containsExactly("t:1:6: expected a number, found the end of the line");
  }

  private static List<String> errors(String text) {
    CompilationException thrown =
        catchThrowableOfType(CompilationException.class, () -> Assembler.assemble("t", text));
    return thrown.diagnostics().stream()
        .peek(d -> assertThat(d.code()).isEqualTo(DiagnosticCode.SYNTAX))
        .map(
            d ->
                d.span()
                    + ": "
                    + d.message()
                    + d.hints().stream().map(h -> " (" + h + ")").collect(Collectors.joining()))
        .toList();
  }

  @Example
  void listingShowsSourceLinesWhereTheyChange() {
    List<Instruction> code =
        List.of(
            mark(1, 1),
            new Alu(Width.W64, AluOp.MOV, Register.R6, Register.R1),
            mark(1, 9),
            new LoadWide(Register.R1, new WideSource.Map("stats")),
            mark(2, 3),
            new CallHelper(1),
            new LabelMark(new Label("out")),
            new SourceMark(SourceSpan.NONE),
            new Exit());
    assertThat(Disassembler.listing(code, span -> Optional.of("  line " + span.line())))
        .isEqualTo(
            """
            ; line 1
               0: r6 = r1
               1: r1 = map[stats]
            ; line 2
               3: call bpf_map_lookup_elem
            out:
               4: exit
            """);
    assertThat(Disassembler.listing(code)).doesNotContain(";");
  }

  private static SourceMark mark(int line, int column) {
    return new SourceMark(new SourceSpan("s.ply", line, column, line, column + 1));
  }
}
