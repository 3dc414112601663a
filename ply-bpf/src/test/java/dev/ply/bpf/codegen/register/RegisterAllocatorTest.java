package dev.ply.bpf.codegen.register;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.generate.VirtualPrograms;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.optimize.EliminateDeadCode;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.helper.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RegisterAllocatorTest {
  private static final Register V0 = new Register(Register.FIRST_VIRTUAL);
  private static final Register V1 = new Register(Register.FIRST_VIRTUAL + 1);

  private static Instruction mov(Register dst, Operand src) {
    return new Instruction.Alu(Width.W64, AluOp.MOV, dst, src);
  }

  private static Instruction add(Register dst, Operand src) {
    return new Instruction.Alu(Width.W64, AluOp.ADD, dst, src);
  }

  private static String allocate(Instruction... code) {
    return Disassembler.listing(new RegisterAllocator(0).apply(List.of(code)));
  }

  private static long run(List<Instruction> code) {
    BpfProgram program = new BpfProgram("test", ProgramType.RAW_TRACEPOINT, 0, code);
    assertThat(new Verifier(List.of()).verify(program).violations()).isEmpty();
    VirtualMachine vm = new VirtualMachine(List.of(), 1);
    return vm.run(program, new byte[0], Task.of(1, "test"));
  }

  @Test
  void aCopyThatNeedsNoPlaceOfItsOwnVanishes() {
    assertThat(
            allocate(
                mov(V0, new Immediate(7)),
                mov(V1, V0),
                mov(Register.R0, V1),
                new Instruction.Exit()))
        .isEqualTo("   0: r0 = 7\n   1: exit\n");
  }

  @Test
  void aCopyOfWhatIsStillNeededStays() {
    assertThat(
            run(
                new RegisterAllocator(0)
                    .apply(
                        List.of(
                            mov(V0, new Immediate(7)),
                            mov(V1, V0),
                            add(V1, new Immediate(1)),
                            add(V1, V0),
                            mov(Register.R0, V1),
                            new Instruction.Exit()))))
        .isEqualTo(15);
  }

  @Test
  void whatACallMustNotLoseIsInARegisterThatItKeeps() {
    assertThat(
            allocate(
                mov(V0, new Immediate(7)),
                new Instruction.CallHelper(Helper.GET_SMP_PROCESSOR_ID.number()),
                mov(V1, Register.R0),
                add(V1, V0),
                mov(Register.R0, V1),
                new Instruction.Exit()))
        .isEqualTo(
            """
               0: r6 = 7
               1: call bpf_get_smp_processor_id
               2: r0 += r6
               3: exit
            """);
  }

  @Test
  void valuesBeyondTheRegistersGoToTheStackBelowWhatIsTaken() {
    List<Instruction> code = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      code.add(mov(new Register(Register.FIRST_VIRTUAL + i), new Immediate(i)));
    }
    for (int i = 1; i < 14; i++) {
      code.add(add(V0, new Register(Register.FIRST_VIRTUAL + i)));
    }
    code.add(mov(Register.R0, V0));
    code.add(new Instruction.Exit());
    List<Instruction> placed = new RegisterAllocator(64).apply(code);
    assertThat(run(placed)).isEqualTo(91);
    assertThat(placed)
        .filteredOn(Instruction.Store.class::isInstance)
        .isNotEmpty()
        .allSatisfy(store -> assertThat(((Instruction.Store) store).offset()).isLessThan(-64));
  }

  @Property(tries = 1000)
  void placingRegistersDoesNotChangeWhatAProgramDoes(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 40) int registers,
      @ForAll @IntRange(max = 80) int steps) {
    List<Instruction> virtual = VirtualPrograms.program(new Random(seed), registers, steps);
    assertThat(run(new RegisterAllocator(0).apply(virtual)))
        .as(Disassembler.listing(virtual))
        .isEqualTo(run(VirtualPrograms.onStack(virtual)));
  }

  @Property(tries = 300)
  void deadCodeCanGo(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 10) int registers,
      @ForAll @IntRange(max = 60) int steps) {
    List<Instruction> code =
        VirtualPrograms.onStack(VirtualPrograms.program(new Random(seed), registers, steps));
    List<Instruction> smaller = new EliminateDeadCode().apply(code);
    assertThat(run(smaller)).isEqualTo(run(code));
    assertThat(new EliminateDeadCode().apply(smaller)).isEqualTo(smaller);
  }
}
