package dev.ply.bpf.vm;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R6;
import static dev.ply.bpf.isa.Register.R7;
import static dev.ply.bpf.vm.Code.add;
import static dev.ply.bpf.vm.Code.callLocal;
import static dev.ply.bpf.vm.Code.exit;
import static dev.ply.bpf.vm.Code.jump;
import static dev.ply.bpf.vm.Code.label;
import static dev.ply.bpf.vm.Code.load;
import static dev.ply.bpf.vm.Code.mov;
import static dev.ply.bpf.vm.Code.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.vm.memory.VmFault;
import java.util.List;
import org.junit.jupiter.api.Test;

public class LocalCallTest {
  @SuppressWarnings("this-escape") // engine() needs no state
  private final VirtualMachine machine =
      new VirtualMachine(List.of(), 1, VmOptions.DEFAULT.withEngine(engine()));

  /**
   * Returns what runs the programs of these tests; {@link TranslatorTest} runs them with another.
   */
  Engine engine() {
    return Engine.INTERPRETER;
  }

  @Test
  void callPreservesSavedRegistersAndTheFrame() {
    assertThat(
            run(
                mov(R6, 100),
                store(Size.DW, R10, -8, 5),
                mov(R1, 3),
                callLocal("triple"),
                Code.alu(AluOp.ADD, R0, R6),
                load(Size.DW, R7, R10, -8),
                Code.alu(AluOp.ADD, R0, R7),
                exit(),
                label("triple"),
                mov(R6, 3),
                store(Size.DW, R10, -8, 99),
                mov(R0, R1),
                Code.alu(AluOp.MUL, R0, R6),
                exit()))
        .isEqualTo(9 + 100 + 5);
  }

  @Test
  void calleeWritesToTheCallersFrame() {
    assertThat(
            run(
                mov(R1, R10),
                add(R1, -8),
                callLocal("fill"),
                load(Size.DW, R0, R10, -8),
                exit(),
                label("fill"),
                store(Size.DW, R1, 0, 42),
                exit()))
        .isEqualTo(42);
  }

  @Test
  void callDepthIsLimited() {
    assertThat(run(recursion(7))).isZero();
    assertThat(fault(recursion(8)).kind()).isEqualTo(VmFault.Kind.CALL_DEPTH);
  }

  @Test
  void calleeSeesOnlyArguments() {
    VmFault fault =
        fault(mov(R6, 1), mov(R0, 1), callLocal("f"), exit(), label("f"), mov(R0, R6), exit());

    assertThat(fault.kind()).isEqualTo(VmFault.Kind.UNINITIALISED_REGISTER);
    assertThat(fault.index()).isEqualTo(5);
  }

  @Test
  void callClobbersArguments() {
    VmFault fault =
        fault(mov(R1, 1), callLocal("f"), mov(R0, R1), exit(), label("f"), mov(R0, 0), exit());

    assertThat(fault)
        .hasMessage("instruction 2: reads r1, uninitialised since entry or the last call");
  }

  @Test
  void frameIsUnmappedAfterReturn() {
    VmFault fault =
        fault(callLocal("f"), store(Size.B, R0, -1, 0), exit(), label("f"), mov(R0, R10), exit());

    assertThat(fault.kind()).isEqualTo(VmFault.Kind.INVALID_ADDRESS);
  }

  @Test
  void frameIsUninitialisedAtEveryCall() {
    VmFault fault =
        fault(
            mov(R1, 1),
            callLocal("f"),
            mov(R1, 0),
            callLocal("f"),
            exit(),
            label("f"),
            jump(JumpOp.JEQ, R1, 0, "read"),
            store(Size.B, R10, -1, 0),
            label("read"),
            load(Size.B, R0, R10, -1),
            exit());

    assertThat(fault.kind()).isEqualTo(VmFault.Kind.UNINITIALISED_MEMORY);
  }

  private static Instruction[] recursion(int depth) {
    return new Instruction[] {
      mov(R1, depth),
      callLocal("down"),
      exit(),
      label("down"),
      mov(R0, 0),
      add(R1, -1),
      jump(JumpOp.JEQ, R1, 0, "end"),
      callLocal("down"),
      label("end"),
      exit()
    };
  }

  private long run(Instruction... code) {
    return machine.run(List.of(code), new byte[0]);
  }

  private VmFault fault(Instruction... code) {
    return catchThrowableOfType(VmFault.class, () -> run(code));
  }
}
