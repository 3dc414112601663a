package dev.ply.json;

import dev.ply.table.TimeSeries;
import dev.ply.target.WallClock;
import dev.ply.text.TextBuffer;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes a time series as an array of the intervals that have a value, with their start in UTC:
 * {@code {"interval_start":"2026-01-31 10:41:46.700000000","value":9}}.
 */
final class JsonSeries {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSSSS", Locale.ROOT);

  private JsonSeries() {}

  /** Writes the array. */
  static void append(TextBuffer out, TimeSeries series, WallClock clock) {
    out.append('[');
    int start = out.length();
    for (TimeSeries.Point point : series.points()) {
      String time =
          TIME.format(clock.atBootTime(point.start()).withZoneSameInstant(ZoneOffset.UTC));
      out.append(out.length() > start ? ",{\"interval_start\":\"" : "{\"interval_start\":\"");
      out.append(time).append("\",\"value\":");
      if (series.valueType().isSigned()) {
        out.append(point.value());
      } else {
        out.appendUnsigned(point.value());
      }
      out.append('}');
    }
    out.append(']');
  }
}
