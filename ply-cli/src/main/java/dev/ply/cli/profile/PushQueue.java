package dev.ply.cli.profile;

import dev.ply.cli.io.Console;
import dev.ply.export.StackProfile;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What waits to be sent to a store, oldest first. An endpoint that is down costs a limited amount
 * of memory: what exceeds it is dropped, counted and reported. For one thread at a time.
 */
final class PushQueue {
  private static final int MOST_SAMPLES = 8_000;

  private final ProfileStore store;
  private final HttpSender sender;
  private final Console console;
  private final int mostBytes;
  private final Deque<Push> waiting = new ArrayDeque<>();
  private long bytes;
  private long dropped;
  private boolean fails;
  private boolean refuses;

  @SuppressWarnings("ArrayRecordComponent") // a place in the queue, never compared
  private record Push(byte[] body) {}

  /**
   * Creates an empty queue.
   *
   * @param mostBytes that wait at once
   */
  PushQueue(ProfileStore store, HttpSender sender, Console console, int mostBytes) {
    this.store = store;
    this.sender = sender;
    this.console = console;
    this.mostBytes = mostBytes;
  }

  /** Adds profiles; the oldest are dropped for them if there is no room. */
  void add(List<StackProfile> profiles) {
    for (StackProfile profile : profiles) {
      // A store takes no profile of any size.
      for (StackProfile part : profile.parts(MOST_SAMPLES)) {
        Push push = new Push(store.encode(part));
        waiting.add(push);
        bytes += push.body().length;
      }
    }
    while (bytes > mostBytes) {
      bytes -= waiting.remove().body().length;
      if (dropped++ == 0) {
        console.warning(
            "profiles for "
                + store.endpoint()
                + " fill "
                + (mostBytes >> 20)
                + " MiB: the oldest are dropped");
      }
    }
  }

  /**
   * Sends what waits until one request fails.
   *
   * @param deadline as {@link System#nanoTime} has it
   * @return whether all was sent
   */
  boolean send(long deadline) throws InterruptedException {
    while (!waiting.isEmpty()) {
      Duration left = Duration.ofNanos(deadline - System.nanoTime());
      if (left.isNegative()) {
        return false;
      }
      Answer answer = sender.send(waiting.element().body(), left);
      if (answer instanceof Answer.Ended) {
        return false;
      }
      if (answer instanceof Answer.Failed failed) {
        fails(failed.reason());
        return false;
      }
      bytes -= waiting.remove().body().length;
      if (answer instanceof Answer.Refused refused) {
        refuses(refused.reason());
      } else if (fails) {
        fails = false;
        console.message("profiles are sent to " + store.endpoint() + " again");
      }
    }
    return true;
  }

  /** Returns the size of what waits. */
  long bytes() {
    return bytes;
  }

  private void fails(String reason) {
    if (!fails) {
      console.warning(
          "profiles cannot be sent to " + store.endpoint() + ": " + reason + "; they wait");
    }
    fails = true;
  }

  private void refuses(String reason) {
    dropped++;
    if (!refuses) {
      console.warning(store.endpoint() + " refuses a profile, which is dropped: " + reason);
    }
    refuses = true;
  }

  /** Reports what was not sent. */
  void end() {
    if (dropped + waiting.size() > 0) {
      console.warning(
          "profiles that were not sent to "
              + store.endpoint()
              + ": "
              + (dropped + waiting.size())
              + "; their stacks are missing there");
    }
  }
}
