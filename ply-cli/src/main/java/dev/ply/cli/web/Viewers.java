package dev.ply.cli.web;

import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** All that look at a page, and what they have in common. Thread-safe. */
final class Viewers {
  private static final int MOST = 64;

  /** One whose connection takes nothing for so long is gone. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Backlog backlog = new Backlog();
  private final Map<Viewer, Thread> viewers = new ConcurrentHashMap<>();
  private List<String> notes = List.of();

  /** Returns whether there is no room for another. */
  boolean areMost() {
    return viewers.size() >= MOST;
  }

  /** Adds a viewer that the calling thread serves. */
  synchronized Viewer join(OutputStream stream) {
    Viewer viewer = new Viewer(stream, tooOld());
    viewer.note(notes);
    viewer.add(backlog.blocks());
    viewers.put(viewer, Thread.currentThread());
    notifyAll();
    return viewer;
  }

  private List<String> tooOld() {
    return backlog.left() == 0
        ? List.of()
        : List.of(backlog.left() + " events are older than what a page gets that is opened now");
  }

  /** Removes a viewer. */
  synchronized void leave(Viewer viewer) {
    viewers.remove(viewer);
    notifyAll();
  }

  /** Returns whether anybody looks. */
  boolean areAny() {
    return !viewers.isEmpty();
  }

  /** Adds blocks for all, and for those that come later. */
  synchronized void add(List<Block> blocks) {
    blocks.forEach(backlog::add);
    viewers.keySet().forEach(viewer -> viewer.add(blocks));
  }

  /** Sets what every page lacks, in sentences. */
  synchronized void note(List<String> sentences) {
    notes = List.copyOf(sentences);
    viewers.keySet().forEach(viewer -> viewer.note(notes));
  }

  /** Closes the connections of viewers that take nothing. */
  void closeBlocked() {
    long now = System.nanoTime();
    viewers.forEach(
        (viewer, thread) -> {
          if (viewer.isBlockedFor(PATIENCE, now)) {
            // Closes the channel that it writes to.
            thread.interrupt();
          }
        });
  }

  /** Waits a limited time until all have what there is up to the end. */
  synchronized void await(Duration most) throws InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    long left = TimeUnit.NANOSECONDS.toMillis(most.toNanos());
    while (!viewers.isEmpty() && left > 0) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    }
  }
}
