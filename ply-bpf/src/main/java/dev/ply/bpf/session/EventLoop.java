package dev.ply.bpf.session;

import dev.ply.bpf.object.EventSite;
import dev.ply.target.UserSymbols;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes a session's events from its machine, in their order, and does what they say. One thread at
 * a time does so: the loop's own while it runs, else the caller's.
 *
 * <p>Whatever handling an event throws, errors included, ends the trace as {@code exit} does: later
 * events are discarded, until {@link #heedAll}. Refers to neither session nor tracer, which the
 * loop's thread would keep from being collected.
 */
final class EventLoop {
  /**
   * How long an event may wait to be seen. Programs wake the reader only now and then when the
   * buffer fills: waking costs them more than all the rest of an event.
   */
  private static final Duration LATENCY = Duration.ofMillis(20);

  private final CompiledTrace compiled;
  private final Machine machine;
  private final EventPrinter printer;
  private final UserSymbols symbols;
  private final OutputStream out;
  private final ClearMap clear;
  private final Runnable onEnd;
  private final Thread thread = new Thread(this::run, "ply-events");
  private final AtomicLong undelivered = new AtomicLong();
  private volatile OptionalInt exitStatus = OptionalInt.empty();
  private volatile Optional<Throwable> failure = Optional.empty();
  private volatile Optional<Thread> handler = Optional.empty();
  private volatile boolean running;
  private volatile boolean bounded;
  private volatile long deadline;
  private boolean discarding;
  private boolean unreadable;

  /** Empties a map of the script. */
  @FunctionalInterface
  interface ClearMap {
    /** Empties the map of that name, which the site {@code shownBy} may have shown just before. */
    void clear(String name, OptionalInt shownBy);
  }

  EventLoop(
      CompiledTrace compiled,
      Machine machine,
      EventPrinter printer,
      UserSymbols symbols,
      OutputStream out,
      ClearMap clear,
      Runnable onEnd) {
    this.compiled = compiled;
    this.machine = machine;
    this.printer = printer;
    this.symbols = symbols;
    this.out = out;
    this.clear = clear;
    this.onEnd = onEnd;
  }

  /** Has the loop's own thread take events from now on. */
  void start() {
    running = true;
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends the loop's own thread, if it runs; what is there stays for {@link #takeAll}. */
  void stop() {
    running = false;
    if (thread.isAlive()) {
      machine.wakeUp();
      join();
    }
  }

  /** Delivers events for so long from now on, and then drops and counts them. */
  void bound(Duration time) {
    deadline = System.nanoTime() + time.toNanos();
    bounded = true;
  }

  /** Returns how many events were dropped after the time for them. */
  long undelivered() {
    return undelivered.get();
  }

  /** Returns whether the caller is called by this loop, which cannot wait for itself. */
  boolean isCalling() {
    Thread current = Thread.currentThread();
    return current == thread || handler.filter(taking -> taking == current).isPresent();
  }

  /** Returns the status with which the script ended the trace, if it has. */
  OptionalInt exitStatus() {
    return exitStatus;
  }

  /** Returns what was thrown first; what was thrown later is suppressed in it. */
  Optional<Throwable> failure() {
    return failure;
  }

  /** Takes what is there, and sends out what it prints. */
  void takeAll() {
    while (take(Duration.ZERO) > 0) {}
    flush();
  }

  /** Heeds events again that come after the one that ended the trace. */
  void heedAll() {
    discarding = false;
  }

  /** Ends the trace with what was thrown. */
  synchronized void fail(Throwable thrown) {
    if (failure.isEmpty()) {
      failure = Optional.of(thrown);
    } else if (failure.get() != thrown) {
      failure.get().addSuppressed(thrown);
    }
    onEnd.run();
  }

  private void run() {
    while (running) {
      if (take(Duration.ZERO) == 0) {
        if (failure.isEmpty()) {
          flush();
        }
        take(LATENCY);
      }
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
    if (discarding) {
      return;
    }
    if (bounded && System.nanoTime() - deadline >= 0) {
      undelivered.incrementAndGet();
      return;
    }
    try {
      heed(compiled.object().events().get(memory.getInt(start)), memory, start);
    } catch (RuntimeException | Error e) {
      discarding = true;
      fail(e);
    }
  }

  private void heed(EventSite site, ByteBuffer memory, int start) {
    if (site instanceof EventSite.Clear map) {
      clear.clear(map.map(), map.shownBy());
    } else if (site instanceof EventSite.NewProcess process) {
      int offset = process.layout().fields().get(1).offset();
      symbols.remember(memory.getInt(start + offset));
    } else if (site instanceof EventSite.Exit exit) {
      if (exitStatus.isEmpty()) {
        int offset = exit.layout().fields().get(1).offset();
        exitStatus = OptionalInt.of(memory.getInt(start + offset));
      }
      // What other probes sent after the trace was to end is of no interest.
      discarding = true;
      onEnd.run();
    } else {
      print(site, memory, start);
    }
  }

  private void print(EventSite site, ByteBuffer memory, int start) {
    try {
      printer.text(site, memory, start).writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void flush() {
    Optional<Thread> before = handler;
    handler = Optional.of(Thread.currentThread());
    try {
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
