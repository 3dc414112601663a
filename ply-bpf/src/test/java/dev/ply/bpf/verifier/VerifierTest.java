package dev.ply.bpf.verifier;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R3;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.diagnostic.SourceSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@Tag("any-java")
final class VerifierTest {
  private final Verifier verifier = new Verifier(VerifierCases.MAPS);

  @TestFactory
  Stream<DynamicTest> programs() {
    return VerifierCases.all().stream()
        .map(
            test ->
                DynamicTest.dynamicTest(
                    test.name(),
                    () ->
                        assertThat(verifier.verify(test.program()).violations())
                            .extracting(Violation::message)
                            .containsExactlyElementsOf(test.messages())));
  }

  @Test
  void reportHasSlotsAndStackDepth() {
    VerificationReport report =
        verifier.verify(
            Code.program(
                Code.map(R1, "stats"),
                Code.st(Size.DW, R10, -40, 0),
                Code.mov(R0, 0),
                Code.exit()));
    assertThat(report.isAccepted()).isTrue();
    assertThat(report.instructions()).isEqualTo(5);
    assertThat(report.stackDepth()).isEqualTo(40);
  }

  @Test
  void violationHasSpanAndState() {
    SourceSpan span = new SourceSpan("reads.ply", 3, 1, 3, 9);
    VerificationReport report =
        verifier.verify(
            Code.program(
                new Instruction.SourceMark(span), Code.mov(R0, 7), Code.mov(R1, R3), Code.exit()));
    assertThat(report.violations())
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.instructionIndex()).isEqualTo(2);
              assertThat(violation.span()).contains(span);
              assertThat(violation.instruction()).isEqualTo(Code.mov(R1, R3));
              assertThat(violation.state()).isEqualTo("r0=7 r1=ctx r10=fp");
            });
  }

  @Test
  void traceHasEveryStepOfEveryPath() {
    List<TraceStep> steps = new ArrayList<>();
    verifier.verify(BRANCHING, steps::add);
    assertThat(steps)
        .extracting(step -> step.index() + " " + step.outcome() + " [" + step.changes() + "]")
        .containsExactly(
            "0 CONTINUES [r2=number]",
            "1 CONTINUES [r0=1]",
            "2 BRANCHES [r2=number(0..5)]",
            "3 CONTINUES [r0=number(0..5)]",
            "5 ENDS []",
            "4 PRUNED []");
    assertThat(steps.get(2).before()).isEqualTo("r0=1 r1=ctx r2=number r10=fp");
  }

  @Test
  void notesShowChangesOnTheFirstPath() {
    StateNotes notes = StateNotes.of(verifier, BRANCHING);
    assertThat(notes.at(0)).contains("r2=number");
    assertThat(notes.at(3)).contains("r0=number(0..5)");
    assertThat(notes.at(5)).isEmpty();
    String listing = Disassembler.listing(BRANCHING.code(), span -> Optional.empty(), notes::at);
    assertThat(listing)
        .contains("   0: r2 = *(u64 *)(r1 +0)                   ; r2=number\n")
        .endsWith("   4: exit\n");
    assertThat(Assembler.assemble("listing", listing)).isEqualTo(BRANCHING.code());
  }

  private static final BpfProgram BRANCHING =
      Code.program(
          Code.ld(Size.DW, Register.R2, R1, 0),
          Code.mov(R0, 1),
          new Instruction.Jump(
              Width.W64, JumpOp.JGT, Register.R2, new Immediate(5), new Label("L1")),
          Code.mov(R0, Register.R2),
          new Instruction.LabelMark(new Label("L1")),
          Code.exit());

  @Test
  void allViolationsAreReportedOnce() {
    VerificationReport report =
        verifier.verify(
            Code.program(
                Code.mov(R0, R3),
                Code.ld(Size.DW, R0, R3, 0),
                Code.st(Size.DW, R10, -520, 0),
                Code.exit()));
    assertThat(report.violations())
        .extracting(Violation::message)
        .containsExactly(
            "r3 is read before it is written",
            "stack write of 8 bytes at fp-520 is outside the 512 bytes below fp");
  }

  @Test
  void emptyProgramsAndVirtualRegistersAreRejected() {
    assertThatThrownBy(() -> verifier.verify(Code.program()))
        .isInstanceOf(IllegalArgumentException.class);
    Register register = new Register(Register.FIRST_VIRTUAL);
    assertThatThrownBy(() -> verifier.verify(Code.program(Code.mov(register, 0), Code.exit())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("v0");
  }
}
