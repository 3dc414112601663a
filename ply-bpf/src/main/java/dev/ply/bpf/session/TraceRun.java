package dev.ply.bpf.session;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.TraceFailedException;
import dev.ply.TraceOptions;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.object.StackTraces;
import dev.ply.bpf.stream.CommandEvents;
import dev.ply.bpf.stream.ErrorEvents;
import dev.ply.bpf.stream.EventListeners;
import dev.ply.bpf.stream.ItemReader;
import dev.ply.bpf.stream.OrderedOutput;
import dev.ply.bpf.stream.PacketFiles;
import dev.ply.bpf.stream.RawFormatter;
import dev.ply.bpf.stream.ResultListeners;
import dev.ply.bpf.stream.ResultStream;
import dev.ply.bpf.table.ShownMaps;
import dev.ply.bpf.table.TableReader;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.layout.Layout;
import dev.ply.probe.TracerProbe;
import dev.ply.result.AttachedSite;
import dev.ply.result.EndReason;
import dev.ply.result.Losses;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.Table;
import dev.ply.target.UserSymbols;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The life cycle of a loaded trace: BEGIN, attach, events, detach, END, close. Thread-safe.
 *
 * <p>{@link PreparedTrace} and {@link Session} are handles to it. It refers to neither of them nor
 * to the tracer, so that unreachable ones can be collected and closed.
 */
final class TraceRun {
  /** The time limit for pending events in {@link #close}; a listener can be slow or stuck. */
  private static final Duration DRAIN = Duration.ofSeconds(1);

  /** How often names that end with their process are looked up. */
  private static final Duration NAMES = Duration.ofMillis(200);

  private static final Duration LONGEST_WAIT = Duration.ofNanos(Long.MAX_VALUE);

  private enum State {
    LOADED,
    STARTED,
    STOPPED,
    CLOSED
  }

  private final TraceOptions options;
  private final CompiledTrace compiled;
  private final Machine machine;
  private final MachineTracer.Reading reading;
  private final TraceReaders readers;
  private final TracePrograms programs;
  private final EventListeners listeners;
  private final EndListeners endListeners = new EndListeners();
  private final ResultListeners resultListeners = new ResultListeners();
  private final PeriodicActions periodic;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile Optional<EventLoop> events = Optional.empty();
  private PacketFiles packets = PacketFiles.NONE;
  private volatile List<Diagnostic> notes = List.of();
  private volatile State state = State.LOADED;

  TraceRun(
      CompiledTrace compiled,
      Machine machine,
      MachineTracer.Reading reading,
      TraceOptions options) {
    this.options = options;
    this.compiled = compiled;
    this.machine = machine;
    this.reading = reading;
    this.programs = new TracePrograms(compiled.object().programs());
    this.readers = TraceReaders.of(compiled, machine, options);
    this.listeners =
        new EventListeners(
            compiled.object().events(),
            readers.components(),
            options.threads(),
            reading == MachineTracer.Reading.BY_THREAD);
    this.periodic =
        new PeriodicActions(
            options.threads(),
            reading == MachineTracer.Reading.BY_THREAD,
            thrown -> events.orElseThrow().fail(thrown));
  }

  Machine machine() {
    return machine;
  }

  /** Returns the symbols of processes. */
  UserSymbols symbols() {
    return readers.symbols();
  }

  TableReader tables() {
    return readers.tables();
  }

  /** Returns the content of an aggregating map, and clears exactly that. */
  Table<Datum> take(MapLayout layout) {
    Table<Datum> taken = readers.tables().take(layout);
    readers.stackUse().forgetOthers();
    return taken;
  }

  ShownMaps maps() {
    return readers.maps();
  }

  /** Returns those who listen to all results. */
  ResultListeners results() {
    return resultListeners;
  }

  /** Returns the listeners to events. */
  EventListeners listeners() {
    return listeners;
  }

  /** Returns notes about attaching. */
  List<Diagnostic> notes() {
    return notes;
  }

  /**
   * Checks that the trace is loaded and not started.
   *
   * @throws IllegalStateException with {@code message}
   */
  void requireLoaded(String message) {
    if (state != State.LOADED) {
      throw new IllegalStateException(message);
    }
  }

  /**
   * Opens all probes, runs BEGIN, then enables them: BEGIN does not run in vain, and nothing fires
   * before it has finished. Then runs iterators. To be closed if this throws.
   */
  synchronized void start(TraceOutput out) {
    requireLoaded("the trace was closed in the meantime");
    Renderer renderer = out.layout().on(compiled.target());
    ItemReader items = new ItemReader(readers.data(), renderer, readers.maps());
    OrderedOutput output = new OrderedOutput(out.stream());
    ResultStream results =
        new ResultStream(
            renderer,
            Layout.PLY_RAW.on(compiled.target()),
            items,
            compiled.object().events(),
            output,
            out.reports(),
            resultListeners,
            readers.printTime());
    if (machine.hasFiles()) {
      packets = PacketFiles.create(compiled.object().events(), compiled.target().wallClock());
    }
    EventLoop loop =
        new EventLoop(
            compiled,
            machine,
            results,
            listeners,
            readers.symbols(),
            output,
            new CommandEvents(machine, new RawFormatter(items, renderer), results, output),
            new ErrorEvents(compiled.object(), machine, results),
            packets,
            readers.maps()::clear,
            readers.maps()::zero,
            readers.stackUse()::forgetOthers,
            options.threads(),
            this::signalEnd);
    events = Optional.of(loop);
    state = State.STARTED;
    if (!machine.isAttached()) {
      machine.open(programs.ofProbes());
      runAll(new TracerProbe.Begin());
    }
    loop.takeAll();
    if (ended.getCount() == 0) {
      return;
    }
    if (compiled.object().events().stream().anyMatch(EventSite.NewProcess.class::isInstance)) {
      readers.symbols().recordMappings();
    }
    boolean sends = !compiled.object().events().isEmpty();
    if (sends && reading == MachineTracer.Reading.BY_THREAD) {
      loop.start();
    }
    if (compiled.object().stacks().stream().anyMatch(StackTraces::isOfUser)) {
      periodic.add(NAMES, machine.now(), readers.stackUse()::keepNames);
    }
    notes = machine.attach(programs.attached());
    tellAttached();
    iterate();
  }

  /** Runs iterators; a trace that attaches nothing else ends with them. */
  private void iterate() {
    List<ProbeProgram> iterators = programs.iterators();
    iterators.forEach(machine::run);
    if (!iterators.isEmpty() && programs.attached().isEmpty()) {
      signalEnd();
    }
  }

  private void runAll(TracerProbe point) {
    programs.of(point).forEach(machine::run);
  }

  /**
   * Runs the program of a probe that is attached nowhere, handles what it has sent, and returns the
   * status of {@code exit} if it was called.
   */
  OptionalInt run(String probe) {
    ProbeProgram program = programs.own(probe);
    EventLoop loop = events.orElseThrow();
    synchronized (this) {
      requireStarted();
      loop.beginRun();
      machine.run(program);
    }
    settle();
    return loop.endRun();
  }

  /** Runs a program several times, and returns how long it ran in total. */
  Duration measure(String probe, int times) {
    ProbeProgram program = programs.own(probe);
    Duration total;
    synchronized (this) {
      requireStarted();
      total = machine.measure(program, times);
    }
    settle();
    return total;
  }

  private void requireStarted() {
    if (state != State.STARTED) {
      throw new IllegalStateException("the trace was stopped");
    }
  }

  /** Waits until events that have been sent are handled. */
  private void settle() {
    if (reading == MachineTracer.Reading.BY_CALLER) {
      takeEvents();
    } else {
      events.orElseThrow().settle();
    }
  }

  /** Handles pending events on the calling thread, if the trace runs. */
  synchronized void takeEvents() {
    if (state == State.STARTED) {
      events.ifPresent(EventLoop::finish);
      periodic.runDue(machine.now());
    }
  }

  /** Waits until the trace ends by itself or is stopped, and returns whether it has. */
  boolean await(Duration timeout) throws InterruptedException {
    boolean over;
    if (reading == MachineTracer.Reading.BY_CALLER) {
      takeEvents();
      over = ended.getCount() == 0;
    } else {
      over = ended.await(nanos(timeout), TimeUnit.NANOSECONDS);
    }
    throwFailure();
    return over;
  }

  private static long nanos(Duration timeout) {
    if (timeout.isNegative()) {
      return 0;
    }
    return timeout.compareTo(LONGEST_WAIT) > 0 ? Long.MAX_VALUE : timeout.toNanos();
  }

  private void throwFailure() {
    Optional<Throwable> failure = events.flatMap(EventLoop::failure);
    if (failure.isPresent()) {
      throw new TraceFailedException(failure.get());
    }
  }

  /** Returns why the trace ended, empty while it runs. */
  Optional<EndReason> end() {
    EventLoop loop = events.orElseThrow();
    if (loop.failure().isPresent()) {
      return Optional.of(new EndReason.Failed(loop.failure().get()));
    }
    if (loop.exitStatus().isPresent()) {
      return Optional.of(new EndReason.Exited(loop.exitStatus().getAsInt()));
    }
    return ended.getCount() == 0 ? Optional.of(new EndReason.Stopped()) : Optional.empty();
  }

  /** Returns the status of {@code exit}, if it was called. */
  OptionalInt exitStatus() {
    return events.orElseThrow().exitStatus();
  }

  /** Limits the time of commands and files that are running or pending. */
  void limitCommands(Duration most) {
    events.orElseThrow().limitCommands(most);
  }

  /**
   * Limits the time for the maps that events print, and for those that END prints if the trace is
   * being stopped already.
   */
  void limitPrints(Duration most) {
    events.orElseThrow().limitPrints(most, state == State.STOPPED);
  }

  /** Returns the number of events dropped by closing. */
  long undelivered() {
    return events.map(EventLoop::undelivered).orElse(0L);
  }

  /**
   * Detaches everything, delivers pending events, runs END and delivers its events; continues after
   * failures. Idempotent.
   *
   * @throws TraceFailedException if anything has failed since the start
   */
  void stop() {
    requireOtherThread();
    stopOnce();
  }

  private synchronized void stopOnce() {
    if (state != State.STARTED) {
      return;
    }
    EventLoop loop = events.orElseThrow();
    halt(loop, machine::detach);
    loop.beginEnd();
    try {
      runAll(new TracerProbe.End());
    } catch (RuntimeException | Error e) {
      loop.fail(e);
    }
    loop.finish();
    loop.reportErrors();
    periodic.finish();
    try {
      tellTheEnd();
    } catch (RuntimeException | Error e) {
      loop.fail(e);
    }
    endEvents(loop);
    throwFailure();
  }

  private void tellAttached() {
    if (resultListeners.areAny()) {
      List<AttachedSite> sites = machine.attachments();
      int own = programs.all().size() - programs.attached().size();
      long others = sites.stream().map(AttachedSite::point).distinct().count();
      resultListeners.accept(new Result.Attached(Math.toIntExact(own + others), sites));
    }
  }

  /** Passes the final results of the trace to its listeners. */
  private void tellTheEnd() {
    if (resultListeners.areAny()) {
      TraceTables all = new TraceTables(compiled, this);
      resultListeners.accept(
          new Result.Snapshot(all.snapshot(readers.tables()::read), Result.Occasion.FINAL));
      Losses losses = new LossCounters(compiled.object(), this).all();
      losses
          .counts()
          .forEach((loss, count) -> resultListeners.accept(new Result.Lost(loss, count)));
      resultListeners.accept(new Result.End(end().orElseThrow()));
    }
  }

  private void signalEnd() {
    ended.countDown();
    try {
      endListeners.end(end().orElseThrow());
    } catch (RuntimeException | Error e) {
      events.orElseThrow().fail(e);
    }
  }

  /** Calls a listener when the trace ends, or at once if it has. */
  void onEnd(Consumer<EndReason> listener) {
    endListeners.add(listener);
  }

  /** Runs an action periodically until the trace is stopped. */
  void every(Duration period, Runnable action) {
    requireStarted();
    periodic.add(period, machine.now(), action);
  }

  private void endEvents(EventLoop loop) {
    listeners.end(loop.failure().map(TraceFailedException::new));
  }

  private void halt(EventLoop loop, Runnable detaching) {
    state = State.STOPPED;
    signalEnd();
    try {
      detaching.run();
    } catch (RuntimeException | Error e) {
      loop.fail(e);
    }
    loop.stop();
    loop.finish();
  }

  /** Detaches everything, delivers events for a limited time, and closes the machine. */
  void close() {
    requireOtherThread();
    // Without the lock, which a thread that stops the trace holds.
    events.ifPresent(loop -> loop.bound(DRAIN));
    periodic.cancel(DRAIN);
    closeOnce();
    warn(undelivered(), "the trace was closed before its output had caught up");
    listeners.losses().forEach(loss -> warn(loss.events(), loss.reason()));
  }

  private static void warn(long events, String reason) {
    if (events > 0) {
      System.getLogger("dev.ply")
          .log(System.Logger.Level.WARNING, "{0} events dropped: {1}", events, reason);
    }
  }

  private synchronized void closeOnce() {
    if (state == State.CLOSED) {
      return;
    }
    // All is released, whatever a step throws.
    FirstFailure failure = new FirstFailure();
    if (state == State.STARTED) {
      failure.run(() -> halt(events.orElseThrow(), machine::leave));
      failure.run(() -> resultListeners.accept(new Result.End(end().orElseThrow())));
      failure.run(() -> endEvents(events.orElseThrow()));
    }
    failure.run(() -> listeners.end(Optional.empty()));
    state = State.CLOSED;
    failure.run(readers.symbols()::close);
    failure.run(machine::close);
    failure.run(packets::close);
    failure.throwIfAny();
  }

  /** The loop cannot wait for itself. */
  void requireOtherThread() {
    if (events.filter(EventLoop::isCalling).isPresent()
        || periodic.isCalling()
        || endListeners.isCalling()) {
      throw new IllegalStateException(
          "what a session prints to cannot stop it: have another thread do so, or the script exit");
    }
  }
}
