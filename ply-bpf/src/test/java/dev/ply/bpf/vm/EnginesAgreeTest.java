package dev.ply.bpf.vm;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Bytes;
import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.generate.MachinePrograms;
import dev.ply.bpf.generate.MapContents;
import dev.ply.bpf.generate.Mutations;
import dev.ply.bpf.generate.Search;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.vm.helper.SideEffect;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.bpf.vm.memory.VmFault;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A translated program does exactly what it does when it is interpreted, and faults alike. */
class EnginesAgreeTest {
  private static final int PIECES = 14;
  private static final int RUNS = 3;

  /** More than any of the programs below executes. */
  private static final int LONGEST = 120;

  /** Functions read their arguments, leave r0 alone, and write to their caller's stack. */
  private static final String CALLS =
      """
      r6 = 7
      r1 = r10
      r1 += -8
      *(u64 *)(r10 -8) = 1
      r2 = 5
      call fill
      r1 = 3
      call triple
      r0 += r6
      r7 = *(u64 *)(r10 -8)
      r0 += r7
      call fill
      exit
      triple: r6 = 3
      *(u64 *)(r10 -8) = r6
      r0 = r1
      r0 *= r6
      exit
      fill: *(u64 *)(r1 +0) = r2
      exit
      """;

  private static final String CALLBACKS =
      """
      *(u64 *)(r10 -8) = 0
      r1 = 4
      r2 = subprog[add]
      r3 = r10
      r3 += -8
      r4 = 0
      call bpf_loop
      r6 = r0
      r1 = 3
      r2 = subprog[nothing]
      r3 = 0
      r4 = 0
      call bpf_loop
      exit
      add: r6 = r2
      r7 = *(u64 *)(r2 +0)
      r7 += r1
      call one
      r7 += r0
      *(u64 *)(r6 +0) = r7
      r0 = 0
      exit
      one: r0 = 1
      exit
      nothing: r1 = 0
      exit
      """;

  /** A callback begins at an instruction that is not the first one of a function. */
  private static final String FORGED =
      """
      r2 = subprog[add]
      r2 += 1
      r1 = 3
      r3 = 9
      r4 = 0
      call bpf_loop
      r1 = 2
      r2 = subprog[add]
      r3 = 9
      r4 = 0
      call bpf_loop
      r1 = 1
      r2 = 4096
      r3 = 0
      r4 = 0
      call bpf_loop
      exit
      add: r1 = r3
      r0 = r1
      r0 &= 1
      exit
      """;

  private static final String ENTRIES =
      """
      r6 = map[hash]
      *(u64 *)(r10 -8) = 1
      *(u64 *)(r10 -24) = 5
      *(u64 *)(r10 -16) = 6
      r1 = r6
      r2 = r10
      r2 += -8
      r3 = r10
      r3 += -24
      r4 = 0
      call bpf_map_update_elem
      *(u64 *)(r10 -8) = 2
      r1 = r6
      r2 = r10
      r2 += -8
      r3 = r10
      r3 += -24
      r4 = 0
      call bpf_map_update_elem
      r1 = r6
      r2 = subprog[visit]
      r3 = r10
      r3 += -24
      r4 = 0
      call bpf_for_each_map_elem
      r0 = *(u64 *)(r10 -24)
      exit
      visit: r5 = *(u64 *)(r2 +0)
      r3 = *(u64 *)(r3 +0)
      r5 *= r3
      r1 = *(u64 *)(r4 +0)
      r1 += r5
      *(u64 *)(r4 +0) = r1
      r0 = 0
      exit
      """;

  /** Registers and bytes of the stack are initialised on some paths only. */
  private static final String BRANCHES =
      """
      r6 = *(u64 *)(r1 +0)
      r7 = 3
      again: if r6 == 0 goto zero
      r8 = 5
      *(u32 *)(r10 -4) = r6
      goto join
      zero: r9 = 6
      join: r0 = 1
      r7 += -1
      r6 += 1
      if r7 != 0 goto again
      r0 += r8
      r0 += r9
      r1 = *(u32 *)(r10 -4)
      r0 += r1
      r2 = *(u64 *)(r10 -8)
      exit
      """;

  private static final String RECURSION =
      """
      r1 = 5
      call down
      r6 = r0
      r1 = 20
      call down
      exit
      down: r6 = r1
      if r1 == 0 goto end
      r1 += -1
      call down
      r0 += r6
      exit
      end: r0 = 0
      exit
      """;

  /** The third and fourth value of the last one have not been initialised. */
  private static final String PRINTS =
      """
      r1 = 0x64252064252064
      *(u64 *)(r10 -8) = r1
      *(u8 *)(r10 -9) = 37
      r1 = r10
      r1 += -9
      r2 = 9
      r3 = 1
      r4 = 2
      r5 = 3
      call bpf_trace_printk
      r6 = r0
      call touch
      r1 = r10
      r1 += -9
      r2 = 9
      if r6 == 0 goto print
      r3 = 7
      print: call bpf_trace_printk
      r0 = r3
      exit
      touch: r4 = 9
      r5 = 8
      exit
      """;

  private static final String ATOMICS =
      """
      *(u64 *)(r10 -8) = 5
      r1 = 3
      lock *(u64 *)(r10 -8) += r1
      r0 = *(u64 *)(r10 -8)
      r1 = r10
      r2 = 1
      lock *(u32 *)(r1 -8) |= r2
      lock *(u64 *)(r1 -16) += r2
      exit
      """;

  /** What a run shows of itself. */
  private record Outcome(
      String result,
      long executed,
      List<MapContents> maps,
      List<List<Byte>> records,
      List<SideEffect> effects) {}

  /** {@code -Dharness.engines=N} programs, half of them almost right. */
  @Test
  void enginesAgreeOnGeneratedPrograms() {
    Search.of("harness.engines", 300)
        .check(
            () -> MachinePrograms.programs(PIECES),
            program -> {
              Random random = new Random(Disassembler.listing(program.code()).hashCode());
              check(program, random);
              check(Mutations.of(program).generator(1000).next(random).value(), random);
            });
  }

  /** Each program is cut after each of its instructions. */
  @ParameterizedTest
  @ValueSource(strings = {CALLS, CALLBACKS, FORGED, ENTRIES, BRANCHES, RECURSION, PRINTS, ATOMICS})
  void enginesAgreeAtEveryStepLimit(String text) {
    BpfProgram program =
        new BpfProgram("p", ProgramType.RAW_TRACEPOINT, 16, Assembler.assemble("p", text));
    for (int limit = 1; limit <= LONGEST; limit++) {
      VmOptions options = VmOptions.DEFAULT.withStepLimit(limit);
      byte[] context = new byte[16];
      assertThat(outcomes(program, context, options.withEngine(Engine.TRANSLATOR)))
          .as("limit " + limit)
          .isEqualTo(outcomes(program, context, options));
    }
  }

  private static void check(BpfProgram program, Random random) {
    // Some limits cut a program anywhere.
    long limit = random.nextBoolean() ? 10_000 : 1 + random.nextInt(60);
    VmOptions options = VmOptions.DEFAULT.withStepLimit(limit);
    byte[] context = new byte[MachinePrograms.CONTEXT_BYTES];
    random.nextBytes(context);
    assertThat(outcomes(program, context, options.withEngine(Engine.TRANSLATOR)))
        .as(() -> "limit " + limit + "\n" + Disassembler.listing(program.code()))
        .isEqualTo(outcomes(program, context, options));
  }

  private static List<Outcome> outcomes(BpfProgram program, byte[] context, VmOptions options) {
    VirtualMachine machine = new VirtualMachine(MachinePrograms.MAPS, 1, options);
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      byte[] seen = context.clone();
      Arrays.fill(seen, 0, 8 * i, (byte) -i);
      String result = result(machine, program, seen);
      outcomes.add(
          new Outcome(
              result,
              machine.executedInstructions(),
              maps(machine),
              records(machine),
              machine.takeEffects()));
    }
    return outcomes;
  }

  private static String result(VirtualMachine machine, BpfProgram program, byte[] context) {
    try {
      return "returns " + machine.run(program, context, Task.of(1, "init"));
    } catch (VmFault fault) {
      return fault.kind() + " " + fault.index() + " " + fault.getMessage();
    }
  }

  private static List<MapContents> maps(VirtualMachine machine) {
    return MachinePrograms.MAPS.stream()
        .filter(map -> map.type() != MapType.RINGBUF)
        .map(map -> MapContents.of(map, machine))
        .toList();
  }

  private static List<List<Byte>> records(VirtualMachine machine) {
    List<List<Byte>> records = new ArrayList<>();
    int unused = machine.ringBuffer("events").consume(record -> records.add(Bytes.asList(record)));
    return records;
  }
}
