package dev.ply.bpf.session;

import dev.ply.TraceFailedException;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.stream.CommandEvents;
import dev.ply.bpf.stream.ErrorEvents;
import dev.ply.bpf.stream.EventListeners;
import dev.ply.bpf.stream.OrderedOutput;
import dev.ply.bpf.stream.PacketFiles;
import dev.ply.bpf.stream.ResultStream;
import dev.ply.bpf.table.PrintTime;
import dev.ply.target.UserSymbols;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Handles a session's events in order. One thread at a time: the loop's own while it runs, else the
 * caller's.
 *
 * <p>Whatever handling an event throws, including errors, ends the trace as {@code exit} does:
 * later events are discarded, until {@link #heedAll}. Holds no reference to session or tracer,
 * which the loop's thread would keep from being collected.
 */
final class EventLoop {
  /**
   * The maximum latency of an event. Programs wake the reader only when part of the buffer is full:
   * a wake-up costs more than the rest of an event.
   */
  private static final Duration LATENCY = Duration.ofMillis(20);

  /** The same where all records wake the reader. */
  private static final Duration REST = Duration.ofSeconds(1);

  private final CompiledTrace compiled;
  private final Machine machine;
  private final ResultStream results;
  private final Heeding heeding = new Heeding();
  private final EventListeners listeners;
  private final UserSymbols symbols;
  private final OrderedOutput out;
  private final CommandEvents commands;
  private final ErrorEvents errors;
  private final PacketFiles packets;
  private final ClearMap clear;
  private final ClearMap zero;
  private final Runnable idle;
  private final Runnable onEnd;
  private final Thread thread;
  private final Duration latency;
  private final AtomicLong undelivered = new AtomicLong();

  /** How often no event was pending. */
  private final AtomicLong passes = new AtomicLong();

  private volatile OptionalInt exitStatus = OptionalInt.empty();
  private volatile Optional<Throwable> failure = Optional.empty();
  private volatile Optional<Thread> handler = Optional.empty();
  private volatile boolean running;
  private volatile boolean bounded;
  private volatile long deadline;
  private volatile OptionalInt latestExit = OptionalInt.empty();
  private volatile boolean discarding;
  private boolean unreadable;

  /** Clears a map of the script. */
  @FunctionalInterface
  interface ClearMap {
    /** Clears the map of this name, which the site {@code shownBy} may have printed just before. */
    void clear(String name, OptionalInt shownBy);
  }

  EventLoop(
      CompiledTrace compiled,
      Machine machine,
      ResultStream results,
      EventListeners listeners,
      UserSymbols symbols,
      OrderedOutput out,
      CommandEvents commands,
      ErrorEvents errors,
      PacketFiles packets,
      ClearMap clear,
      ClearMap zero,
      Runnable idle,
      ThreadFactory threads,
      Runnable onEnd) {
    this.compiled = compiled;
    this.machine = machine;
    this.results = results;
    this.listeners = listeners;
    this.symbols = symbols;
    this.out = out;
    this.commands = commands;
    this.errors = errors;
    this.packets = packets;
    this.clear = clear;
    this.zero = zero;
    this.idle = idle;
    this.thread = threads.newThread(this::run);
    this.onEnd = onEnd;
    this.latency = latency(compiled.object());
  }

  /** Packets wake nobody, and the output of commands is flushed by the loop. */
  private static Duration latency(BpfObject object) {
    boolean polls =
        object.hasManyEvents()
            || object.map(BpfObject.PACKETS).isPresent()
            || object.events().stream()
                .anyMatch(
                    site -> site instanceof EventSite.Command || site instanceof EventSite.File);
    return polls ? LATENCY : REST;
  }

  /** Starts the loop's own thread. */
  void start() {
    running = true;
    thread.start();
  }

  /** Stops the loop's own thread, if it runs; pending events remain for {@link #takeAll}. */
  void stop() {
    running = false;
    if (thread.isAlive()) {
      machine.wakeUp();
      join();
    }
  }

  /** Delivers events for a limited time, and then drops and counts them. */
  void bound(Duration time) {
    deadline = System.nanoTime() + time.toNanos();
    out.endBy(deadline);
    bounded = true;
  }

  /** Limits the time of commands and files that are running or pending, and that of END's. */
  void limitCommands(Duration most) {
    out.limitJobs(most);
  }

  /**
   * Limits the time of maps that events print.
   *
   * @param ofEnd whether that is the time of what END prints, too
   */
  void limitPrints(Duration most, boolean ofEnd) {
    results.limitPrints(most, ofEnd);
  }

  /** Returns the number of events dropped after the time limit. */
  long undelivered() {
    return undelivered.get();
  }

  /** Returns whether the current thread is inside this loop, which cannot wait for itself. */
  boolean isCalling() {
    Thread current = Thread.currentThread();
    return current == thread
        || out.isCalling()
        || handler.filter(taking -> taking == current).isPresent();
  }

  /** Returns the status of the last call of {@code exit}: that of END, if it has one. */
  OptionalInt exitStatus() {
    return exitStatus;
  }

  /** Returns the first exception; later ones are suppressed in it. */
  Optional<Throwable> failure() {
    return failure;
  }

  /** Handles pending events, and flushes the output. */
  void takeAll() {
    while (take(Duration.ZERO) > 0) {}
    flush();
  }

  /** Handles pending events, waits for the commands they run, and flushes the output. */
  void finish() {
    while (take(Duration.ZERO) > 0) {}
    try {
      out.await();
    } catch (RuntimeException | Error e) {
      discarding = true;
      fail(e);
    }
    flush();
  }

  /** Reports failures of programs that have not been reported yet, after all events. */
  void reportErrors() {
    try {
      errors.finish();
      commands.finish();
      results.finish();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    flush();
  }

  /** Handles the events of a program that the tracer is about to run, even after the end. */
  void beginRun() {
    latestExit = OptionalInt.empty();
    heedAll();
  }

  /** Returns the status of {@code exit} if it was called since {@link #beginRun}. */
  OptionalInt endRun() {
    discarding = exitStatus.isPresent();
    return latestExit;
  }

  /** END begins: its events are handled, though those of others are discarded after the end. */
  void beginEnd() {
    results.beginEnd();
    heedAll();
  }

  /** Stops discarding events after the end. */
  void heedAll() {
    discarding = false;
    out.renewLimit();
  }

  /** Ends the trace with an exception. */
  synchronized void fail(Throwable thrown) {
    if (failure.isEmpty()) {
      failure = Optional.of(thrown);
    } else {
      FirstFailure.suppress(failure.get(), thrown);
    }
    listeners.end(failure.map(TraceFailedException::new));
    onEnd.run();
  }

  private void run() {
    while (running) {
      if (take(Duration.ZERO) == 0) {
        if (failure.isEmpty()) {
          flush();
          rest();
        }
        passed();
        take(latency);
      }
    }
    passed();
  }

  /** Runs the idle task: no event is pending. */
  private void rest() {
    try {
      idle.run();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** Waits until the loop's own thread has handled all events that have been sent. */
  void settle() {
    synchronized (passes) {
      // The pass that is under way may have begun before.
      long enough = passes.get() + 2;
      while (running && !isCalling() && passes.get() < enough) {
        machine.wakeUp();
        try {
          passes.wait(LATENCY.toMillis());
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  /** Reports that no event was pending. */
  private void passed() {
    synchronized (passes) {
      passes.incrementAndGet();
      passes.notifyAll();
    }
  }

  private int take(Duration timeout) {
    if (unreadable) {
      running = false;
      return 0;
    }
    Optional<Thread> before = handler;
    handler = Optional.of(Thread.currentThread());
    try {
      return machine.poll(timeout, this::handle);
    } catch (RuntimeException | Error e) {
      unreadable = true;
      fail(e);
      return 0;
    } finally {
      handler = before;
    }
  }

  private void handle(ByteBuffer memory, int start, int length) {
    // Packets come by a buffer of their own, so that those before the exit may follow it.
    if (discarding && !(isPacket(memory, start) && failure.isEmpty())) {
      return;
    }
    if (bounded && System.nanoTime() - deadline >= 0) {
      undelivered.incrementAndGet();
      return;
    }
    try {
      compiled.object().events().get(memory.getInt(start)).accept(heeding, memory, start, length);
    } catch (PrintTime.TimeIsUp e) {
      results.cut(compiled.object().events().get(memory.getInt(start)));
    } catch (RuntimeException | Error e) {
      discarding = true;
      fail(e);
    }
  }

  private boolean isPacket(ByteBuffer memory, int start) {
    return compiled.object().events().get(memory.getInt(start)) instanceof EventSite.Packet;
  }

  /** Heeds an event by the kind of its site. */
  private final class Heeding implements EventSite.Handler {
    @Override
    public void handle(EventSite.Print site, ByteBuffer memory, int start, int length) {
      results.event(site, memory, start);
    }

    @Override
    public void handle(EventSite.Printf site, ByteBuffer memory, int start, int length) {
      results.event(site, memory, start);
    }

    @Override
    public void handle(EventSite.Trace site, ByteBuffer memory, int start, int length) {
      results.event(site, memory, start);
    }

    @Override
    public void handle(EventSite.Join site, ByteBuffer memory, int start, int length) {
      results.event(site, memory, start);
    }

    @Override
    public void handle(EventSite.Report site, ByteBuffer memory, int start, int length) {
      commands.report(site, memory, start);
    }

    @Override
    public void handle(EventSite.Command site, ByteBuffer memory, int start, int length) {
      commands.run(site, memory, start);
    }

    @Override
    public void handle(EventSite.File site, ByteBuffer memory, int start, int length) {
      commands.print(site, memory, start);
    }

    @Override
    public void handle(EventSite.Emit site, ByteBuffer memory, int start, int length) {
      listeners.deliver(site, memory, start);
      results.emitted(site, memory, start);
    }

    @Override
    public void handle(EventSite.Clear site, ByteBuffer memory, int start, int length) {
      clear.clear(site.map(), site.shownBy());
    }

    @Override
    public void handle(EventSite.Zero site, ByteBuffer memory, int start, int length) {
      zero.clear(site.map(), site.shownBy());
    }

    @Override
    public void handle(EventSite.Exit site, ByteBuffer memory, int start, int length) {
      int offset = site.layout().fields().get(1).offset();
      latestExit = OptionalInt.of(memory.getInt(start + offset));
      // END comes last, and so does its status.
      exitStatus = latestExit;
      // Events of other probes after the end are dropped.
      discarding = true;
      listeners.end(Optional.empty());
      onEnd.run();
    }

    @Override
    public void handle(EventSite.Packet site, ByteBuffer memory, int start, int length) {
      packets.add(site, memory, start, length);
    }

    @Override
    public void handle(EventSite.Unwatch site, ByteBuffer memory, int start, int length) {
      int offset = site.layout().fields().get(1).offset();
      machine.unwatch(memory.getLong(start + offset));
    }

    @Override
    public void handle(EventSite.NewProcess site, ByteBuffer memory, int start, int length) {
      int offset = site.layout().fields().get(1).offset();
      symbols.remember(memory.getInt(start + offset));
    }

    @Override
    public void handle(EventSite.MissingTables site, ByteBuffer memory, int start, int length) {
      machine.readTables();
      symbols.update();
    }

    @Override
    public void handle(EventSite.Failure site, ByteBuffer memory, int start, int length) {
      errors.report(site, memory, start);
    }
  }

  private void flush() {
    Optional<Thread> before = handler;
    handler = Optional.of(Thread.currentThread());
    try {
      packets.flush();
      out.flush();
    } catch (IOException e) {
      discarding = true;
      fail(new UncheckedIOException(e));
    } catch (RuntimeException | Error e) {
      discarding = true;
      fail(e);
    } finally {
      handler = before;
    }
  }

  private void join() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
