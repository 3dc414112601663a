package dev.ply.bpf.isa;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R2;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.isa.Register.R4;
import static dev.ply.bpf.isa.Register.R5;
import static dev.ply.bpf.isa.Register.R6;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LoadPacket;
import dev.ply.bpf.isa.Instruction.Store;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RegisterUseTest {
  @Test
  void moveDoesNotReadItsDestination() {
    assertUse(new Alu(Width.W64, AluOp.MOV, R1, R2), List.of(R2), List.of(R1));
    assertUse(new Alu(Width.W64, AluOp.ADD, R1, R2), List.of(R1, R2), List.of(R1));
    assertUse(new Alu(Width.W64, AluOp.ADD, R1, R1), List.of(R1), List.of(R1));
  }

  @Test
  void fetchingAtomicsWriteTheRegisterOfTheOldValue() {
    assertUse(atomic(AtomicOp.ADD), List.of(R1, R2), List.of());
    assertUse(atomic(AtomicOp.FETCH_ADD), List.of(R1, R2), List.of(R2));
    assertUse(atomic(AtomicOp.CMPXCHG), List.of(R1, R2, R0), List.of(R0));
  }

  @Test
  void helperCallReadsTheHelpersParameters() {
    List<Register> lost = List.of(R0, R1, R2, R3, R4, R5);
    assertUse(new CallHelper(Helper.MAP_LOOKUP_ELEM.number()), List.of(R1, R2), lost);
    assertUse(new CallHelper(Helper.KTIME_GET_NS.number()), List.of(), lost);
    assertUse(new CallHelper(9999), List.of(R1, R2, R3, R4, R5), lost);
  }

  @Test
  void implicitRegistersAreReported() {
    assertUse(new Exit(), List.of(R0), List.of());
    assertUse(
        new LoadPacket(Size.W, Optional.of(R3), 0),
        List.of(R6, R3),
        List.of(R0, R1, R2, R3, R4, R5));
  }

  @Test
  void renameReplacesExplicitRegisters() {
    Register virtual = new Register(Register.FIRST_VIRTUAL);
    assertThat(
            RegisterUse.rename(new Store(Size.W, virtual, 4, virtual), r -> r.isVirtual() ? R3 : r))
        .isEqualTo(new Store(Size.W, R3, 4, R3));
    assertThat(
            RegisterUse.rename(
                new Jump(Width.W64, JumpOp.JEQ, R1, Operand.of(0), new Label("out")), r -> R5))
        .isEqualTo(new Jump(Width.W64, JumpOp.JEQ, R5, Operand.of(0), new Label("out")));
  }

  private static Atomic atomic(AtomicOp op) {
    return new Atomic(Size.DW, op, R1, 0, R2);
  }

  private static void assertUse(
      Instruction instruction, List<Register> reads, List<Register> writes) {
    assertThat(RegisterUse.reads(instruction)).isEqualTo(reads);
    assertThat(RegisterUse.writes(instruction)).isEqualTo(writes);
  }
}
