package dev.ply.result;

import dev.ply.target.Target;
import java.util.List;
import java.util.Optional;

/** Writes tables as JSON arrays, an object for each row. */
final class JsonTable {
  private final JsonValues values;

  /** Creates a writer of symbols and times as they are on a target. */
  JsonTable(Optional<Target> target) {
    this.values =
        new JsonValues(
            target
                .map(origin -> new BpftraceValues(origin, Escaping.NONE))
                .orElseGet(() -> BpftraceValues.plain(Escaping.NONE)));
  }

  /** Returns a table as JSON. */
  String format(Table<?> table) {
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
