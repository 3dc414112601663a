package dev.ply.bpf.session;

import dev.ply.AggregateProbe;
import dev.ply.EventProbe;
import dev.ply.Session;
import dev.ply.Variable;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.stream.ResultListeners;
import dev.ply.bpf.table.AddedUpdates;
import dev.ply.bpf.table.VariableWriter;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.result.AttachedSite;
import dev.ply.result.CostMeter;
import dev.ply.result.EndReason;
import dev.ply.result.Loss;
import dev.ply.result.Losses;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.Table;
import dev.ply.table.TableSchema;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A running trace on a machine: its results and its end. */
final class TraceSession implements Session {
  private final LoadedTrace trace;
  private final CompiledTrace compiled;
  private final TraceRun run;
  private final TraceTables tables;
  private final VariableWriter variables;
  private final LossCounters losses;
  private final HitSampling sampling;

  TraceSession(LoadedTrace trace, CompiledTrace compiled, TraceRun run) {
    this.trace = trace;
    this.compiled = compiled;
    this.run = run;
    this.tables = new TraceTables(compiled, run);
    this.losses = new LossCounters(compiled.object(), run);
    this.sampling = new HitSampling(compiled, run);
    this.variables =
        new VariableWriter(run.machine(), compiled.target().architecture().byteOrder());
  }

  @Override
  public boolean await(Duration timeout) throws InterruptedException {
    try {
      return run.await(timeout);
    } finally {
      // A waiting thread keeps the session reachable.
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public List<Diagnostic> notes() {
    return run.notes();
  }

  @Override
  public List<AttachedSite> attachments() {
    return run.machine().attachments();
  }

  @Override
  public Optional<EndReason> end() {
    return run.end();
  }

  @Override
  public OptionalInt exitStatus() {
    return run.exitStatus();
  }

  @Override
  public <V> Table<V> read(AggregateProbe<V> probe) {
    return tables.read(probe);
  }

  @Override
  public <V> Table<V> take(AggregateProbe<V> probe) {
    MapLayout layout = tables.layout(probe);
    return run.take(layout).map(probe::result);
  }

  @Override
  public Table<Datum> read(Variable variable) {
    return table(variable.name());
  }

  @Override
  public void set(Variable variable, long value, Object... keys) {
    variables.set(tables.visible(variable.name()), value, Arrays.asList(keys));
  }

  @Override
  public void set(Variable variable, String value, Object... keys) {
    variables.set(tables.visible(variable.name()), value, Arrays.asList(keys));
  }

  @Override
  public void clear(AggregateProbe<?> probe) {
    run.maps().clear(tables.nameOf(probe), OptionalInt.empty());
  }

  @Override
  public <E extends Record> Stream<E> stream(EventProbe<E> probe) {
    return run.listeners().stream(compiled.function(probe), this);
  }

  @Override
  public <E extends Record> Flow.Publisher<E> publisher(EventProbe<E> probe) {
    return run.listeners().publisher(compiled.function(probe));
  }

  @Override
  public <E extends Record> Flow.Publisher<E> publisher(EventProbe<E> probe, Executor executor) {
    return run.listeners().publisher(compiled.function(probe), executor);
  }

  @Override
  public <V> void every(
      Duration period, AggregateProbe<V> probe, Consumer<? super Table<V>> action) {
    MapLayout layout = tables.layout(probe);
    TraceRun running = run;
    run.every(period, () -> action.accept(running.take(layout).map(probe::result)));
  }

  @Override
  public Flow.Publisher<Result> results() {
    return run.listeners().publisher(run.results());
  }

  @Override
  public void totalsEvery(Duration period, Consumer<? super Result.Snapshot> action) {
    every(period, Result.Occasion.TOTALS, run.tables()::read, action);
  }

  @Override
  public void addedEvery(Duration period, Consumer<? super Result.Snapshot> action) {
    every(period, Result.Occasion.ADDED, run.tables().follow(tables.visible())::added, action);
  }

  @Override
  public Supplier<Result.Snapshot> added() {
    TraceTables all = tables;
    AddedUpdates updates = run.tables().followAll();
    return () -> new Result.Snapshot(all.added(updates::added), Result.Occasion.ADDED);
  }

  private void every(
      Duration period,
      Result.Occasion occasion,
      Function<MapLayout, Table<Datum>> read,
      Consumer<? super Result.Snapshot> action) {
    // Not this session, which its own thread would keep from being collected.
    TraceTables all = tables;
    ResultListeners listeners = run.results();
    run.every(
        period,
        () -> {
          Result.Snapshot snapshot = new Result.Snapshot(all.snapshot(read), occasion);
          action.accept(snapshot);
          listeners.accept(snapshot);
        });
  }

  @Override
  public OptionalInt run(String probe) {
    return run.run(probe);
  }

  @Override
  public Duration measure(String probe, int times) {
    return run.measure(probe, times);
  }

  @Override
  public void onEnd(Consumer<? super EndReason> listener) {
    run.onEnd(listener::accept);
  }

  @Override
  public long dropped(Flow.Subscriber<?> subscriber) {
    return run.listeners().dropped(subscriber);
  }

  @Override
  public List<TableSchema> schemas() {
    return tables.visible().stream().map(layout -> layout.symbol().schema()).toList();
  }

  @Override
  public List<NamedTable> tables() {
    return tables.snapshot(run.tables()::read);
  }

  @Override
  public Table<Datum> table(String name) {
    return tables.read(name);
  }

  @Override
  public Optional<CostMeter> measureCost() {
    return run.machine().measureCost();
  }

  @Override
  public void sample(int oneOf) {
    sampling.set(oneOf);
  }

  @Override
  public Losses losses() {
    return losses.all();
  }

  @Override
  public long lost(Loss loss) {
    return losses.count(loss);
  }

  @Override
  public Optional<String> symbolShortage() {
    return run.symbols().shortage();
  }

  @Override
  public void limitSymbolWait(Duration most) {
    run.symbols().limitWait(most);
  }

  @Override
  public void limitCommandWait(Duration most) {
    run.limitCommands(most);
  }

  @Override
  public void limitPrintWait(Duration most) {
    run.limitPrints(most);
  }

  @Override
  public void stop() {
    run.stop();
  }

  @Override
  public void close() {
    trace.close();
  }
}
