package dev.ply.bpf.session;

import dev.ply.AggregateProbe;
import dev.ply.EventProbe;
import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.layout.Layout;
import dev.ply.result.EventShape;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.Table;
import dev.ply.table.TableSchema;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A loaded trace. */
final class LoadedTrace implements PreparedTrace {
  private final MachineTracer tracer;
  private final CompiledTrace compiled;
  private final TraceRun run;
  private TraceOutput out = TraceOutput.NONE;

  LoadedTrace(MachineTracer tracer, CompiledTrace compiled, TraceRun run) {
    this.tracer = tracer;
    this.compiled = compiled;
    this.run = run;
  }

  @Override
  public String disassembly() {
    StringBuilder text = new StringBuilder();
    for (ProbeProgram program : compiled.object().programs()) {
      text.append(program.title()).append('\n');
      text.append(Disassembler.listing(program.program().code()));
    }
    return text.toString();
  }

  @Override
  public List<Diagnostic> warnings() {
    return compiled.script().warnings();
  }

  @Override
  public synchronized PreparedTrace writeTo(OutputStream stream, Layout layout) {
    run.requireLoaded("the output of a trace is set before its start");
    out = new TraceOutput(stream, layout, out.reports());
    return this;
  }

  @Override
  public synchronized PreparedTrace reportTo(Consumer<Diagnostic> receiver) {
    run.requireLoaded("the receiver of reports is set before the start");
    out = new TraceOutput(out.stream(), out.layout(), receiver);
    return this;
  }

  @Override
  public synchronized <E extends Record> PreparedTrace listen(
      EventProbe<E> probe, Consumer<? super E> listener) {
    requireBeforeStart();
    run.listeners().listen(compiled.function(probe), listener);
    return this;
  }

  @Override
  public synchronized PreparedTrace listen(Consumer<? super Result> listener) {
    requireBeforeStart();
    run.results().add(listener);
    return this;
  }

  @Override
  public synchronized Flow.Publisher<Result> results() {
    requireBeforeStart();
    return run.listeners().publisher(run.results());
  }

  @Override
  public synchronized <E extends Record> Flow.Publisher<E> publisher(EventProbe<E> probe) {
    requireBeforeStart();
    return run.listeners().publisher(compiled.function(probe));
  }

  @Override
  public synchronized <E extends Record> Flow.Publisher<E> publisher(
      EventProbe<E> probe, Executor executor) {
    requireBeforeStart();
    return run.listeners().publisher(compiled.function(probe), executor);
  }

  @Override
  public synchronized <E extends Record> Stream<E> stream(EventProbe<E> probe) {
    requireBeforeStart();
    return run.listeners().stream(compiled.function(probe), this);
  }

  @Override
  public <V> Table<V> read(AggregateProbe<V> probe) {
    return new TraceTables(compiled, run).read(probe);
  }

  @Override
  public Table<Datum> table(String name) {
    return new TraceTables(compiled, run).read(name);
  }

  @Override
  public List<TableSchema> schemas() {
    return compiled.object().schemas();
  }

  @Override
  public List<EventShape> events() {
    return compiled.object().shapes();
  }

  private void requireBeforeStart() {
    run.requireLoaded("listeners to all events are added before the start of the trace");
  }

  @Override
  public synchronized Session start() {
    run.requireLoaded("a prepared trace can be started once, before it is closed");
    try {
      run.start(out);
    } catch (RuntimeException | Error e) {
      try {
        close();
      } catch (RuntimeException | Error further) {
        FirstFailure.suppress(e, further);
      }
      throw e;
    }
    return new TraceSession(this, compiled, run);
  }

  @Override
  public void close() {
    tracer.close(run);
  }
}
