package dev.ply.bpf.oracle;

import dev.ply.bpf.oracle.Scenario.Step;
import dev.ply.bpf.reference.Moment;
import dev.ply.bpf.reference.ScriptEvaluator;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.TimerProbe;
import dev.ply.target.Target;
import java.util.List;

/**
 * Runs scripts by {@link ScriptEvaluator}, at the times that the simulated machine has: a second
 * after boot at the start, a microsecond later after each firing.
 */
public final class EvaluatorOracle implements Oracle {
  private static final long SECOND = 1_000_000_000L;
  private static final long FIRING = 1_000L;

  private final Target target;
  private final World world;

  /** An oracle for scripts on a target. */
  public EvaluatorOracle(Target target, World world) {
    this.target = target;
    this.world = world;
  }

  @Override
  public Outcome run(Scenario scenario) {
    ScriptEvaluator script = new ScriptEvaluator(target, scenario.script());
    long nanos = SECOND;
    script.begin(Moment.of(world.own(), nanos));
    for (Step step : scenario.steps()) {
      if (script.exitStatus().isPresent()) {
        break;
      }
      if (step instanceof Step.Fire fire) {
        script.happen(List.of(fire.firing().point()), Moment.of(fire.firing(), nanos));
        nanos += FIRING;
      } else {
        long tick = (nanos / SECOND + 1) * SECOND;
        script.happen(clocks(script), Moment.of(world.clock(), tick));
        nanos += SECOND;
      }
    }
    script.end(Moment.of(world.own(), nanos));
    return new Outcome(script.printed(), script.tables(), script.exitStatus(), 0);
  }

  private static List<AttachPoint> clocks(ScriptEvaluator script) {
    return script.points().stream()
        .filter(
            point -> point instanceof TimerProbe.Interval || point instanceof TimerProbe.Profile)
        .toList();
  }
}
