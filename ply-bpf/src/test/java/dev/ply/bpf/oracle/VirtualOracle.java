package dev.ply.bpf.oracle;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.Search;
import dev.ply.bpf.oracle.Scenario.Step;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.target.Target;
import java.time.Duration;
import net.jqwik.api.Assume;

/** Compiles scripts, verifies them and runs them on the virtual machine. */
public final class VirtualOracle implements Oracle {
  private final Target target;
  private final TraceCompiler compiler;

  /** An oracle that compiles for a target with these options. */
  public VirtualOracle(Target target, CompilerOptions options) {
    this(target, new TraceCompiler(target, options));
  }

  /** An oracle for what a compiler for that target makes. */
  public VirtualOracle(Target target, TraceCompiler compiler) {
    this.target = target;
    this.compiler = compiler;
  }

  @Override
  public Outcome run(Scenario scenario) {
    try (SimulatedTracer tracer = SimulatedTracer.create(target, compiler)) {
      return Play.scenario(scenario, tracer, step -> perform(tracer, step));
    } catch (CompilationException e) {
      Assume.that(!Search.isTooComplex(e));
      throw e;
    }
  }

  private static void perform(SimulatedTracer tracer, Step step) {
    if (step instanceof Step.Fire fire) {
      tracer.fire(fire.firing());
    } else {
      tracer.advance(Duration.ofSeconds(1));
    }
  }
}
