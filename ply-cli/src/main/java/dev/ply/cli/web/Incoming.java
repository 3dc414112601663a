package dev.ply.cli.web;

import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Results on their way from the trace to its page: at most {@value #PER_SECOND} events a second,
 * and of a map that is printed the newest. Others are counted, which is all that they cost.
 * Thread-safe.
 */
final class Incoming implements Consumer<Result> {
  private static final int PER_SECOND = 2_000;
  private static final int AT_ONCE = 5_000;
  private static final int MOST_OTHERS = 1_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongSupplier nanoTime;
  private List<Result> waiting = new ArrayList<>();
  private final Map<String, NamedTable> printed = new LinkedHashMap<>();
  private Optional<Result.Snapshot> last = Optional.empty();
  private double room = AT_ONCE;
  private long since;
  private int others;
  private long left;

  /**
   * What came since the last time.
   *
   * @param results in order, without maps
   * @param printed the newest of each map that the script has printed
   * @param last the final maps
   * @param left how many events are left out
   */
  record Batch(
      List<Result> results, List<NamedTable> printed, Optional<Result.Snapshot> last, long left) {}

  Incoming(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.since = nanoTime.getAsLong();
  }

  @Override
  public synchronized void accept(Result result) {
    if (result instanceof Result.Snapshot snapshot) {
      if (snapshot.occasion() == Result.Occasion.PRINTED) {
        snapshot.maps().forEach(map -> printed.put(map.name(), map));
      } else if (snapshot.occasion() == Result.Occasion.FINAL) {
        last = Optional.of(snapshot);
      }
    } else if (isEvent(result)) {
      if (hasRoom()) {
        waiting.add(result);
      } else {
        left++;
      }
    } else if (others < MOST_OTHERS || result instanceof Result.End) {
      others++;
      waiting.add(result);
    } else {
      left++;
    }
  }

  /** Returns whether a result is an event or a line, which can come in floods. */
  static boolean isEvent(Result result) {
    return result instanceof Result.Event
        || result instanceof Result.Line
        || result instanceof Result.Content;
  }

  private boolean hasRoom() {
    if (room < 1) {
      long now = nanoTime.getAsLong();
      room = Math.min(AT_ONCE, room + (now - since) / NANOS_PER_SECOND * PER_SECOND);
      since = now;
    }
    boolean has = room >= 1;
    room -= has ? 1 : 0;
    return has;
  }

  /** Returns what came, and begins anew. */
  synchronized Batch take() {
    Batch batch = new Batch(waiting, List.copyOf(printed.values()), last, left);
    waiting = new ArrayList<>();
    printed.clear();
    last = Optional.empty();
    others = 0;
    left = 0;
    return batch;
  }
}
