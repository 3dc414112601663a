package dev.ply.metrics.model;

import dev.ply.table.Datum;
import dev.ply.table.Statistics;
import dev.ply.table.TimeSeries;
import java.util.List;
import java.util.Optional;

/** The value of a series. */
public sealed interface MetricValue {
  /** Nanoseconds of a second. */
  double NANOS = 1e9;

  /**
   * A whole number.
   *
   * @param value in 64 bits, signed
   */
  record Whole(long value) implements MetricValue {}

  /**
   * Any other number: seconds, numbers beyond 2^63, and the like.
   *
   * @param value also infinite or no number
   */
  record Real(double value) implements MetricValue {}

  /**
   * A distribution.
   *
   * @param distribution of values in {@code unit}s
   * @param unit of a value in the base unit: 1e-9 for nanoseconds
   */
  record Distributed(Distribution distribution, double unit) implements MetricValue {}

  /**
   * A count and a sum.
   *
   * @param count the number of values
   * @param sum of them, in the base unit
   */
  record Summed(long count, double sum) implements MetricValue {}

  /**
   * A text.
   *
   * @param text valid UTF-8, bounded
   */
  record Text(String text) implements MetricValue {}

  /**
   * {@return a value in the base unit; empty where there is none, as in a series without points}
   *
   * @param value of a map
   * @param isTime whether it is in nanoseconds
   * @param text of values that are none of the numbers
   */
  static Optional<MetricValue> of(Datum value, boolean isTime, LabelText text) {
    if (value instanceof Datum.Distribution || value instanceof Datum.Buckets) {
      return Distribution.of(value).map(one -> new Distributed(one, isTime ? 1 / NANOS : 1));
    } else if (value instanceof Datum.Stats stats) {
      Statistics statistics = stats.statistics();
      return Optional.of(
          new Summed(
              statistics.count(),
              real(statistics.total(), statistics.valueType().isSigned(), isTime)));
    } else if (value instanceof Datum.Int number && !number.type().isStack()) {
      return Optional.of(number(number.value(), number.type().isSigned(), isTime));
    } else if (value instanceof Datum.Real real) {
      return Optional.of(new Real(isTime ? real.value() / NANOS : real.value()));
    } else if (value instanceof Datum.Series series) {
      List<TimeSeries.Point> points = series.series().points();
      return points.isEmpty()
          ? Optional.empty()
          : Optional.of(number(points.get(points.size() - 1).value(), true, isTime));
    } else if (value instanceof Datum.Address address) {
      return Optional.of(number(address.value(), false, false));
    }
    return Optional.of(new Text(LabelText.bounded(text.of(value))));
  }

  private static MetricValue number(long value, boolean isSigned, boolean isTime) {
    return isTime || (!isSigned && value < 0)
        ? new Real(real(value, isSigned, isTime))
        : new Whole(value);
  }

  private static double real(long value, boolean isSigned, boolean isTime) {
    double real = isSigned || value >= 0 ? value : (value >>> 1) * 2.0 + (value & 1);
    return isTime ? real / NANOS : real;
  }

  /**
   * {@return this value and another of the same series together: numbers added, of gauges the
   * larger, of texts this}
   *
   * @param other of the same kind
   * @param type of their metric
   */
  default MetricValue plus(MetricValue other, MetricType type) {
    if (this instanceof Distributed mine && other instanceof Distributed theirs) {
      return new Distributed(mine.distribution().plus(theirs.distribution()), mine.unit());
    } else if (this instanceof Summed mine && other instanceof Summed theirs) {
      return new Summed(mine.count() + theirs.count(), mine.sum() + theirs.sum());
    } else if (this instanceof Text) {
      return this;
    } else if (!type.adds()) {
      return number() < other.number() ? other : this;
    }
    return this instanceof Whole mine && other instanceof Whole theirs
        ? sum(mine.value(), theirs.value())
        : new Real(number() + other.number());
  }

  private static MetricValue sum(long a, long b) {
    long sum = a + b;
    boolean overflows = ((a ^ sum) & (b ^ sum)) < 0;
    return overflows ? new Real((double) a + b) : new Whole(sum);
  }

  /** {@return the value as a number; the count of what is counted, not a number of a text} */
  default double number() {
    if (this instanceof Whole whole) {
      return whole.value();
    } else if (this instanceof Real real) {
      return real.value();
    } else if (this instanceof Summed summed) {
      return summed.count();
    }
    return this instanceof Distributed distributed
        ? distributed.distribution().count()
        : Double.NaN;
  }
}
