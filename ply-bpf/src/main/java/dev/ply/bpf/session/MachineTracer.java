package dev.ply.bpf.session;

import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.TraceOptions;
import dev.ply.Tracer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfObject;
import dev.ply.ir.Script;
import dev.ply.target.Target;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.function.Function;

/**
 * A tracer for a target and a function that loads objects on a machine; closing it closes all of
 * its traces.
 */
public final class MachineTracer implements Tracer {
  private static final Cleaner ABANDONED = Cleaner.create();

  private final TraceCompiler compiler;
  private final Function<BpfObject, Machine> loader;
  private final Reading reading;
  private final TraceOptions options;
  private final OpenTraces open = new OpenTraces();

  /** The thread that reads events. */
  public enum Reading {
    /** A thread of each session. */
    BY_THREAD,
    /** The caller of each operation, at once. */
    BY_CALLER
  }

  /** Creates a tracer for a target, with a loader. */
  public MachineTracer(
      Target target,
      CompilerOptions options,
      Function<BpfObject, Machine> loader,
      Reading reading) {
    this(new TraceCompiler(target, options), loader, reading);
  }

  /** Creates a tracer for a compiler, with a loader. */
  public MachineTracer(
      TraceCompiler compiler, Function<BpfObject, Machine> loader, Reading reading) {
    this(compiler, loader, reading, TraceOptions.DEFAULT);
  }

  /**
   * Creates a tracer for a compiler, with a loader and options, of which sizes are the compiler's.
   */
  public MachineTracer(
      TraceCompiler compiler,
      Function<BpfObject, Machine> loader,
      Reading reading,
      TraceOptions options) {
    this.options = options;
    this.compiler = compiler;
    this.loader = loader;
    this.reading = reading;
    // Sessions refer to their tracer, which is collected when all of them are unreachable.
    ABANDONED.register(this, open::closeAbandoned);
  }

  @Override
  public PreparedTrace prepare(Script script) {
    open.requireOpen();
    return load(compiler.compiled(options.applyTo(script)));
  }

  @Override
  public PreparedTrace prepare(List<? extends Probe> probes) {
    open.requireOpen();
    return load(compiler.compile(probes, options));
  }

  private PreparedTrace load(CompiledTrace compiled) {
    Machine machine = machine(compiled);
    TraceRun run = run(compiled, machine);
    open.add(run);
    return new LoadedTrace(this, compiled, run);
  }

  private Machine machine(CompiledTrace compiled) {
    try {
      return loader.apply(compiled.object());
    } catch (RuntimeException e) {
      compiler.explainRefusal(compiled);
      throw e;
    }
  }

  private TraceRun run(CompiledTrace compiled, Machine machine) {
    try {
      return new TraceRun(compiled, machine, reading, options);
    } catch (RuntimeException | Error e) {
      machine.close();
      throw e;
    }
  }

  /** The loader decides which maps are pinned. */
  @Override
  public void unpin() {}

  /** Delivers pending events of all sessions; only for machines read by the caller. */
  public void deliverEvents() {
    open.forEach(TraceRun::takeEvents);
  }

  void close(TraceRun run) {
    run.requireOtherThread();
    try {
      run.close();
    } finally {
      open.remove(run);
    }
  }

  @Override
  public void close() {
    open.close();
  }
}
