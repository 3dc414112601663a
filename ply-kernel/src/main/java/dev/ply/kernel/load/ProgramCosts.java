package dev.ply.kernel.load;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.Clock;
import dev.ply.kernel.sys.RunTimes;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.result.CostMeter;
import dev.ply.result.ProbeCost;
import dev.ply.result.TraceCost;
import dev.ply.target.Mechanism;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The runs of programs and how long they take, which the kernel measures for all programs of the
 * system at once. What it measures of a program that does nothing is not part of them.
 */
public final class ProgramCosts implements CostMeter {
  private final List<Measured> programs;
  private final RunTimes measured;
  private final MeasuringCost measuring;
  private final long begin = System.nanoTime();
  private final long tracerBefore = SystemCalls.clock(Clock.PROCESS_CPU_TIME);

  /**
   * A program and its probe sites.
   *
   * @param points at least one
   * @param mechanism how the first site is attached
   */
  public record Probed(LoadedProgram program, List<String> points, Mechanism mechanism) {
    /** Copies the points. */
    public Probed {
      points = List.copyOf(points);
    }
  }

  private record Measured(Probed probed, long runsBefore, long timeBefore) {}

  private ProgramCosts(List<Probed> probed, RunTimes measured, MeasuringCost measuring) {
    this.measured = measured;
    this.measuring = measuring;
    this.programs =
        probed.stream()
            .map(
                one ->
                    new Measured(one, one.program().runs(measured), one.program().time(measured)))
            .toList();
  }

  /**
   * Begins to measure; empty if the kernel does not let this process.
   *
   * @param programs in script order
   */
  public static Optional<CostMeter> begin(List<Probed> programs) {
    try {
      MeasuringCost.Unmeasured nothing = MeasuringCost.unmeasured();
      RunTimes measured = RunTimes.measure();
      return Optional.of(new ProgramCosts(programs, measured, nothing.with(measured)));
    } catch (KernelException e) {
      return Optional.empty();
    }
  }

  @Override
  public TraceCost soFar() {
    List<ProbeCost> costs = new ArrayList<>();
    for (Measured one : programs) {
      LoadedProgram program = one.probed().program();
      long hits = Math.max(0, program.runs(measured) - one.runsBefore());
      long time = program.time(measured) - one.timeBefore() - hits * measuring.included();
      costs.add(
          new ProbeCost(
              one.probed().points(),
              one.probed().mechanism(),
              hits,
              Duration.ofNanos(Math.max(0, time))));
    }
    return new TraceCost(
        Duration.ofNanos(System.nanoTime() - begin),
        costs,
        Duration.ofNanos(SystemCalls.clock(Clock.PROCESS_CPU_TIME) - tracerBefore),
        Duration.ofNanos(measuring.added()));
  }

  @Override
  public void close() {
    measured.close();
  }
}
