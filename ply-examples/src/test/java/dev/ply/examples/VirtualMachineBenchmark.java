package dev.ply.examples;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.vm.Engine;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.VmOptions;
import dev.ply.bpf.vm.helper.Task;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long the engines of the virtual machine take for an instruction, beside the simplest
 * interpreter there could be: one switch over arrays, without any check.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class VirtualMachineBenchmark {
  private static final int TURNS = 20_000;

  /** A checksum over the stack: arithmetic, loads, stores, and a jump in each turn. */
  private static final String CHECKSUM =
      """
      r1 = 0
      r2 = 20000
      *(u64 *)(r10 -8) = 0
      again: r3 = r1
      r3 *= 31
      r3 ^= r2
      r4 = *(u64 *)(r10 -8)
      r4 += r3
      *(u64 *)(r10 -8) = r4
      r1 += 1
      if r1 < r2 goto again
      r0 = *(u64 *)(r10 -8)
      exit
      """;

  private static final int CHECKSUM_EXECUTED = 3 + 8 * TURNS + 2;

  /** Loads and stores all over the value of a map. */
  private static final String MEMORY =
      """
      r6 = map[table][0]+0
      r0 = 0
      r1 = 0
      again: r2 = r1
      r2 &= 0xff8
      r3 = r6
      r3 += r2
      r4 = *(u64 *)(r3 +0)
      r5 = *(u8 *)(r3 +9)
      r4 += r5
      *(u64 *)(r3 +0) = r4
      *(u32 *)(r3 +8) = r1
      r0 += r4
      r1 += 40
      if r1 < 800000 goto again
      exit
      """;

  private static final int MEMORY_EXECUTED = 3 + 12 * TURNS + 1;

  /** Looks up an entry of a map and adds to it, and asks for the time. */
  private static final String HELPERS =
      """
      *(u32 *)(r10 -4) = 0
      r6 = 0
      again: r1 = map[table]
      r2 = r10
      r2 += -4
      call bpf_map_lookup_elem
      if r0 == 0 goto end
      r1 = *(u64 *)(r0 +0)
      r1 += r6
      *(u64 *)(r0 +0) = r1
      call bpf_ktime_get_ns
      r6 += 1
      if r6 < 20000 goto again
      end: r0 = r6
      exit
      """;

  private static final int HELPERS_EXECUTED = 2 + 11 * TURNS + 2;

  /** 100 times the statements of a checksum, with a jump. */
  private static final String PREPARED =
      "r3 = r1\n"
          + "r4 = *(u64 *)(r10 -8)\nr4 += r3\n*(u64 *)(r10 -8) = r4\nif r4 > 7 goto end\n"
              .repeat(100)
          + "end: r0 = 0\nexit\n";

  private static final int PREPARED_LENGTH = 1 + 4 * 100 + 2;

  private final BpfProgram checksum = program("checksum", CHECKSUM);
  private final BpfProgram memory = program("memory", MEMORY);
  private final BpfProgram helpers = program("helpers", HELPERS);
  private final BpfProgram prepared = program("prepared", PREPARED);
  private final Task task = Task.of(1, "benchmark");
  private final byte[] context = new byte[0];

  /** A machine with a map, for each engine. */
  @State(Scope.Thread)
  public static class Machine {
    /** What runs the programs. */
    @Param public Engine engine = Engine.INTERPRETER;

    private VirtualMachine machine = machine(engine);

    /** Creates the machine. */
    @Setup
    public void create() {
      machine = machine(engine);
    }

    private static VirtualMachine machine(Engine engine) {
      return new VirtualMachine(
          List.of(new BpfMap("table", MapType.ARRAY, 4, 8192, 1)),
          1,
          VmOptions.DEFAULT.withEngine(engine));
    }
  }

  private static BpfProgram program(String name, String text) {
    return new BpfProgram(name, ProgramType.RAW_TRACEPOINT, 0, Assembler.assemble(name, text));
  }

  /** Every access, every register checked, instructions counted; and so below. */
  @Benchmark
  @OperationsPerInvocation(CHECKSUM_EXECUTED)
  public long virtualMachine(Machine on) {
    return on.machine.run(checksum, context, task);
  }

  /** Accesses that are found by address. */
  @Benchmark
  @OperationsPerInvocation(MEMORY_EXECUTED)
  public long memory(Machine on) {
    return on.machine.run(memory, context, task);
  }

  /** Two helper calls in eleven instructions. */
  @Benchmark
  @OperationsPerInvocation(HELPERS_EXECUTED)
  public long helpers(Machine on) {
    return on.machine.run(helpers, context, task);
  }

  /** What it costs to link a new program, and to translate it, for an instruction. */
  @Benchmark
  @OperationsPerInvocation(PREPARED_LENGTH)
  public void preparation(Machine on) {
    on.machine.prepare(new BpfProgram("new", ProgramType.RAW_TRACEPOINT, 0, prepared.code()));
  }

  /** Nothing checked. */
  @Benchmark
  @OperationsPerInvocation(CHECKSUM_EXECUTED)
  public long plainLoop() {
    return PlainLoop.run();
  }

  /** The same program for an interpreter of one switch over the opcodes of RFC 9669. */
  private static final class PlainLoop {
    private static final int[][] STEPS = {
      {0xb7, 1, 0, 0, 0},
      {0xb7, 2, 0, 0, TURNS},
      {0x7a, 10, 0, -8, 0},
      {0xbf, 3, 1, 0, 0},
      {0x27, 3, 0, 0, 31},
      {0xaf, 3, 2, 0, 0},
      {0x79, 4, 10, -8, 0},
      {0x0f, 4, 3, 0, 0},
      {0x7b, 10, 4, -8, 0},
      {0x07, 1, 0, 0, 1},
      {0xad, 1, 2, -8, 0},
      {0x79, 0, 10, -8, 0},
      {0x95, 0, 0, 0, 0}
    };

    static long run() {
      long[] r = new long[11];
      long[] stack = new long[64];
      r[10] = 512;
      for (int at = 0; ; at++) {
        int[] step = STEPS[at];
        int dst = step[1];
        int src = step[2];
        switch (step[0]) {
          case 0x07 -> r[dst] += step[4];
          case 0x0f -> r[dst] += r[src];
          case 0x27 -> r[dst] *= step[4];
          case 0x79 -> r[dst] = stack[(int) (r[src] + step[3]) / 8];
          case 0x7a -> stack[(int) (r[dst] + step[3]) / 8] = step[4];
          case 0x7b -> stack[(int) (r[dst] + step[3]) / 8] = r[src];
          case 0xad -> at += Long.compareUnsigned(r[dst], r[src]) < 0 ? step[3] : 0;
          case 0xaf -> r[dst] ^= r[src];
          case 0xb7 -> r[dst] = step[4];
          case 0xbf -> r[dst] = r[src];
          case 0x95 -> {
            return r[0];
          }
          default -> throw new IllegalStateException("no opcode " + step[0]);
        }
      }
    }
  }
}
