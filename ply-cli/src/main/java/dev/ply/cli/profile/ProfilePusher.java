package dev.ply.cli.profile;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.export.StackProfile;
import dev.ply.export.StackProfiles;
import dev.ply.result.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Sends what was added to maps to a store, each period and at the end. While the store does not
 * answer, it is asked less often, up to each five minutes.
 */
final class ProfilePusher {
  private static final int WAITING = 16 << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private final Console console;
  private final Duration interval;
  private final HttpSender sender;
  private final PushQueue queue;
  private final CountDownLatch over = new CountDownLatch(1);
  private Optional<Thread> thread = Optional.empty();
  private Optional<Source> source = Optional.empty();
  private Duration pause = Duration.ZERO;
  private long nextAttempt = System.nanoTime();
  private Instant begin = Instant.now();
  private volatile boolean hasFailed;

  private record Source(
      Supplier<Result.Snapshot> added, Set<String> maps, StackProfiles profiles) {}

  private ProfilePusher(Console console, Duration interval, HttpSender sender, PushQueue queue) {
    this.console = console;
    this.interval = interval;
    this.sender = sender;
    this.queue = queue;
  }

  /**
   * Creates what sends to a store.
   *
   * @throws UsageException if nothing could be sent as it is asked for
   */
  static ProfilePusher of(ProfileStore store, Console console, Duration interval)
      throws UsageException {
    HttpSender sender = new HttpSender(store);
    return new ProfilePusher(
        console, interval, sender, new PushQueue(store, sender, console, WAITING));
  }

  /**
   * Starts to send.
   *
   * @param maps that are profiles
   * @param profiles of the session, for this store alone
   */
  void start(Session session, Set<String> maps, StackProfiles profiles) {
    source = Optional.of(new Source(session.added(), maps, profiles));
    begin = Instant.now();
    Thread pushing = new Thread(this::run, "ply-profiles");
    pushing.setDaemon(true);
    pushing.start();
    thread = Optional.of(pushing);
  }

  private void run() {
    try {
      while (!over.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
        push();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // The session is closed.
      if (over.getCount() > 0) {
        fail(e);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** Sends what was added since the last call, or keeps it while the store does not answer. */
  void push() throws InterruptedException {
    collect();
    attempt();
  }

  private void fail(Throwable cause) {
    console.error("profiles are no longer sent: " + cause);
    hasFailed = true;
  }

  private void collect() {
    Source from = source.orElseThrow();
    Instant end = Instant.now();
    Result.Snapshot added = from.added().get();
    List<StackProfile> profiles =
        from.profiles()
            .of(
                new Result.Snapshot(
                    added.maps().stream().filter(map -> from.maps().contains(map.name())).toList(),
                    added.occasion()),
                begin,
                end);
    begin = end;
    queue.add(profiles);
  }

  private void attempt() throws InterruptedException {
    if (System.nanoTime() - nextAttempt < 0) {
      return;
    }
    boolean sent = queue.send(System.nanoTime() + LONGEST_PAUSE.toNanos());
    Duration longer = pause.isZero() ? interval : pause.multipliedBy(2);
    pause = sent ? Duration.ZERO : longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    nextAttempt = System.nanoTime() + pause.toNanos();
  }

  /** Sends what is left, within some seconds, and reports what could not be sent. */
  void end() {
    over.countDown();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      for (Thread pushing : thread.stream().toList()) {
        // A request that is given up may have arrived, and would be sent twice.
        pushing.join(PATIENCE.toMillis());
        sender.pause();
        pushing.join();
      }
      if (!hasFailed) {
        sender.resume();
        collect();
        boolean unused = queue.send(deadline);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      fail(e);
    }
    queue.end();
  }

  boolean hasFailed() {
    return hasFailed;
  }

  void close() {
    over.countDown();
    sender.pause();
  }
}
