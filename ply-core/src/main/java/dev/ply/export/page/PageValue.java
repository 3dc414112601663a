package dev.ply.export.page;

import dev.ply.table.Bucket;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a page has of a value.
 *
 * @param number that the value is or has in total; empty of one that is no number
 * @param count how many values are in it; empty if it does not tell
 * @param text how it reads, empty if that is the number
 * @param buckets of a distribution: how many values are in each range, by its low end
 */
record PageValue(OptionalLong number, OptionalLong count, String text, Map<Long, Bucket> buckets) {
  /** Returns what a page has of a datum. */
  static PageValue of(Datum value, DatumFormat format) {
    if (value instanceof Datum.Distribution powers) {
      return of(powers.shown().buckets());
    } else if (value instanceof Datum.Buckets ranges) {
      return of(ranges.histogram().withoutEmptyEnds());
    } else if (value instanceof Datum.Stats stats) {
      return new PageValue(
          OptionalLong.of(stats.statistics().total()),
          OptionalLong.of(stats.statistics().count()),
          "",
          Map.of());
    }
    String text = format.format(value).strip();
    OptionalLong number = value.weight();
    boolean isNumber = number.isPresent() && text.equals(Long.toString(number.getAsLong()));
    return new PageValue(number, OptionalLong.empty(), isNumber ? "" : text, Map.of());
  }

  private static PageValue of(List<Bucket> buckets) {
    Map<Long, Bucket> byLow = new TreeMap<>();
    buckets.forEach(bucket -> byLow.put(bucket.low().orElse(Long.MIN_VALUE), bucket));
    return new PageValue(OptionalLong.empty(), OptionalLong.empty(), "", byLow);
  }

  /** Returns whether there is nothing but a number. */
  boolean isPlainNumber() {
    return number.isPresent() && count.isEmpty() && text.isEmpty() && buckets.isEmpty();
  }

  /** Returns this value with what was added later. */
  PageValue plus(PageValue later) {
    Map<Long, Bucket> all = new TreeMap<>(buckets);
    later.buckets.forEach(
        (low, bucket) ->
            all.merge(low, bucket, (a, b) -> new Bucket(a.low(), a.high(), a.count() + b.count())));
    return new PageValue(sum(number, later.number), sum(count, later.count), "", all);
  }

  private static OptionalLong sum(OptionalLong a, OptionalLong b) {
    return a.isEmpty() && b.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(a.orElse(0) + b.orElse(0));
  }
}
