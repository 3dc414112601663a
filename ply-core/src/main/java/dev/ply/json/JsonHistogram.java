package dev.ply.json;

import dev.ply.render.PowerRange;
import dev.ply.table.Bucket;
import dev.ply.table.BucketHistogram;
import dev.ply.table.Datum;
import dev.ply.text.TextBuffer;

/**
 * Writes a distribution as an array of buckets, {@code {"min": 4, "max": 7, "count": 1}}, from the
 * first to the last that is not empty. Both limits are inclusive; negative values have no lower
 * one.
 */
final class JsonHistogram {
  private JsonHistogram() {}

  /** Writes the array; a divisor changes the counts only. */
  static void append(TextBuffer out, Datum.Distribution distribution) {
    out.append('[');
    int start = out.length();
    for (PowerRange range : PowerRange.shown(distribution.histogram())) {
      out.append(out.length() > start ? ", {" : "{");
      if (range.exponent() != PowerRange.NEGATIVE) {
        limit(out, "min", range.min(), false);
      }
      limit(out, "max", range.max(), range.exponent() == PowerRange.NEGATIVE);
      count(out, range.count() / distribution.divisor());
    }
    out.append(']');
  }

  /** Writes the array of a histogram of adjacent ranges. */
  static void append(TextBuffer out, BucketHistogram histogram) {
    out.append('[');
    int start = out.length();
    for (Bucket bucket : histogram.withoutEmptyEnds()) {
      out.append(out.length() > start ? ", {" : "{");
      bucket.low().ifPresent(low -> limit(out, "min", low, histogram.isSigned()));
      bucket.high().ifPresent(high -> limit(out, "max", high - 1, histogram.isSigned()));
      count(out, bucket.count());
    }
    out.append(']');
  }

  private static void limit(TextBuffer out, String name, long value, boolean isSigned) {
    out.append('"').append(name).append("\": ");
    if (isSigned) {
      out.append(value);
    } else {
      out.appendUnsigned(value);
    }
    out.append(", ");
  }

  private static void count(TextBuffer out, long count) {
    out.append("\"count\": ").appendUnsigned(count).append('}');
  }
}
