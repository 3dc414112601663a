package dev.ply.bpf.session;

import dev.ply.AggregateProbe;
import dev.ply.Session;
import dev.ply.bpf.object.AttachSpec.Moment;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.result.Datum;
import dev.ply.result.DatumFormat;
import dev.ply.result.Table;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A running trace on some machine. */
final class TraceSession implements Session {
  private final CompiledTrace compiled;
  private final Machine machine;
  private final MachineTracer.Reading reading;
  private final Runnable onClose;
  private final TableReader tables;
  private final ShownMaps maps;
  private final EventLoop events;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile List<Diagnostic> notes = List.of();
  private boolean stopped;

  TraceSession(
      CompiledTrace compiled,
      Machine machine,
      MachineTracer.Reading reading,
      TraceOutput out,
      Runnable onClose) {
    this.compiled = compiled;
    this.machine = machine;
    this.reading = reading;
    this.onClose = onClose;
    DatumReader data =
        new DatumReader(
            new StackReader(machine, compiled.object(), compiled.target().userSymbols()),
            compiled.object().probeNames());
    this.tables = new TableReader(machine, data);
    this.maps = new ShownMaps(compiled.object(), machine, tables);
    DatumFormat format = new DatumFormat(compiled.target());
    EventPrinter printer =
        new EventPrinter(
            data, out.isRaw() ? format.raw() : format, maps::show, compiled.object().events());
    this.events =
        new EventLoop(compiled, machine, printer, out.stream(), maps::clear, ended::countDown);
  }

  /** Runs BEGIN, then attaches everything else: nothing fires before BEGIN is through. */
  void start() {
    runAll(Moment.BEGIN);
    events.takeAll();
    if (events.exitStatus().isPresent()) {
      return;
    }
    boolean sends = !compiled.object().events().isEmpty();
    if (sends && reading == MachineTracer.Reading.BY_THREAD) {
      events.start();
    }
    notes =
        machine.attach(
            compiled.object().programs().stream().filter(TraceSession::isAttached).toList());
  }

  private static boolean isAttached(ProbeProgram program) {
    return !program.runsAt(Moment.BEGIN) && !program.runsAt(Moment.END);
  }

  private void runAll(Moment moment) {
    compiled.object().programs().stream()
        .filter(program -> program.runsAt(moment))
        .forEach(machine::run);
  }

  void takeEvents() {
    events.takeAll();
  }

  @Override
  public boolean await(Duration timeout) throws InterruptedException {
    boolean over;
    if (reading == MachineTracer.Reading.BY_CALLER) {
      events.takeAll();
      over = ended.getCount() == 0;
    } else {
      over = ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
    throwFailure();
    return over;
  }

  private void throwFailure() {
    Optional<RuntimeException> failure = events.failure();
    if (failure.isPresent()) {
      throw new IllegalStateException("handling the trace's events failed", failure.get());
    }
  }

  @Override
  public List<Diagnostic> notes() {
    return notes;
  }

  @Override
  public List<Attached> attachments() {
    return machine.attachments();
  }

  @Override
  public OptionalInt exitStatus() {
    return events.exitStatus();
  }

  @Override
  public <V> Table<V> read(AggregateProbe<V> probe) {
    return table(nameOf(probe)).map(probe::result);
  }

  @Override
  public <V> Table<V> take(AggregateProbe<V> probe) {
    MapLayout layout = layout(nameOf(probe));
    return tables.take(layout).map(probe::result);
  }

  @Override
  public void clear(AggregateProbe<?> probe) {
    maps.clear(nameOf(probe), OptionalInt.empty());
  }

  private String nameOf(AggregateProbe<?> probe) {
    String name = compiled.mapNames().get(probe);
    if (name == null) {
      throw new IllegalArgumentException("this probe is not part of the session");
    }
    return name;
  }

  @Override
  public List<NamedTable> tables() {
    return compiled.object().tables().stream()
        .map(layout -> new NamedTable(layout.symbol().name(), tables.read(layout)))
        .toList();
  }

  private Table<Datum> table(String name) {
    return tables.read(layout(name));
  }

  private MapLayout layout(String name) {
    return maps.layout(name);
  }

  @Override
  public long lostEvents() {
    return losses(0);
  }

  @Override
  public long failedUpdates() {
    return losses(1);
  }

  @Override
  public long lostStacks() {
    return losses(2);
  }

  @Override
  public long missedRuns() {
    return machine.missedRuns();
  }

  private long losses(int counter) {
    long[] total = {0};
    compiled
        .object()
        .map(BpfObject.LOSSES)
        .ifPresent(
            map ->
                machine.read(
                    map, (key, values) -> total[0] = values.get(0).getLong(counter * Long.BYTES)));
    return total[0];
  }

  @Override
  public void stop() {
    requireOtherThread();
    stopOnce();
  }

  private synchronized void stopOnce() {
    if (stopped) {
      return;
    }
    halt();
    events.heedAll();
    runAll(Moment.END);
    events.takeAll();
    throwFailure();
  }

  /** Detaches everything, stops the reader and delivers what it left. */
  synchronized void halt() {
    if (stopped) {
      return;
    }
    stopped = true;
    ended.countDown();
    machine.detach();
    events.stop();
    events.takeAll();
  }

  /** The reader would wait for itself. */
  private void requireOtherThread() {
    if (events.isOwnThread()) {
      throw new IllegalStateException(
          "what a session prints to cannot stop it: have another thread do so, or the script exit");
    }
  }

  @Override
  public void close() {
    requireOtherThread();
    onClose.run();
  }
}
