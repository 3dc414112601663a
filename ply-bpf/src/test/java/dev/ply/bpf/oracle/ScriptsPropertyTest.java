package dev.ply.bpf.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Sets;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.Extent;
import dev.ply.bpf.generate.Scenarios;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.generate.Surroundings;
import dev.ply.bpf.optimize.Pass;
import dev.ply.bpf.simulate.Circumstances;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.target.PidNamespace;
import dev.ply.target.Target;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** What the compiler makes of a script does what the script means. */
class ScriptsPropertyTest {
  private static final Surroundings SURROUNDINGS = Surroundings.SIMULATED;
  private static final int SLOTS = 4;
  private static final PidNamespace CONTAINER = new PidNamespace(4, 0xF0000001L);
  private static final SimulatedTarget TARGET = Stage.target(SURROUNDINGS.architecture());

  private final Oracle evaluator = new EvaluatorOracle(TARGET, World.SIMULATED);

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenarios.in(SURROUNDINGS);
  }

  @Provide
  Arbitrary<Set<Pass>> passes() {
    return Arbitraries.of(Stage.PASSES);
  }

  /** Half of those who fire are of the tracer's PID namespace. */
  @Provide
  Arbitrary<Scenario> containers() {
    return Scenarios.in(SURROUNDINGS)
        .map(scenario -> scenario.map(ScriptsPropertyTest::inContainer));
  }

  private static Firing inContainer(Firing firing) {
    Circumstances who = firing.circumstances();
    PidNamespace namespace = who.cpu() % 2 == 0 ? CONTAINER : new PidNamespace(4, 0xF0000002L);
    return firing
        .inPidNamespace(namespace, who.pid() + 1, who.tid() + 2)
        .cgroup(2000 + who.cpu() % 3);
  }

  @Property(
      tries = 50,
      maxDiscardRatio = 1,
      edgeCases = EdgeCasesMode.NONE,
      shrinking = ShrinkingMode.FULL)
  void idsAreThoseOfTheTracersPidNamespace(
      @ForAll("containers") Scenario scenario,
      @ForAll("passes") Set<Pass> passes,
      @ForAll boolean loadNames,
      @ForAll boolean haveSlots) {
    Target target = target(loadNames, haveSlots).withPidNamespace(CONTAINER);
    Oracle machine = new VirtualOracle(target, Stage.OPTIONS.withPasses(passes));
    Oracle meaning = new EvaluatorOracle(target, World.SIMULATED);
    assertThat(machine.run(scenario)).isEqualTo(meaning.run(scenario));
  }

  private static SimulatedTarget target(boolean loadNames, boolean haveSlots) {
    SimulatedTarget target = loadNames ? TARGET.withThreadNameAt(Task.NAME_OFFSET) : TARGET;
    return haveSlots ? target.withProcessorSlots(SLOTS) : target;
  }

  @Property(
      tries = 50,
      maxDiscardRatio = 1,
      edgeCases = EdgeCasesMode.NONE,
      shrinking = ShrinkingMode.FULL)
  void theVirtualMachineDoesWhatTheScriptMeans(
      @ForAll("scenarios") Scenario scenario,
      @ForAll("passes") Set<Pass> passes,
      @ForAll boolean loadNames,
      @ForAll boolean haveSlots) {
    Target target = target(loadNames, haveSlots);
    Oracle machine = new VirtualOracle(target, Stage.OPTIONS.withPasses(passes));
    assertThat(machine.run(scenario)).isEqualTo(evaluator.run(scenario));
  }

  /** Reports go elsewhere, and change neither values nor what is printed. */
  @Property(
      tries = 50,
      maxDiscardRatio = 1,
      edgeCases = EdgeCasesMode.NONE,
      shrinking = ShrinkingMode.FULL)
  void programsThatReportErrorsDoWhatTheScriptMeans(
      @ForAll("scenarios") Scenario scenario,
      @ForAll("passes") Set<Pass> passes,
      @ForAll boolean loadNames,
      @ForAll boolean haveSlots) {
    // Reports take room from the script's own events.
    CompilerOptions options =
        Stage.OPTIONS.withPasses(passes).withRingBufferBytes(1 << 20).reportingErrors();
    Oracle machine = new VirtualOracle(target(loadNames, haveSlots), options);
    assertThat(machine.run(scenario)).isEqualTo(evaluator.run(scenario));
  }

  @Provide
  Arbitrary<Scenario> large() {
    return Scenarios.in(Surroundings.UNSEEN, Extent.LARGE);
  }

  /** Of stacks and the like, too, whose values nobody can say beforehand. */
  @Property(
      tries = 75,
      maxDiscardRatio = 1,
      edgeCases = EdgeCasesMode.NONE,
      shrinking = ShrinkingMode.FULL)
  void aLargeScriptDoesTheSameWhicheverPassesRun(
      @ForAll("large") Scenario scenario,
      @ForAll("passes") Set<Pass> passes,
      @ForAll boolean loadNames,
      @ForAll boolean haveSlots) {
    Target target = target(loadNames, haveSlots);
    // What ctx says of where things lie differs with the maps that there are.
    Target unnamed = target(false, haveSlots);
    Set<Pass> sameMaps = Sets.intersection(passes, Set.of(Pass.PLACE_KNOWN_KEYS));
    Oracle plain = new VirtualOracle(unnamed, CompilerOptions.DEFAULT.withPasses(sameMaps));
    Oracle machine = new VirtualOracle(target, CompilerOptions.DEFAULT.withPasses(passes));
    assertThat(machine.run(scenario)).isEqualTo(plain.run(scenario));
  }
}
