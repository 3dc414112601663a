package dev.ply.examples.benchmark;

import dev.ply.examples.benchmark.Report.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a probed call costs the process that makes it, and of that what the programs take. */
final class ProbeCost {
  private static final long SETTLED = 1000;

  private final Report report;
  private final int calls;
  private final Map<Program, Map<Tool.Kind, List<Double>>> probed = new LinkedHashMap<>();

  /** What a call takes that nothing probes, at the quickest: by the clock, and in instructions. */
  private double bareNanos = Double.MAX_VALUE;

  private double bareInstructions = Double.MAX_VALUE;

  /** Costs of each of so many calls, into a report. */
  ProbeCost(Report report, int calls) {
    this.report = report;
    this.calls = calls;
  }

  /** Measures a program of a tracer by the clock. */
  void nanos(Tool tool, Program program) throws IOException, InterruptedException {
    try (Workload workload = Workload.create(calls)) {
      bareNanos = Math.min(bareNanos, workload.quietRun());
    }
    try (Workload workload = Workload.create(calls);
        Traced traced = trace(tool, program, workload)) {
      BpfStats.enable(false);
      probed
          .computeIfAbsent(program, unused -> new EnumMap<>(Tool.Kind.class))
          .computeIfAbsent(tool.kind(), unused -> new ArrayList<>())
          .add(workload.quietRun());
      traced.finish();
    }
    BpfStats.Sum all = runs(tool, program);
    report.add(
        new Subject("(b) what a run of a program takes", program.title(), "ns"),
        tool.kind(),
        (double) all.nanos() / all.runs());
    report.add(
        new Subject("(b) how often programs run for a call", program.title(), "runs"),
        tool.kind(),
        (double) all.runs() / calls);
    report.add(
        new Subject("(b) bytecode as the verifier leaves it", program.title(), "bytes"),
        tool.kind(),
        (double) all.bytecode());
    report.add(
        new Subject("(b) machine code", program.title(), "bytes"),
        tool.kind(),
        (double) all.machineCode());
  }

  /**
   * Reports the quicker half of what was measured by the clock, beside the quickest bare call:
   * other work on the machine, and what shares its processors, slow some rounds down as a whole.
   */
  void report() {
    probed.forEach(
        (program, tools) ->
            tools.forEach(
                (kind, times) ->
                    times.stream()
                        .sorted()
                        .limit((times.size() + 1) / 2)
                        .forEach(time -> report(program, kind, time - bareNanos))));
  }

  private void report(Program program, Tool.Kind kind, double nanos) {
    report.add(
        new Subject("(a) what a probed call costs more", program.title(), "ns"), kind, nanos);
  }

  /**
   * Measures a program of a tracer where each instruction takes a nanosecond, and ours once more on
   * the kprobes that the others use.
   */
  void instructions(Tool tool, Program program) throws IOException, InterruptedException {
    // What the tracer before left to do would be counted on the one processor that there is.
    Thread.sleep(SETTLED);
    try (Workload workload = Workload.create(calls)) {
      bareInstructions = Math.min(bareInstructions, workload.run());
    }
    try (Workload workload = Workload.create(calls);
        Traced traced = trace(tool, program, workload)) {
      BpfStats.enable(false);
      Thread.sleep(SETTLED);
      double traceful = workload.run();
      traced.finish();
      report.add(
          new Subject("(c) instructions that a probed call costs more", program.title(), "instr"),
          tool.kind(),
          traceful - bareInstructions);
    }
    Tool onKprobes = tool.kind() == Tool.Kind.OURS ? tool.attachingBy("kprobe") : tool;
    report.add(
        new Subject("(c) of them in programs, all on kprobes", program.title(), "instr"),
        tool.kind(),
        (double) runs(onKprobes, program).nanos() / calls);
  }

  private BpfStats.Sum runs(Tool tool, Program program) throws IOException, InterruptedException {
    try (Workload workload = Workload.create(calls);
        Traced traced = trace(tool, program, workload)) {
      BpfStats.Sum before = traced.stats();
      workload.run();
      BpfStats.Sum after = traced.stats();
      traced.finish();
      return after.since(before);
    }
  }

  private static Traced trace(Tool tool, Program program, Workload workload)
      throws IOException, InterruptedException {
    return Traced.start(tool.trace(program.text(tool.kind(), workload.pid()).orElseThrow()));
  }
}
