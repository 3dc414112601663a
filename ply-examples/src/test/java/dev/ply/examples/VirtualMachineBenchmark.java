package dev.ply.examples;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.vm.Task;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.VmOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long the virtual machine takes for an instruction, beside the simplest interpreter there
 * could be: one switch over arrays, without any check.
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
  private static final String PROGRAM =
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

  private static final int EXECUTED = 3 + 8 * TURNS + 2;

  private final VirtualMachine machine = new VirtualMachine(List.of(), 1, VmOptions.DEFAULT);
  private final BpfProgram program =
      new BpfProgram(
          "checksum", ProgramType.RAW_TRACEPOINT, 0, Assembler.assemble("checksum", PROGRAM));
  private final Task task = Task.of(1, "benchmark");
  private final byte[] context = new byte[0];

  /** Every access, every register checked, instructions counted. */
  @Benchmark
  @OperationsPerInvocation(EXECUTED)
  public long virtualMachine() {
    return machine.run(program, context, task);
  }

  /** Nothing checked. */
  @Benchmark
  @OperationsPerInvocation(EXECUTED)
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
