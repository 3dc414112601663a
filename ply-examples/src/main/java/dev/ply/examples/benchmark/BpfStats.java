package dev.ply.examples.benchmark;

import dev.ply.kernel.ProgramSize;
import dev.ply.kernel.error.KernelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The kernel's statistics of a process's BPF programs: number of runs and run time
 * (proc_pid_fdinfo(5); {@code kernel.bpf_stats_enabled} since Linux 5.1).
 */
final class BpfStats {
  private static final Path SWITCH = Path.of("/proc/sys/kernel/bpf_stats_enabled");

  /**
   * The sum over a process's programs.
   *
   * @param programs how many there are
   * @param runs how often they ran while counting was on
   * @param nanos how long that took
   * @param bytecode bytes
   * @param machineCode bytes
   */
  record Sum(int programs, long runs, long nanos, long bytecode, long machineCode) {
    static final Sum NOTHING = new Sum(0, 0, 0, 0, 0);

    /** Returns what was done since an earlier time, by the programs that there are now. */
    Sum since(Sum before) {
      return new Sum(programs, runs - before.runs, nanos - before.nanos, bytecode, machineCode);
    }
  }

  private BpfStats() {}

  /** Enables or disables statistics, which cost about 20 ns per run. */
  static void enable(boolean on) throws IOException {
    Files.writeString(SWITCH, on ? "1" : "0");
  }

  /** Returns whether statistics are enabled. */
  static boolean isEnabled() throws IOException {
    return Files.readString(SWITCH).strip().equals("1");
  }

  /** Returns the statistics of a process and its children. */
  static Sum of(ProcessHandle process) {
    Sum sum = Sum.NOTHING;
    for (ProcessHandle each : Stream.concat(Stream.of(process), process.descendants()).toList()) {
      for (Path file : files(Path.of("/proc/" + each.pid() + "/fdinfo"))) {
        sum = add(sum, lines(file));
      }
    }
    return sum;
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      // The process has exited.
      return List.of();
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      // Closed in between.
      return List.of();
    }
  }

  private static Sum add(Sum sum, List<String> lines) {
    if (lines.stream().noneMatch(line -> line.startsWith("prog_type:"))) {
      return sum;
    }
    ProgramSize size;
    try {
      size = ProgramSize.of((int) number(lines, "prog_id:"));
    } catch (KernelException e) {
      // Closed in between.
      return sum;
    }
    return new Sum(
        sum.programs() + 1,
        sum.runs() + number(lines, "run_cnt:"),
        sum.nanos() + number(lines, "run_time_ns:"),
        sum.bytecode() + size.bytecode(),
        sum.machineCode() + size.machineCode());
  }

  private static long number(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
        .findFirst()
        .orElse(0);
  }
}
