package dev.ply.bpf.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.FixedContent;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.bpf.vm.map.MapStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

public class VirtualMachineTest {
  private static final Task TASK = Task.of(1, "init");

  @SuppressWarnings("this-escape") // engine() needs no state
  private final VirtualMachine machine =
      new VirtualMachine(List.of(), 2, VmOptions.DEFAULT.withEngine(engine()));

  /**
   * Returns what runs the programs of these tests; {@link TranslatorTest} runs them with another.
   */
  Engine engine() {
    return Engine.INTERPRETER;
  }

  @Test
  void programReadsItsContext() {
    BpfProgram program = sumOfTwoWords();

    assertThat(machine.run(program, new byte[] {1, 0, 0, 0, 0, 1, 0, 0}, TASK)).isEqualTo(257);
  }

  @Test
  void executedInstructionsExcludePseudoInstructions() {
    BpfProgram program = sumOfTwoWords();

    machine.run(program, new byte[8], TASK);
    assertThat(machine.executedInstructions()).isEqualTo(4);
    machine.run(program, new byte[8], TASK);
    assertThat(machine.executedInstructions()).isEqualTo(8);
  }

  @Test
  void rawCodeAccessesItsMemory() {
    byte[] memory = {1, 2, 3};
    List<Instruction> code =
        List.of(
            new Instruction.Store(Size.B, Register.R1, 2, Operand.of(9)),
            new Instruction.Alu(Width.W64, AluOp.MOV, Register.R0, Register.R2),
            new Instruction.Exit());

    assertThat(machine.run(code, memory)).isEqualTo(3);
    assertThat(memory).containsExactly(1, 2, 9);
  }

  /** Too large to be translated. */
  @Test
  void programsOfAnyLengthRun() {
    List<Instruction> code = new ArrayList<>();
    code.add(Code.mov(Register.R0, 0));
    for (int i = 0; i < 20_000; i++) {
      code.add(Code.add(Register.R0, 1));
    }
    code.add(new Instruction.Exit());

    assertThat(machine.run(code, new byte[0])).isEqualTo(20_000);
  }

  @Test
  void shortContextIsRejected() {
    BpfProgram program = sumOfTwoWords();

    assertThatThrownBy(() -> machine.run(program, new byte[7], TASK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("program sum reads a context of 8 bytes, not 7");
  }

  @Test
  void taskOnMissingCpuIsRejected() {
    BpfProgram program = sumOfTwoWords();

    assertThatThrownBy(() -> machine.run(program, new byte[8], TASK.at(2, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the machine has the CPUs 0 to 1, not 2");
  }

  @Test
  void frozenMapIsReadOnly() {
    VirtualMachine other =
        new VirtualMachine(List.of(BpfMap.constants("texts", FixedContent.ofTexts("one"))), 1);
    MapStore texts = other.map("texts");

    assertThat(texts.lookup(new byte[4]).orElseThrow().get(0)).asString().isEqualTo("one\0");
    assertThatThrownBy(() -> texts.update(new byte[4], List.of(new byte[4])))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("map texts is frozen");
    texts.clear();
    assertThat(texts.lookup(new byte[4]).orElseThrow().get(0)).asString().isEqualTo("one\0");
  }

  @Test
  void prepareLinksAheadOfTheFirstRun() {
    BpfProgram program =
        new BpfProgram(
            "bad", ProgramType.KPROBE, 0, List.of(new Instruction.Goto(new Label("nowhere"))));

    assertThatThrownBy(() -> machine.prepare(program))
        .hasMessage("instruction 0: refers to undefined label nowhere");
  }

  private static BpfProgram sumOfTwoWords() {
    return new BpfProgram(
        "sum",
        ProgramType.RAW_TRACEPOINT,
        8,
        List.of(
            new Instruction.LabelMark(new Label("start")),
            load(Register.R0, 0),
            load(Register.R2, 4),
            new Instruction.Alu(Width.W64, AluOp.ADD, Register.R0, Register.R2),
            new Instruction.Exit()));
  }

  private static Instruction load(Register into, int offset) {
    return new Instruction.Load(Size.W, Extension.ZERO, into, Register.R1, offset);
  }
}
