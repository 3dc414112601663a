package dev.ply.bpf.session;

import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.Tracer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfObject;
import dev.ply.ir.Script;
import dev.ply.target.Target;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.function.Function;

/**
 * A tracer made of a target's facts and a way to load objects on a machine; closing it closes all
 * it has prepared.
 */
public final class MachineTracer implements Tracer {
  private static final Cleaner ABANDONED = Cleaner.create();

  private final TraceCompiler compiler;
  private final Function<BpfObject, Machine> loader;
  private final Reading reading;
  private final OpenTraces open = new OpenTraces();

  /** Who takes events from the machine. */
  public enum Reading {
    /** A thread of each session's own. */
    BY_THREAD,
    /** Whoever makes the machine do something, at once. */
    BY_CALLER
  }

  /** A tracer for that target that loads what it compiles with {@code loader}. */
  public MachineTracer(
      Target target,
      CompilerOptions options,
      Function<BpfObject, Machine> loader,
      Reading reading) {
    this(new TraceCompiler(target, options), loader, reading);
  }

  /** A tracer that loads what that compiler makes with {@code loader}. */
  public MachineTracer(
      TraceCompiler compiler, Function<BpfObject, Machine> loader, Reading reading) {
    this.compiler = compiler;
    this.loader = loader;
    this.reading = reading;
    // Sessions refer to their tracer: it is collected when nobody can stop any of them.
    ABANDONED.register(this, open::closeAbandoned);
  }

  @Override
  public PreparedTrace prepare(Script script) {
    open.requireOpen();
    return load(compiler.compiled(script));
  }

  @Override
  public PreparedTrace prepare(List<? extends Probe> probes) {
    open.requireOpen();
    return load(compiler.compile(probes));
  }

  private PreparedTrace load(CompiledTrace compiled) {
    TraceRun run = new TraceRun(compiled, loader.apply(compiled.object()), reading);
    open.add(run);
    return new LoadedTrace(this, compiled, run);
  }

  /**
   * Has all sessions take their events now; only for machines whose events are read by the caller.
   */
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
