package dev.ply.bpf.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.generate.ExpressionScenarios;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.generate.Surroundings;
import dev.ply.bpf.optimize.Pass;
import dev.ply.bpf.simulate.SimulatedTarget;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Compiled expressions are worth what C says they are, wherever they stand. */
class ExpressionsPropertyTest {
  private static final Surroundings SURROUNDINGS = Surroundings.SIMULATED;
  private static final SimulatedTarget TARGET = Stage.target(SURROUNDINGS.architecture());

  private final Oracle evaluator = new EvaluatorOracle(TARGET, World.SIMULATED);

  @Provide
  Arbitrary<Scenario> scenarios() {
    return ExpressionScenarios.in(SURROUNDINGS);
  }

  @Provide
  Arbitrary<Set<Pass>> passes() {
    return Arbitraries.of(Stage.PASSES);
  }

  /** Three expressions each. */
  @Property(tries = 25, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.FULL)
  void valuesAreWhatCSaysTheyAre(
      @ForAll("scenarios") Scenario scenario, @ForAll("passes") Set<Pass> passes) {
    Oracle machine = new VirtualOracle(TARGET, Stage.OPTIONS.withPasses(passes));
    assertThat(machine.run(scenario)).isEqualTo(evaluator.run(scenario));
  }
}
