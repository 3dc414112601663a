package dev.ply.examples.benchmark;

import dev.ply.examples.benchmark.Report.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures the cost of a probed call to its caller, and the share of programs in it. */
final class ProbeCost {
  private static final long SETTLED = 1000;

  private static final String OF_PROBED = "(a) what a probed call costs more";
  private static final String OF_OTHER = "(a) what another call costs more meanwhile";

  private final Report report;
  private final int calls;
  private final Map<Subject, Map<Tool.Kind, List<Double>>> traced = new LinkedHashMap<>();

  /** What a call takes that nothing probes, at the quickest: by the clock, and in instructions. */
  private final Map<String, Double> bareNanos = new HashMap<>();

  private double bareInstructions = Double.MAX_VALUE;

  /** Costs of each of so many calls, into a report. */
  ProbeCost(Report report, int calls) {
    this.report = report;
    this.calls = calls;
  }

  /** Makes a process that will work. */
  private interface Start {
    Workload workload(int calls) throws IOException;
  }

  /** Measures a program of a tracer by the clock, in a process that makes no other calls. */
  void nanos(Tool tool, Program program) throws IOException, InterruptedException {
    quietest(OF_PROBED, Workload::reading, tool, program);
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
   * Measures by the clock what a program of a tracer costs who makes other calls than it probes.
   */
  void nanosOfOthers(Tool tool, Program program) throws IOException, InterruptedException {
    quietest(OF_OTHER, Workload::writing, tool, program);
  }

  private void quietest(String part, Start start, Tool tool, Program program)
      throws IOException, InterruptedException {
    try (Workload workload = start.workload(calls)) {
      bareNanos.merge(part, workload.quietRun(), Math::min);
    }
    try (Workload workload = start.workload(calls);
        Traced running = trace(tool, program, workload)) {
      BpfStats.enable(false);
      traced
          .computeIfAbsent(
              new Subject(part, program.title(), "ns"), unused -> new EnumMap<>(Tool.Kind.class))
          .computeIfAbsent(tool.kind(), unused -> new ArrayList<>())
          .add(workload.quietRun());
      running.finish();
    }
  }

  /**
   * Reports the quicker half of what was measured by the clock, beside the quickest bare call:
   * other work on the machine, and what shares its processors, slow some rounds down as a whole.
   */
  void report() {
    traced.forEach(
        (subject, tools) ->
            tools.forEach(
                (kind, times) ->
                    times.stream()
                        .sorted()
                        .limit((times.size() + 1) / 2)
                        .forEach(
                            time ->
                                report.add(
                                    subject,
                                    kind,
                                    time - bareNanos.getOrDefault(subject.part(), 0.0)))));
  }

  /**
   * Measures a program of a tracer where each instruction takes a nanosecond, and ours once more on
   * the kprobes that the others use.
   */
  void instructions(Tool tool, Program program) throws IOException, InterruptedException {
    // What the tracer before left to do would be counted on the one processor that there is.
    Thread.sleep(SETTLED);
    try (Workload workload = Workload.reading(calls)) {
      bareInstructions = Math.min(bareInstructions, workload.run());
    }
    try (Workload workload = Workload.reading(calls);
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
    try (Workload workload = Workload.reading(calls);
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
