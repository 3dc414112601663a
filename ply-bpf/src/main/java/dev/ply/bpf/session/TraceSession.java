package dev.ply.bpf.session;

import dev.ply.AggregateProbe;
import dev.ply.Session;
import dev.ply.analysis.MapContent;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.ir.AttachPoint;
import dev.ply.result.Datum;
import dev.ply.result.DatumFormat;
import dev.ply.result.Table;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A running trace on some machine. */
final class TraceSession implements Session {
  private static final Duration READER_WAIT = Duration.ofMillis(100);

  private final CompiledTrace compiled;
  private final Machine machine;
  private final MachineTracer.Reading reading;
  private final Consumer<String> printer;
  private final Runnable onClose;
  private final TableReader tables;
  private final EventPrinter events;
  private final Set<Integer> sitesBeforeClear = new HashSet<>();

  /** What sites have shown that clear it next. Of the thread that handles events. */
  private final Map<Shown, Collected.Totals> shown = new HashMap<>();

  private record Shown(int site, String map) {}

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread reader = new Thread(this::readEvents, "ply-events");
  private volatile OptionalInt exitStatus = OptionalInt.empty();
  private volatile Optional<RuntimeException> failure = Optional.empty();
  private volatile boolean readingEvents = true;
  private volatile List<Diagnostic> notes = List.of();
  private boolean discarding;
  private boolean stopped;

  TraceSession(
      CompiledTrace compiled,
      Machine machine,
      MachineTracer.Reading reading,
      Consumer<String> printer,
      Runnable onClose) {
    this.compiled = compiled;
    this.machine = machine;
    this.reading = reading;
    this.printer = printer;
    this.onClose = onClose;
    DatumReader data =
        new DatumReader(
            new StackReader(machine, compiled.object()), compiled.object().probeNames());
    this.tables = new TableReader(machine, data);
    this.events = new EventPrinter(data, new DatumFormat(compiled.target()), this::shown);
    compiled.object().events().stream()
        .filter(EventSite.Clear.class::isInstance)
        .flatMapToInt(site -> ((EventSite.Clear) site).shownBy().stream())
        .forEach(sitesBeforeClear::add);
  }

  /** Runs BEGIN, then attaches everything else: nothing fires before BEGIN is through. */
  void start() {
    runAll(AttachPoint.Begin.class);
    pollAll();
    if (exitStatus.isPresent()) {
      return;
    }
    boolean sends = !compiled.object().events().isEmpty();
    if (sends && reading == MachineTracer.Reading.BY_THREAD) {
      reader.setDaemon(true);
      reader.start();
    }
    notes =
        machine.attach(
            compiled.object().programs().stream().filter(TraceSession::isAttached).toList());
  }

  private static boolean isAttached(ProbeProgram program) {
    return !program.isAt(AttachPoint.Begin.class) && !program.isAt(AttachPoint.End.class);
  }

  private void runAll(Class<? extends AttachPoint> kind) {
    compiled.object().programs().stream()
        .filter(program -> program.isAt(kind))
        .forEach(machine::run);
  }

  private void readEvents() {
    while (readingEvents) {
      poll(READER_WAIT);
    }
  }

  void pollAll() {
    while (poll(Duration.ZERO) > 0) {}
  }

  /** What a listener throws ends the trace, and is thrown again to whoever waits for it. */
  private int poll(Duration timeout) {
    try {
      return machine.poll(timeout, this::handle);
    } catch (RuntimeException e) {
      failure = Optional.of(e);
      discarding = true;
      readingEvents = false;
      ended.countDown();
      return 0;
    }
  }

  private void handle(ByteBuffer record) {
    if (discarding) {
      return;
    }
    EventSite site = compiled.object().events().get(record.getInt(0));
    if (site instanceof EventSite.Print print) {
      printer.accept(events.print(print, record));
    } else if (site instanceof EventSite.Printf printf) {
      printer.accept(events.printf(printf, record));
    } else if (site instanceof EventSite.Clear clear) {
      clear(layout(clear.map()), clear.shownBy());
    } else if (site instanceof EventSite.Exit exit) {
      if (exitStatus.isEmpty()) {
        exitStatus = OptionalInt.of(record.getInt(exit.layout().fields().get(1).offset()));
      }
      // What other probes sent after the trace was to end is of no interest.
      discarding = true;
      ended.countDown();
    }
  }

  @Override
  public boolean await(Duration timeout) throws InterruptedException {
    boolean over;
    if (reading == MachineTracer.Reading.BY_CALLER) {
      pollAll();
      over = ended.getCount() == 0;
    } else {
      over = ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }
    throwFailure();
    return over;
  }

  private void throwFailure() {
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
    return exitStatus;
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
    clear(layout(nameOf(probe)), OptionalInt.empty());
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

  /** Forgets what a map holds; where a site has just shown it, what that showed. */
  private void clear(MapLayout layout, OptionalInt shownBy) {
    if (layout.symbol().content() instanceof MapContent.Plain) {
      machine.clear(layout.map());
      return;
    }
    Optional<Collected.Totals> totals =
        shownBy.isPresent()
            ? Optional.ofNullable(
                shown.remove(new Shown(shownBy.getAsInt(), layout.symbol().name())))
            : Optional.empty();
    tables.collected(layout).clear(totals);
  }

  /** Returns a map for a site that shows it. */
  private Table<Datum> shown(EventSite site, String name) {
    MapLayout layout = layout(name);
    if (!sitesBeforeClear.contains(site.id())
        || layout.symbol().content() instanceof MapContent.Plain) {
      return tables.read(layout);
    }
    Collected.Totals totals = tables.collected(layout).totals();
    shown.put(new Shown(site.id(), name), totals);
    return tables.read(layout, totals);
  }

  private Table<Datum> table(String name) {
    return tables.read(layout(name));
  }

  private MapLayout layout(String name) {
    return compiled.object().tables().stream()
        .filter(table -> table.symbol().name().equals(name))
        .findFirst()
        .orElseThrow();
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
    discarding = false;
    runAll(AttachPoint.End.class);
    pollAll();
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
    readingEvents = false;
    if (reader.isAlive()) {
      machine.wakeUp();
      join();
    }
    if (failure.isEmpty()) {
      pollAll();
    }
  }

  /** The reader would wait for itself. */
  private void requireOtherThread() {
    if (Thread.currentThread() == reader) {
      throw new IllegalStateException(
          "what a session prints to cannot stop it: have another thread do so, or the script exit");
    }
  }

  private void join() {
    boolean interrupted = false;
    while (reader.isAlive()) {
      try {
        reader.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    requireOtherThread();
    onClose.run();
  }
}
