package dev.ply.examples;

import dev.ply.bpf.asm.Assembler;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.vm.Task;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.bpf.vm.VmOptions;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * How fast the virtual machine is, beside the simplest interpreter there could be: one switch over
 * arrays, without any check. Times are those of the thread's CPU, so that other work on the machine
 * matters little; rounds of both alternate.
 *
 * <p>Run it as a program: nothing is asserted.
 */
final class VmSpeed {
  private static final int ROUNDS = 25;

  /** A checksum over the stack: arithmetic, loads, stores, and a jump in each turn. */
  private static final String PROGRAM =
      """
      r1 = 0
      r2 = 200000
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

  private static final List<Instruction> CODE = Assembler.assemble("checksum", PROGRAM);
  private static final long EXECUTED = 3 + 8L * 200_000 + 2;

  private VmSpeed() {}

  /** Prints the median nanoseconds of an instruction on the machine and in the plain loop. */
  public static void main(String... arguments) {
    VirtualMachine machine =
        new VirtualMachine(List.of(), 1, VmOptions.DEFAULT.withStepLimit(EXECUTED + 1));
    BpfProgram program = new BpfProgram("checksum", ProgramType.RAW_TRACEPOINT, 0, CODE);
    Task task = Task.of(1, "speed");
    double[] vm = new double[ROUNDS];
    double[] plain = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      vm[round] = time(() -> machine.run(program, new byte[0], task));
      plain[round] = time(PlainLoop::run);
    }
    System.out.printf(
        Locale.ROOT,
        "virtual machine %.2f ns an instruction, plain switch loop %.2f ns, ratio %.2f%n",
        median(vm),
        median(plain),
        median(vm) / median(plain));
  }

  private static double time(LongSupplier run) {
    var threads = ManagementFactory.getThreadMXBean();
    long begin = threads.getCurrentThreadCpuTime();
    long result = run.getAsLong();
    long time = threads.getCurrentThreadCpuTime() - begin;
    if (result == 0) {
      throw new IllegalStateException("the checksum is not zero");
    }
    return (double) time / EXECUTED;
  }

  /** The middle of the second half, when everything is compiled. */
  private static double median(double[] times) {
    double[] warm = Arrays.copyOfRange(times, ROUNDS / 2, ROUNDS);
    Arrays.sort(warm);
    return warm[warm.length / 2];
  }

  /** The same program for an interpreter of one switch over the opcodes of RFC 9669. */
  private static final class PlainLoop {
    private static final int[][] STEPS = {
      {0xb7, 1, 0, 0, 0},
      {0xb7, 2, 0, 0, 200_000},
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
