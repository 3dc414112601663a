package dev.ply.table;

import dev.ply.binding.ComponentKind;
import dev.ply.binding.Decoded;
import dev.ply.type.Type.IntType;
import java.util.List;

/**
 * A value of each interval in which there were values, of the newest intervals. Intervals have one
 * length and begin at its multiples since boot.
 *
 * @param interval the length of an interval in ns
 * @param intervals the maximum number of intervals
 * @param latest the start of the newest interval of the map, in which another key may have had
 *     values; in ns since boot, suspended time included (CLOCK_BOOTTIME)
 * @param valueType the type of the values
 * @param points ascending by time
 */
@Decoded(ComponentKind.OTHER)
public record TimeSeries(
    long interval, int intervals, long latest, IntType valueType, List<Point> points) {
  /**
   * The value of an interval.
   *
   * @param start of the interval, in ns since boot, suspended time included (CLOCK_BOOTTIME)
   * @param value in 64 bits
   */
  public record Point(long start, long value) {}

  /** How the values of an interval are reduced to one. */
  public enum Reduction {
    /** The last one. */
    LAST("last"),
    /** The average, truncated toward zero. */
    AVG("avg"),
    /** The sum. */
    SUM("sum"),
    /** The smallest one. */
    MIN("min"),
    /** The largest one. */
    MAX("max");

    private final String word;

    Reduction(String word) {
      this.word = word;
    }

    /** {@return the name as scripts write it} {@link #LAST} is not written. */
    public String word() {
      return word;
    }
  }

  /** Keeps the points of the newest intervals. */
  public TimeSeries {
    long before = latest - intervals * interval;
    points = points.stream().filter(point -> point.start() > before).toList();
  }

  /**
   * {@return this series with the newest interval of the map that it is part of}
   *
   * @param start of that interval, in ns since boot
   */
  public TimeSeries until(long start) {
    return new TimeSeries(interval, intervals, start, valueType, points);
  }
}
