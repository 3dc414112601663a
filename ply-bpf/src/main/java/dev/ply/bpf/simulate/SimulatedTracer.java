package dev.ply.bpf.simulate;

import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.TraceOptions;
import dev.ply.Tracer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.session.MachineTracer;
import dev.ply.bpf.session.PinnedLayout;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.vm.VirtualMachine;
import dev.ply.ir.Script;
import dev.ply.probe.AttachPoint;
import dev.ply.selector.TracepointSelector;
import dev.ply.target.Target;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * Runs traces on the virtual machine, without kernel and privileges: with the same compiler,
 * verifier, bytecode and results. Nothing happens by itself: {@link #fire} hits probes, {@link
 * #advance} advances the clock.
 */
public final class SimulatedTracer implements Tracer {
  private static final int CPUS = 4;

  private final Target target;
  private final TraceOptions options;
  private final MachineTracer tracer;
  private final List<VirtualKernel> kernels = new CopyOnWriteArrayList<>();

  /** The maps that are pinned in the options' directory, with the machine that created them. */
  private record Pinned(PinnedLayout layout, VirtualMachine machine) {}

  private Optional<Pinned> pinned = Optional.empty();

  private SimulatedTracer(Target target, TraceCompiler compiler, TraceOptions options) {
    this.target = target;
    this.options = options;
    this.tracer = new MachineTracer(compiler, this::load, MachineTracer.Reading.BY_CALLER, options);
  }

  /**
   * Creates a tracer for {@link SimulatedTarget#create}, with four CPUs.
   *
   * @return the tracer, to be closed
   */
  public static SimulatedTracer create() {
    return create(SimulatedTarget.create());
  }

  /**
   * Creates a tracer for a target, with four CPUs.
   *
   * @param target simulated or real
   * @return the tracer, to be closed
   */
  public static SimulatedTracer create(Target target) {
    return create(target, CompilerOptions.DEFAULT);
  }

  /**
   * Creates a tracer for a target with options, with four CPUs.
   *
   * @param target simulated or real
   * @param options as for a tracer of the running kernel
   * @return the tracer, to be closed
   */
  public static SimulatedTracer create(Target target, TraceOptions options) {
    TraceCompiler compiler = new TraceCompiler(target, CompilerOptions.of(options));
    return new SimulatedTracer(target, compiler, options);
  }

  /**
   * Creates a tracer for a target with compiler options, with four CPUs.
   *
   * @param target simulated or real
   * @param options sizes and optimisations
   * @return the tracer, to be closed
   */
  public static SimulatedTracer create(Target target, CompilerOptions options) {
    return create(target, new TraceCompiler(target, options));
  }

  /**
   * Creates a tracer for a target with a compiler, with four CPUs.
   *
   * @param target simulated or real
   * @param compiler generates the programs that run
   * @return the tracer, to be closed
   */
  public static SimulatedTracer create(Target target, TraceCompiler compiler) {
    return new SimulatedTracer(target, compiler, TraceOptions.DEFAULT);
  }

  private Machine load(BpfObject object) {
    VirtualKernel kernel =
        new VirtualKernel(object, target, CPUS, machine(object), kernels::remove);
    kernels.add(kernel);
    return kernel;
  }

  private synchronized VirtualMachine machine(BpfObject object) {
    if (options.pins().isEmpty()) {
      return new VirtualMachine(object.maps(), CPUS);
    }
    PinnedLayout layout = PinnedLayout.of(object);
    if (pinned.isEmpty()) {
      pinned = Optional.of(new Pinned(layout, new VirtualMachine(object.maps(), CPUS)));
      return pinned.get().machine();
    }
    layout.require(options.pins().get(), pinned.get().layout().text());
    Set<String> shared = layout.maps().stream().map(BpfMap::name).collect(Collectors.toSet());
    return new VirtualMachine(object.maps(), CPUS, pinned.get().machine(), shared);
  }

  /**
   * Hits a probe site: all its programs run and their output is printed before this returns.
   *
   * @param firing what happens at the probe; traces that do not probe it do not see it
   * @throws IllegalArgumentException if the target has no such tracepoint, register or CPU
   */
  public void fire(Firing firing) {
    requirePossible(firing);
    kernels.forEach(kernel -> kernel.fire(firing));
    tracer.deliverEvents();
  }

  /**
   * Advances the clock; intervals fire as often as they are due, in each session separately.
   *
   * @param time not negative, up to 292 years
   * @throws IllegalArgumentException if it is negative or longer
   */
  public void advance(Duration time) {
    if (time.isNegative() || time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          "the clock is advanced by up to 292 years, and not back, by " + time);
    }
    kernels.forEach(kernel -> kernel.advance(time.toNanos()));
    tracer.deliverEvents();
  }

  private void requirePossible(Firing firing) {
    if (firing.point() instanceof AttachPoint.Tracepoint tracepoint
        && tracepoint.place() instanceof TracepointSelector.Event event
        && target.tracepoints().find(event.category(), event.event()).isEmpty()) {
      throw new IllegalArgumentException(
          "the target has no tracepoint "
              + event.text()
              + ": SimulatedTarget.withTracepoint adds it");
    }
    int cpu = firing.circumstances().cpu();
    if (cpu >= CPUS) {
      throw new IllegalArgumentException(
          "the simulated CPUs are 0 to " + (CPUS - 1) + ", not " + cpu);
    }
    for (String register : firing.registers().keySet()) {
      if (target.architecture().registerOffset(register).isEmpty()) {
        throw new IllegalArgumentException(
            target.architecture().canonicalName() + " has no register \"" + register + "\"");
      }
    }
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
  public synchronized void unpin() {
    pinned = Optional.empty();
  }

  @Override
  public void close() {
    tracer.close();
  }
}
