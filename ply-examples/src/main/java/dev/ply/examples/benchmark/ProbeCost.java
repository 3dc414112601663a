package dev.ply.examples.benchmark;

import dev.ply.examples.benchmark.Report.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Measures the cost of a probed call to its caller, and the share of programs in it. */
final class ProbeCost {
  private static final long SETTLED = 1000;

  /** How much longer a process works than elsewhere, so that a tracer comes and goes meanwhile. */
  private static final int WHILE_ATTACHING = 40;

  private static final String OF_PROBED = "(a) what a probed call costs more";
  private static final String OF_OTHER = "(a) what another call costs more meanwhile";

  private final Report report;
  private final int calls;
  private final Map<Subject, Map<Tool.Kind, List<Double>>> traced = new LinkedHashMap<>();

  /** What each part's work takes that nothing probes, at the quickest. */
  private final Map<String, Double> bare = new HashMap<>();

  /** The instructions of a call that nothing probes. */
  private double bareInstructions = Double.MAX_VALUE;

  /** Costs of each of so many calls, into a report. */
  ProbeCost(Report report, int calls) {
    this.report = report;
    this.calls = calls;
  }

  /** Makes a process that will work. */
  private interface Start {
    Work work() throws IOException;
  }

  /** Measures a program of a tracer by the clock, in a process that makes no other calls. */
  void nanos(Tool tool, Program program) throws IOException, InterruptedException {
    quietest(OF_PROBED, "ns", () -> Workload.reading(calls), tool, program);
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
    quietest(OF_OTHER, "ns", () -> Workload.writing(calls), tool, program);
  }

  /**
   * Measures by the clock what a program of a tracer adds to each system call of a workload of
   * which it traces a share.
   */
  void nanosOfMix(Mix mix, Tool tool, Program program) throws IOException, InterruptedException {
    String part = "(m) added to every call, " + mix.share() + " of them traced";
    quietest(part, "ns", () -> Workload.mixed(mix, calls), tool, program);
  }

  /** Measures by the clock what a program of a tracer adds to ordinary work. */
  void millisOfChore(Chore chore, Tool tool, Program program)
      throws IOException, InterruptedException {
    quietest("(m) added to a " + chore.title(), "ms", chore::start, tool, program);
  }

  private void quietest(String part, String unit, Start start, Tool tool, Program program)
      throws IOException, InterruptedException {
    try (Work work = start.work()) {
      bare.merge(part, work.quietRun(), Math::min);
    }
    try (Work work = start.work();
        Traced running = trace(tool, program, work)) {
      BpfStats.enable(false);
      running.pin();
      traced
          .computeIfAbsent(
              new Subject(part, program.title(), unit), unused -> new EnumMap<>(Tool.Kind.class))
          .computeIfAbsent(tool.kind(), unused -> new ArrayList<>())
          .add(work.quietRun());
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
                                    time - Objects.requireNonNull(bare.get(subject.part()))))));
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
      BpfStats.Sum all = traced.stats().since(before);
      traced.finish();
      if (all.runs() <= 0) {
        throw new IOException("its programs did not run");
      }
      return all;
    }
  }

  private static Traced trace(Tool tool, Program program, Work work)
      throws IOException, InterruptedException {
    return Traced.start(tool.trace(program.text(tool.kind(), work.pid()).orElseThrow()));
  }

  /**
   * Measures by the clock what a process loses in all while a tracer starts, attaches, detaches and
   * ends on the other processors.
   */
  void millisOfAttaching(Tool tool, Program program) throws IOException, InterruptedException {
    int whole = WHILE_ATTACHING * calls;
    String part = "(h) taken from another process meanwhile";
    try (Workload workload = Workload.reading(whole)) {
      bare.merge(part, workload.run() * whole / 1e6, Math::min);
    }
    try (Workload workload = Workload.reading(whole)) {
      CompletableFuture<Double> run = CompletableFuture.supplyAsync(() -> ran(workload));
      String text = program.text(tool.kind(), ProcessHandle.current().pid()).orElseThrow();
      List<String> command = new ArrayList<>(Pinning.OFF_LAST.words());
      command.addAll(tool.during("/bin/true", text));
      int status =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      if (status != 0) {
        throw new IOException("status " + status);
      }
      if (run.isDone()) {
        throw new IOException("the work was done before: more calls are needed");
      }
      traced
          .computeIfAbsent(
              new Subject(part, program.title(), "ms"), unused -> new EnumMap<>(Tool.Kind.class))
          .computeIfAbsent(tool.kind(), unused -> new ArrayList<>())
          .add(joined(run) * whole / 1e6);
    }
  }

  private static double joined(CompletableFuture<Double> run) throws IOException {
    try {
      return run.join();
    } catch (CompletionException e) {
      throw new IOException(Optional.ofNullable(e.getCause()).orElse(e).getMessage(), e);
    }
  }

  private static double ran(Workload workload) {
    try {
      return workload.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
