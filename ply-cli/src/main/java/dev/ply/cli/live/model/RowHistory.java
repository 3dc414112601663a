package dev.ply.cli.live.model;

import dev.ply.table.Datum;
import dev.ply.table.Key;
import java.util.Optional;

/** A key of a map: its value as last read, and what it was in the last minute. Not thread-safe. */
public final class RowHistory {
  private final Key key;
  private final Minute minute = new Minute();
  private Datum value;
  private double weight;
  private double beforeReset;
  private double atSecond;
  private double rate;
  private boolean isChanged;
  private boolean isNew = true;
  private Optional<HeatHistory> heat = Optional.empty();
  private Optional<long[]> countsBeforeReset = Optional.empty();
  private long reading;

  /**
   * Creates a row.
   *
   * @param isFromZero whether the value has been added up since the last second
   */
  RowHistory(Key key, Datum value, boolean isFromZero) {
    this.key = key;
    this.value = value;
    this.atSecond = isFromZero ? 0 : value.weight().orElse(0);
  }

  /** Takes a value over, and returns whether this row is new. */
  void read(Datum now, long number) {
    double weighs = now.weight().orElse(0);
    isChanged = weighs != weight || (!isNumber(now) && !now.equals(value));
    value = now;
    weight = weighs;
    reading = number;
    if (weight < beforeReset) {
      beforeReset = 0;
      countsBeforeReset = Optional.empty();
    }
  }

  private static boolean isNumber(Datum value) {
    return value.weight().isPresent();
  }

  boolean isOf(long number) {
    return reading == number;
  }

  /** Ends a second, or several that were not read one by one. */
  void endSecond(double elapsed, int seconds, boolean isAdded) {
    double added = weight < atSecond ? weight : weight - atSecond;
    rate = added / elapsed;
    atSecond = weight;
    minute.add(isAdded ? rate : weight, seconds);
    isNew = false;
    heat.ifPresent(
        history -> BucketCounts.of(value).ifPresent(now -> history.add(now.counts(), seconds)));
  }

  /** Starts the heat map of this row, unless it has one: counts per bucket and second. */
  void keepHeat(boolean isBegun) {
    if (heat.isEmpty()) {
      HeatHistory history = new HeatHistory();
      if (isBegun && !isNew) {
        BucketCounts.of(value).ifPresent(counts -> history.begin(counts.counts()));
      }
      heat = Optional.of(history);
    }
  }

  void reset() {
    beforeReset = weight;
    countsBeforeReset = BucketCounts.of(value).map(BucketCounts::counts);
  }

  /** {@return the key} */
  public Key key() {
    return key;
  }

  /** {@return the value as last read} */
  public Datum value() {
    return value;
  }

  /** {@return a number, a number of values or a total, since the last reset} */
  public double total() {
    return weight - beforeReset;
  }

  /** {@return whether a reset has changed the total} */
  public boolean isReset() {
    return beforeReset != 0;
  }

  /** {@return what was added in a second, the last one that has ended} */
  public double rate() {
    return rate;
  }

  /** {@return what was added in each second; of values that do not add up, the values} */
  public Minute minute() {
    return minute;
  }

  /** {@return whether the last reading has changed it} */
  public boolean isChanged() {
    return isChanged;
  }

  /** {@return whether it has been here for less than a second} */
  public boolean isNew() {
    return isNew;
  }

  /** {@return what each second has added to the buckets, if that is kept} */
  public Optional<HeatHistory> heat() {
    return heat;
  }

  /** {@return the counts of a histogram since the last reset, or of the last minute} */
  public Optional<BucketCounts> counts(boolean ofMinute) {
    Optional<BucketCounts> all = BucketCounts.of(value);
    if (all.isEmpty()) {
      return all;
    }
    BucketCounts counts = all.get();
    if (ofMinute && heat.isPresent()) {
      return Optional.of(counts.with(heat.get().minute(counts.buckets().size())));
    }
    if (countsBeforeReset.isEmpty()) {
      return all;
    }
    long[] now = counts.counts();
    long[] before = countsBeforeReset.get();
    for (int i = 0; i < Math.min(now.length, before.length); i++) {
      now[i] = Math.max(0, now[i] - before[i]);
    }
    return Optional.of(counts.with(now));
  }
}
