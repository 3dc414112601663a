package dev.ply.bpf.simulate;

import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.TraceOptions;
import dev.ply.Tracer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.session.Machine;
import dev.ply.bpf.session.MachineTracer;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.ir.Script;
import dev.ply.target.Target;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Runs traces on the virtual machine, without kernel and privileges: with the same compiler,
 * verifier, bytecode and results. Nothing happens by itself: {@link #fire} hits probes, {@link
 * #advance} advances the clock.
 */
public final class SimulatedTracer implements Tracer {
  private static final int CPUS = 4;

  private final Target target;
  private final MachineTracer tracer;
  private final List<VirtualKernel> kernels = new CopyOnWriteArrayList<>();

  private SimulatedTracer(Target target, TraceCompiler compiler, TraceOptions options) {
    this.target = target;
    this.tracer = new MachineTracer(compiler, this::load, MachineTracer.Reading.BY_CALLER, options);
  }

  /** Creates a tracer for {@link SimulatedTarget#create}, with four CPUs. */
  public static SimulatedTracer create() {
    return create(SimulatedTarget.create());
  }

  /** Creates a tracer for a target, with four CPUs. */
  public static SimulatedTracer create(Target target) {
    return create(target, CompilerOptions.DEFAULT);
  }

  /** Creates a tracer for a target with options, with four CPUs. */
  public static SimulatedTracer create(Target target, TraceOptions options) {
    TraceCompiler compiler = new TraceCompiler(target, CompilerOptions.of(options));
    return new SimulatedTracer(target, compiler, options);
  }

  /** Creates a tracer for a target with compiler options, with four CPUs. */
  public static SimulatedTracer create(Target target, CompilerOptions options) {
    return create(target, new TraceCompiler(target, options));
  }

  /** Creates a tracer for a target with a compiler, with four CPUs. */
  public static SimulatedTracer create(Target target, TraceCompiler compiler) {
    return new SimulatedTracer(target, compiler, TraceOptions.DEFAULT);
  }

  private Machine load(BpfObject object) {
    VirtualKernel kernel = new VirtualKernel(object, target, CPUS, kernels::remove);
    kernels.add(kernel);
    return kernel;
  }

  /** Hits a probe site: all its programs run and their output is printed before this returns. */
  public void fire(Firing firing) {
    kernels.forEach(kernel -> kernel.fire(firing));
    tracer.deliverEvents();
  }

  /** Advances the clock; intervals fire as often as they are due, in each session separately. */
  public void advance(Duration time) {
    kernels.forEach(kernel -> kernel.advance(time.toNanos()));
    tracer.deliverEvents();
  }

  @Override
  public PreparedTrace prepare(Script script) {
    return tracer.prepare(script);
  }

  @Override
  public PreparedTrace prepare(List<? extends Probe> probes) {
    return tracer.prepare(probes);
  }

  @Override
  public void close() {
    tracer.close();
  }
}
