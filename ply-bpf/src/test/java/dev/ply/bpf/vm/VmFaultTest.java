package dev.ply.bpf.vm;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R2;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.isa.Register.R6;
import static dev.ply.bpf.vm.Code.add;
import static dev.ply.bpf.vm.Code.call;
import static dev.ply.bpf.vm.Code.callLocal;
import static dev.ply.bpf.vm.Code.exit;
import static dev.ply.bpf.vm.Code.jump;
import static dev.ply.bpf.vm.Code.label;
import static dev.ply.bpf.vm.Code.load;
import static dev.ply.bpf.vm.Code.map;
import static dev.ply.bpf.vm.Code.mov;
import static dev.ply.bpf.vm.Code.program;
import static dev.ply.bpf.vm.Code.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.bpf.vm.memory.VmFault;
import dev.ply.diagnostic.SourceSpan;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class VmFaultTest {
  private static final Task TASK = Task.of(1, "init");

  private final VirtualMachine machine =
      new VirtualMachine(
          List.of(
              new BpfMap("counts", MapType.HASH, 4, 8, 10),
              new BpfMap("table", MapType.ARRAY, 4, 8, 2),
              new BpfMap("events", MapType.RINGBUF, 0, 0, 4096)),
          1,
          VmOptions.DEFAULT.withStepLimit(1000).withEngine(engine()));

  /**
   * Returns what runs the programs of these tests; {@link TranslatorTest} runs them with another.
   */
  Engine engine() {
    return Engine.INTERPRETER;
  }

  @Test
  void faultHasInstructionAndSpan() {
    SourceSpan span = new SourceSpan("a.ply", 3, 7, 3, 9);
    VmFault fault =
        fault(new Instruction.SourceMark(span), mov(R1, 0), load(Size.DW, R0, R1, 8), exit());

    assertThat(fault.kind()).isEqualTo(VmFault.Kind.NULL_DEREFERENCE);
    assertThat(fault.index()).isEqualTo(2);
    assertThat(fault.span()).contains(span);
    assertThat(fault)
        .hasMessage(
            "a.ply:3:7: instruction 2: reads 8 bytes at offset 8 of null; test for null first");
  }

  @Test
  void faultWithoutSourceMarkHasNoSpan() {
    assertThat(fault(mov(R0, R6), exit()).span()).isEmpty();
  }

  @Test
  void scalarsAreUnmappedAddresses() {
    assertFault(
        VmFault.Kind.INVALID_ADDRESS,
        "instruction 1: writes 1 byte at 0x123456, which is not mapped",
        mov(R3, 0x123456),
        store(Size.B, R3, 0, 1));
  }

  @Property
  void accessesOutsideTheContextFault(
      @ForAll Size size, @ForAll @IntRange(min = -32768, max = 32767) int offset) {
    boolean inside = offset >= 0 && offset + size.bytes() <= 24;
    Optional<VmFault> fault =
        Optional.ofNullable(
            catchThrowableOfType(
                VmFault.class,
                () ->
                    machine.run(
                        program(24, load(size, R0, R1, offset), exit()), new byte[32], TASK)));

    assertThat(fault.map(VmFault::kind))
        .isEqualTo(inside ? Optional.empty() : Optional.of(VmFault.Kind.OUT_OF_BOUNDS));
  }

  @Test
  void accessesOutsideTheStackFault() {
    assertFault(
        VmFault.Kind.OUT_OF_BOUNDS,
        "instruction 0: writes 8 bytes at offset -4 of the stack (-512 to -1)",
        store(Size.DW, R10, -4, 0));
    assertFault(
        VmFault.Kind.OUT_OF_BOUNDS,
        "instruction 0: writes 1 byte at offset -513 of the stack (-512 to -1)",
        store(Size.B, R10, -513, 0));
  }

  @Test
  void accessesPastAMapValueFault() {
    assertFault(
        VmFault.Kind.OUT_OF_BOUNDS,
        "instruction 1: reads 2 bytes at offset 7 of a value of map table (8 bytes)",
        new Instruction.LoadWide(R3, new WideSource.MapValue("table", 0)),
        load(Size.H, R0, R3, 7));
  }

  @Test
  void mapsThemselvesHaveNoBytes() {
    assertFault(
        VmFault.Kind.OUT_OF_BOUNDS,
        "instruction 1: reads 4 bytes at offset 0 of map table itself, which has no bytes",
        map(R3, "table"),
        load(Size.W, R0, R3, 0));
  }

  @Test
  void theContextIsReadOnly() {
    assertFault(
        VmFault.Kind.READ_ONLY,
        "instruction 0: writes 4 bytes at offset 4 of the context (16 bytes), read-only",
        store(Size.W, R1, 4, 0));
    assertFault(
        VmFault.Kind.READ_ONLY,
        "instruction 1: writes 8 bytes at offset 0 of the context (16 bytes), read-only",
        mov(R0, 0),
        Code.atomic(Size.DW, AtomicOp.CMPXCHG, R1, 0, R0));
  }

  @Test
  void misalignedAtomicsFault() {
    VmFault fault =
        fault(
            store(Size.DW, R10, -8, 0), mov(R3, 1), Code.atomic(Size.W, AtomicOp.ADD, R10, -7, R3));

    assertThat(fault.kind()).isEqualTo(VmFault.Kind.MISALIGNED);
    assertThat(fault.reason()).endsWith("not a multiple of 4");
  }

  @Test
  void uninitialisedRegistersFault() {
    assertFault(
        VmFault.Kind.UNINITIALISED_REGISTER,
        "instruction 0: reads r2, uninitialised since entry or the last call",
        mov(R0, R2));
    assertFault(
        VmFault.Kind.UNINITIALISED_REGISTER, "instruction 0: reads r6, uninitialised", add(R6, 1));
    assertFault(
        VmFault.Kind.UNINITIALISED_REGISTER, "instruction 0: reads r0, uninitialised", exit());
  }

  @Test
  void uninitialisedStackBytesFault() {
    assertFault(
        VmFault.Kind.UNINITIALISED_MEMORY,
        "instruction 1: reads 8 bytes at offset -8 of the stack (-512 to -1), uninitialised",
        store(Size.W, R10, -8, 0),
        load(Size.DW, R0, R10, -8));
  }

  @Test
  void helpersReadInitialisedMemoryOnly() {
    assertFault(
        VmFault.Kind.UNINITIALISED_MEMORY,
        "instruction 4: reads 1 byte at offset -2 of the stack (-512 to -1), uninitialised",
        store(Size.H, R10, -4, 0),
        map(R1, "counts"),
        mov(R2, R10),
        add(R2, -4),
        call(Helper.MAP_LOOKUP_ELEM));
  }

  @Test
  void helpersCheckMapAndRecordArguments() {
    assertFault(
        VmFault.Kind.BAD_ARGUMENT,
        "instruction 2: passes 0x7 in r1, not a hash or array map",
        mov(R1, 7),
        mov(R2, 0),
        call(Helper.MAP_LOOKUP_ELEM));
    assertThat(
            fault(map(R1, "counts"), mov(R2, 8), mov(R3, 0), call(Helper.RINGBUF_RESERVE)).reason())
        .endsWith("in r1, not a ring buffer");
    assertFault(
        VmFault.Kind.BAD_ARGUMENT,
        "instruction 2: passes 0x0 in r1, not a reserved record",
        mov(R1, 0),
        mov(R2, 0),
        call(Helper.RINGBUF_SUBMIT));
  }

  @Test
  void stackIdRequiresTheContext() {
    assertFault(
        VmFault.Kind.BAD_ARGUMENT,
        "instruction 3: passes 0x0 in r1, not the context",
        mov(R1, 0),
        mov(R2, 0),
        mov(R3, 0),
        call(Helper.GET_STACKID));
  }

  @Test
  void helpersRejectSizesOutOfRange() {
    assertFault(
        VmFault.Kind.BAD_ARGUMENT,
        "instruction 2: passes size 0 in r2; sizes start at 1",
        mov(R1, R10),
        mov(R2, 0),
        call(Helper.GET_CURRENT_COMM));
    assertFault(
        VmFault.Kind.BAD_ARGUMENT,
        "instruction 3: passes size -1 in r2; sizes are 0 to 536870912",
        mov(R3, 0),
        mov(R1, R10),
        mov(R2, -1),
        call(Helper.PROBE_READ_USER));
  }

  @Test
  void helpersDoNotWriteOutsideTheStack() {
    assertFault(
        VmFault.Kind.OUT_OF_BOUNDS,
        "instruction 3: writes 16 bytes at offset -8 of the stack (-512 to -1)",
        mov(R1, R10),
        add(R1, -8),
        mov(R2, 16),
        call(Helper.GET_CURRENT_COMM));
  }

  @Test
  void endlessLoopsReachTheStepLimit() {
    assertFault(
        VmFault.Kind.STEP_LIMIT,
        "instruction 1: is reached after 1000 instructions, the step limit",
        label("loop"),
        jump("loop"));
    assertThat(machine.executedInstructions()).isEqualTo(1000);
  }

  @Test
  void reservedRecordsMustBeReleased() {
    Instruction[] code = {
      map(R1, "events"), mov(R2, 8), mov(R3, 0), call(Helper.RINGBUF_RESERVE), mov(R0, 0), exit()
    };
    assertFault(
        VmFault.Kind.UNRELEASED_RECORD,
        "instruction 5: exits with 1 unreleased ring buffer record(s);"
            + " submit or discard each on every path",
        code);
    assertThat(machine.ringBuffer("events").consume(record -> {})).isZero();
    assertThat(machine.ringBuffer("events").available()).isZero();
  }

  @Test
  void submittedRecordsAreInaccessible() {
    VmFault fault =
        fault(
            map(R1, "events"),
            mov(R2, 8),
            mov(R3, 0),
            call(Helper.RINGBUF_RESERVE),
            mov(R6, R0),
            mov(R1, R0),
            mov(R2, 0),
            call(Helper.RINGBUF_SUBMIT),
            store(Size.DW, R6, 0, 1));

    assertThat(fault.kind()).isEqualTo(VmFault.Kind.INVALID_ADDRESS);
    assertThat(fault.index()).isEqualTo(8);
  }

  @Test
  void voidHelpersClobberR0() {
    VmFault fault =
        fault(
            map(R1, "events"),
            mov(R2, 8),
            mov(R3, 0),
            call(Helper.RINGBUF_RESERVE),
            mov(R1, R0),
            mov(R2, 0),
            call(Helper.RINGBUF_DISCARD),
            exit());

    assertThat(fault.kind()).isEqualTo(VmFault.Kind.UNINITIALISED_REGISTER);
  }

  @Test
  void runningPastTheEndFaults() {
    assertFault(
        VmFault.Kind.END_OF_CODE, "instruction 1: runs past the end of the program", mov(R0, 0));
    assertThat(fault().kind()).isEqualTo(VmFault.Kind.END_OF_CODE);
  }

  @Test
  void unsupportedInstructionsFaultWhenExecuted() {
    Instruction packet = new Instruction.LoadPacket(Size.W, Optional.empty(), 0);

    assertThat(fault(packet).kind()).isEqualTo(VmFault.Kind.UNSUPPORTED);
    assertThat(fault(new Instruction.CallKernel(5)).kind()).isEqualTo(VmFault.Kind.UNSUPPORTED);
    assertThat(fault(new Instruction.CallHelper(4000)).kind()).isEqualTo(VmFault.Kind.UNSUPPORTED);
    assertThat(fault(new Instruction.LoadWide(R0, new WideSource.Variable(1))).kind())
        .isEqualTo(VmFault.Kind.UNSUPPORTED);
    assertThat(machine.run(List.of(mov(R0, 0), exit(), packet), new byte[0])).isZero();
  }

  @Test
  void malformedCodeFailsToLink() {
    assertFault(
        VmFault.Kind.MALFORMED,
        "instruction 1: refers to undefined label away",
        mov(R0, 0),
        jump("away"));
    assertFault(
        VmFault.Kind.MALFORMED,
        "instruction 1: redefines label here",
        label("here"),
        label("here"));
    assertFault(
        VmFault.Kind.MALFORMED, "instruction 0: writes r10, which is read-only", mov(R10, 0));
    assertFault(
        VmFault.Kind.MALFORMED,
        "instruction 0: uses virtual register v0",
        mov(new Register(16), 0));
    assertFault(
        VmFault.Kind.MALFORMED,
        "instruction 0: swaps the bytes of 16, 32 or 64 bits, not 8",
        new Instruction.ByteSwap(Instruction.ByteSwap.Order.BIG, 8, R0));
    assertThat(fault(map(R1, "none")).kind()).isEqualTo(VmFault.Kind.MALFORMED);
    assertThat(fault(new Instruction.LoadWide(R1, new WideSource.MapValue("counts", 0))).kind())
        .isEqualTo(VmFault.Kind.MALFORMED);
    assertThat(fault(new Instruction.LoadWide(R1, new WideSource.MapValue("table", 8))).kind())
        .isEqualTo(VmFault.Kind.MALFORMED);
    assertThat(machine.executedInstructions()).isZero();
  }

  @Test
  void machineRunsAfterAFault() {
    fault(callLocal("f"), exit(), label("f"), store(Size.B, R10, 0, 0));

    assertThat(
            machine.run(
                List.of(store(Size.DW, R10, -8, 5), load(Size.DW, R0, R10, -8), exit()),
                new byte[0]))
        .isEqualTo(5);
  }

  private void assertFault(VmFault.Kind kind, String message, Instruction... code) {
    VmFault fault = fault(code);

    assertThat(fault).hasMessage(message);
    assertThat(fault.kind()).isEqualTo(kind);
  }

  private VmFault fault(Instruction... code) {
    return catchThrowableOfType(
        VmFault.class, () -> machine.run(program(16, code), new byte[16], TASK));
  }
}
