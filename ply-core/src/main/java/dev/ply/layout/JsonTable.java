package dev.ply.layout;

import dev.ply.json.JsonValues;
import dev.ply.render.BpftraceValues;
import dev.ply.table.BucketHistogram;
import dev.ply.table.Datum;
import dev.ply.table.Histogram;
import dev.ply.table.Row;
import dev.ply.table.Statistics;
import dev.ply.table.Table;
import dev.ply.table.TimeSeries;
import dev.ply.target.Target;
import dev.ply.text.Escaping;
import dev.ply.text.JsonString;
import dev.ply.text.TextBuffer;
import java.util.List;
import java.util.Optional;

/** Tables as JSON. */
public final class JsonTable {
  private final JsonValues values;

  private JsonTable(Optional<Target> target) {
    this.values =
        new JsonValues(
            target
                .map(origin -> new BpftraceValues(origin, Escaping.NONE))
                .orElseGet(() -> BpftraceValues.plain(Escaping.NONE)));
  }

  /**
   * {@return a table as a JSON array of objects with {@code key}, an array, and {@code value}}
   * Numbers are numbers, strings and symbols strings, histograms arrays of buckets. Bytes that are
   * not UTF-8 are written {@code \\xff}.
   *
   * @param table with any values; symbols and times are those of its target
   */
  public static String of(Table<?> table) {
    return new JsonTable(table.target()).format(table);
  }

  private String format(Table<?> table) {
    TextBuffer out = new TextBuffer();
    out.append('[');
    List<? extends Row<?>> rows = table.rows();
    for (int i = 0; i < rows.size(); i++) {
      out.append(i > 0 ? ", {\"key\": [" : "{\"key\": [");
      List<Datum> parts = rows.get(i).key().parts();
      for (int part = 0; part < parts.size(); part++) {
        out.append(part > 0 ? ", " : "");
        values.append(out, parts.get(part));
      }
      out.append("], \"value\": ");
      append(out, rows.get(i).value());
      out.append('}');
    }
    return out.append(']').toString();
  }

  private void append(TextBuffer out, Object value) {
    if (value instanceof Datum datum) {
      values.append(out, datum);
    } else if (value instanceof Long || value instanceof Integer) {
      out.append(((Number) value).longValue());
    } else if (value instanceof Histogram histogram) {
      values.append(out, new Datum.Distribution(histogram));
    } else if (value instanceof BucketHistogram histogram) {
      values.append(out, new Datum.Buckets(histogram));
    } else if (value instanceof TimeSeries series) {
      values.append(out, new Datum.Series(series));
    } else if (value instanceof Statistics statistics) {
      values.append(out, new Datum.Stats(statistics));
    } else {
      JsonString.append(out, String.valueOf(value));
    }
  }
}
