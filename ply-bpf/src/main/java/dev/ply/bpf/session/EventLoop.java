package dev.ply.bpf.session;

import dev.ply.bpf.object.EventSite;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Takes a session's events from its machine, in their order, and does what they say. One thread at
 * a time does so: the loop's own while it runs, else who calls.
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
  private final OutputStream out;
  private final ClearMap clear;
  private final Runnable onEnd;
  private final Thread thread = new Thread(this::run, "ply-events");
  private volatile OptionalInt exitStatus = OptionalInt.empty();
  private volatile Optional<RuntimeException> failure = Optional.empty();
  private volatile boolean running;
  private boolean discarding;

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
      OutputStream out,
      ClearMap clear,
      Runnable onEnd) {
    this.compiled = compiled;
    this.machine = machine;
    this.printer = printer;
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

  /** Tells whether this is the loop's own thread, which cannot wait for itself. */
  boolean isOwnThread() {
    return Thread.currentThread() == thread;
  }

  /** Returns the status with which the script ended the trace, if it has. */
  OptionalInt exitStatus() {
    return exitStatus;
  }

  /** Returns why events are no longer handled, if something has gone wrong. */
  Optional<RuntimeException> failure() {
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

  private void run() {
    while (running) {
      if (take(Duration.ZERO) == 0) {
        flush();
        take(LATENCY);
      }
    }
  }

  /** What a listener throws ends the trace, and is thrown again to whoever waits for it. */
  private int take(Duration timeout) {
    if (failure.isPresent()) {
      return 0;
    }
    try {
      return machine.poll(timeout, this::handle);
    } catch (RuntimeException e) {
      fail(e);
      return 0;
    }
  }

  private void fail(RuntimeException e) {
    failure = Optional.of(e);
    running = false;
    onEnd.run();
  }

  private void handle(ByteBuffer memory, int start, int length) {
    if (discarding) {
      return;
    }
    EventSite site = compiled.object().events().get(memory.getInt(start));
    if (site instanceof EventSite.Clear map) {
      clear.clear(map.map(), map.shownBy());
    } else if (site instanceof EventSite.NewProcess process) {
      int offset = process.layout().fields().get(1).offset();
      compiled.target().userSymbols().remember(memory.getInt(start + offset));
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
    try {
      out.flush();
    } catch (IOException e) {
      fail(new UncheckedIOException(e));
    } catch (RuntimeException e) {
      fail(e);
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
