package dev.ply.kernel.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.generate.Scenarios;
import dev.ply.bpf.generate.Search;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.oracle.EvaluatorOracle;
import dev.ply.bpf.oracle.Oracle;
import dev.ply.bpf.oracle.Scenario;
import dev.ply.bpf.oracle.VirtualOracle;
import dev.ply.bpf.oracle.World;
import dev.ply.kernel.Live;
import dev.ply.target.Architecture;
import dev.ply.target.Target;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the compiler makes of a script does what the script means, on the virtual machine and in the
 * kernel: {@code -Dharness.scripts=N} of them. Nothing is attached.
 */
@Tag("live")
class ScriptsIT {
  private static final Target TARGET = Stage.target(Architecture.AARCH64);

  /** An emulated machine takes a second or two for each. */
  private static final int USUALLY = System.getProperty("ply.guest") == null ? 200 : 20;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @Test
  void evaluatorMachineAndKernelAgree() {
    try (KernelOracle kernel = new KernelOracle(TARGET, Stage.OPTIONS)) {
      Oracle evaluator = new EvaluatorOracle(TARGET, kernel.world());
      Oracle evaluatorOfMachine = new EvaluatorOracle(TARGET, World.SIMULATED);
      Oracle machine = new VirtualOracle(TARGET, Stage.OPTIONS);
      Search.of("harness.scripts", USUALLY)
          .check(
              () -> Scenarios.in(kernel.surroundings()),
              scenario -> {
                Scenario seen = kernel.asSeen(scenario);
                assertThat(machine.run(scenario)).isEqualTo(evaluatorOfMachine.run(scenario));
                assertThat(kernel.run(seen)).isEqualTo(evaluator.run(seen));
              });
    }
  }
}
