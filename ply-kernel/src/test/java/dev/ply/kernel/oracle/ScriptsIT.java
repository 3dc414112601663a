package dev.ply.kernel.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.Scenarios;
import dev.ply.bpf.generate.Search;
import dev.ply.bpf.generate.Slowest;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.generate.Surroundings;
import dev.ply.bpf.optimize.Pass;
import dev.ply.bpf.oracle.EvaluatorOracle;
import dev.ply.bpf.oracle.Oracle;
import dev.ply.bpf.oracle.Scenario;
import dev.ply.bpf.oracle.VirtualOracle;
import dev.ply.bpf.oracle.World;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.kernel.Live;
import dev.ply.kernel.RunningKernel;
import dev.ply.lang.print.ScriptPrinter;
import dev.ply.machine.Architecture;
import dev.ply.target.PidNamespace;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the compiler makes of a script does what the script means, on the virtual machine and in the
 * kernel: {@code -Dharness.scripts=N} of them. Nothing is attached.
 */
@Tag("live")
@Tag("oldest")
class ScriptsIT {
  /** This process's own, also where it is the initial one: the kernel answers for any. */
  private static final PidNamespace OWN = CallingThread.now().namespace();

  private static final SimulatedTarget TARGET = Stage.target(Architecture.AARCH64);

  /** An emulated machine takes a second or two for each. */
  private static final int USUALLY = System.getProperty("ply.guest") == null ? 100 : 10;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  /**
   * A scenario, what the optimiser does, whether IDs are those of a PID namespace, and whether
   * programs report errors.
   */
  private record Trial(
      Scenario scenario, Set<Pass> passes, boolean isNamespaced, boolean isReporting) {
    CompilerOptions options() {
      CompilerOptions options = Stage.OPTIONS.withPasses(passes);
      // Reports take room from the script's own events.
      return isReporting ? options.withRingBufferBytes(1 << 20).reportingErrors() : options;
    }

    SimulatedTarget on(SimulatedTarget target) {
      return isNamespaced ? target.withPidNamespace(OWN) : target;
    }
  }

  private static SimulatedTarget forThisKernel() {
    OptionalInt name = new RunningKernel().threadNameOffset();
    OptionalInt slots = new RunningKernel().processorSlots();
    SimulatedTarget named = name.isPresent() ? TARGET.withThreadNameAt(name.getAsInt()) : TARGET;
    return slots.isPresent() ? named.withProcessorSlots(slots.getAsInt()) : named;
  }

  private static Arbitrary<Trial> trials(Surroundings surroundings) {
    return Combinators.combine(
            Scenarios.in(surroundings),
            Arbitraries.of(Stage.PASSES),
            Arbitraries.of(true, false),
            Arbitraries.of(true, false))
        .as(Trial::new);
  }

  /** Each with all passes of the optimiser, with none, or with one. */
  @Test
  void evaluatorMachineAndKernelAgree() {
    try (KernelOracle kernel = new KernelOracle(forThisKernel(), Stage.OPTIONS)) {
      Search.of("harness.scripts", USUALLY)
          .check(
              () -> trials(kernel.surroundings()),
              trial -> {
                Scenario scenario = trial.scenario();
                SimulatedTarget target = trial.on(TARGET);
                Oracle evaluator = new EvaluatorOracle(target, kernel.world());
                Oracle evaluatorOfMachine = new EvaluatorOracle(target, World.SIMULATED);
                TraceCompiler compiler = TraceCompiler.onceEach(target, trial.options());
                Oracle machine = new VirtualOracle(target, compiler);
                Scenario seen = kernel.asSeen(scenario);
                assertThat(machine.run(scenario)).isEqualTo(evaluatorOfMachine.run(scenario));
                assertThat(kernel.compilingWith(compiler).run(seen)).isEqualTo(evaluator.run(seen));
              });
    }
  }

  /** Loads {@code -Dharness.loaded=N} programs, and prints the slowest. */
  @Test
  void theKernelTakesEveryProgram() {
    Slowest slowest = new Slowest();
    try (KernelOracle kernel = new KernelOracle(forThisKernel(), Stage.OPTIONS)) {
      Search.of("harness.loaded", USUALLY)
          .check(
              () -> Scenarios.scripts(kernel.surroundings()),
              script ->
                  slowest.time(
                      ScriptPrinter.print(script),
                      () -> kernel.run(new Scenario(script, List.of()))));
    }
    System.out.println(slowest);
  }
}
