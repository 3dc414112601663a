package dev.ply.bpf.oracle;

import dev.ply.Session;
import dev.ply.Tracer;
import dev.ply.bpf.oracle.Scenario.Step;
import java.util.function.Consumer;

/** Plays scenarios on tracers. */
public final class Play {
  private Play() {}

  /**
   * Prepares the script, starts it, makes the steps happen and stops it.
   *
   * @param perform makes a step happen and delivers what is sent
   */
  public static Outcome scenario(Scenario scenario, Tracer tracer, Consumer<Step> perform) {
    StringBuilder printed = new StringBuilder();
    try (Session session =
        tracer.prepare(scenario.script()).reportTo(report -> {}).printTo(printed::append).start()) {
      for (Step step : scenario.steps()) {
        if (session.exitStatus().isPresent()) {
          break;
        }
        perform.accept(step);
      }
      session.stop();
      return Outcome.of(session, printed.toString());
    }
  }
}
