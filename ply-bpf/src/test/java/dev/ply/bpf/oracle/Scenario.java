package dev.ply.bpf.oracle;

import dev.ply.bpf.simulate.Firing;
import dev.ply.ir.Script;
import dev.ply.lang.print.ScriptPrinter;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A script and what happens while it runs: first BEGIN, then the steps until the script ends the
 * trace, then END.
 */
public record Scenario(Script script, List<Step> steps) {
  public Scenario {
    steps = List.copyOf(steps);
  }

  /** What can happen. */
  public sealed interface Step {
    /** Something in the kernel. */
    record Fire(Firing firing) implements Step {
      @Override
      public String toString() {
        return firing.toString();
      }
    }

    /** A second passes; probes on {@code interval:1s} and {@code profile:0:1hz} run once. */
    record Second() implements Step {
      @Override
      public String toString() {
        return "a second passes";
      }
    }
  }

  /** Returns this with other firings. */
  public Scenario map(UnaryOperator<Firing> change) {
    return new Scenario(
        script,
        steps.stream()
            .map(
                step ->
                    step instanceof Step.Fire fire
                        ? new Step.Fire(change.apply(fire.firing()))
                        : step)
            .toList());
  }

  /** Returns the script as people write it, and a line for each step. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("\n").append(ScriptPrinter.print(script).strip());
    steps.forEach(step -> out.append("\n# ").append(step));
    return out.append('\n').toString();
  }
}
