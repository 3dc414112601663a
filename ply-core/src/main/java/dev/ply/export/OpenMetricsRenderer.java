package dev.ply.export;

import dev.ply.metrics.model.LabelText;
import dev.ply.metrics.model.MetricNames;
import dev.ply.metrics.model.MetricType;
import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventValues;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Bucket;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.TableSchema;
import dev.ply.table.TimeSeries;
import dev.ply.table.ValueFormat;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The text format of OpenMetrics, which Prometheus reads: a metric for each of the final maps, with
 * a sample for each row. Parts of keys are labels. Nanoseconds are written as seconds.
 */
public final class OpenMetricsRenderer implements Renderer {
  private static final int NANO_DIGITS = 9;

  private final Target target;

  /**
   * Creates a renderer.
   *
   * @param target that the results come from
   */
  public OpenMetricsRenderer(Target target) {
    this.target = target;
  }

  @Override
  public ValueFormat conversions() {
    return new DatumFormat(target).raw();
  }

  @Override
  public EventRenderer prepare(EventShape shape, EventValues values) {
    return EventRenderer.NONE;
  }

  @Override
  public boolean shows(Result result) {
    return result instanceof Result.Snapshot snapshot
        && snapshot.occasion() == Result.Occasion.FINAL
        && !snapshot.maps().isEmpty();
  }

  @Override
  public boolean render(TextBuffer out, Result result) {
    if (!shows(result) || !(result instanceof Result.Snapshot snapshot)) {
      return false;
    }
    Set<String> names = new HashSet<>();
    for (NamedTable map : snapshot.maps()) {
      if (!map.table().isEmpty()) {
        new Metric(out, map, names).append();
      }
    }
    out.append("# EOF\n");
    return true;
  }

  /** A metric that is written. */
  private final class Metric {
    private final TextBuffer out;
    private final NamedTable map;
    private final MetricType type;
    private final LabelText texts;
    private final String name;
    private final boolean isTime;
    private final List<String> labels;

    /** How often the labels of a row have been written: symbols of two addresses can be equal. */
    private final Map<String, Integer> written = new HashMap<>();

    Metric(TextBuffer out, NamedTable map, Set<String> names) {
      this.out = out;
      this.map = map;
      this.type = MetricType.of(map).orElseThrow();
      this.texts = new LabelText(map.table().target().or(() -> Optional.of(target)));
      TableSchema schema = map.schema();
      boolean measures = type != MetricType.INFO;
      this.isTime = measures && schema.unit() == TableSchema.Unit.NANOSECONDS;
      Optional<String> unit = measures ? MetricNames.unit(schema.unit()) : Optional.empty();
      String base = MetricNames.base(Optional.empty(), schema.map());
      String suffix = unit.map(one -> "_" + one).orElse("");
      String chosen = base + suffix;
      for (int i = 2; !names.add(chosen); i++) {
        chosen = base + "_" + i + suffix;
      }
      this.name = chosen;
      this.labels = MetricNames.labels(schema.keys());
      line("TYPE", type.word());
      unit.ifPresent(one -> line("UNIT", one));
      line("HELP", quoted(LabelText.escaped(MetricNames.help(schema))));
    }

    private void line(String word, String text) {
      out.append("# ").append(word).append(' ').append(name).append(' ');
      out.append(text).append('\n');
    }

    void append() {
      for (Row<Datum> row : map.table()) {
        append(row);
        out.spill();
      }
    }

    private void append(Row<Datum> row) {
      String key = labels(row);
      Datum value = row.value();
      switch (type) {
        case COUNTER -> sample("_total", key, number(((Datum.Int) value)));
        case GAUGE, UP_DOWN_COUNTER -> sample("", key, gauge(value));
        case INFO -> sample("_info", key(key, "value", texts.of(value)), "1");
        case SUMMARY -> {
          Datum.Stats stats = (Datum.Stats) value;
          sample("_count", key, Long.toUnsignedString(stats.statistics().count()));
          sample(
              "_sum",
              key,
              number(stats.statistics().total(), stats.statistics().valueType().isSigned()));
        }
        case HISTOGRAM -> histogram(key, value);
      }
    }

    private void histogram(String key, Datum value) {
      List<Bucket> buckets =
          value instanceof Datum.Distribution powers
              ? powers.histogram().buckets()
              : ((Datum.Buckets) value).histogram().buckets();
      long count = 0;
      for (Bucket bucket : buckets) {
        count += bucket.count();
        // Bounds of OpenMetrics are inclusive; values are integers.
        if (bucket.high().isPresent()) {
          String bound = number(bucket.high().getAsLong() - 1, true);
          sample("_bucket", key(key, "le", bound), Long.toString(count));
        }
      }
      sample("_bucket", key(key, "le", "+Inf"), Long.toString(count));
    }

    private String gauge(Datum value) {
      if (value instanceof Datum.Int number) {
        return number(number);
      } else if (value instanceof Datum.Real real) {
        return real.text()
            .replace("nan", "NaN")
            .replace("-inf", "-Inf")
            .replace("inf", "+Inf")
            .replace("-+", "-");
      } else if (value instanceof Datum.Series series) {
        List<TimeSeries.Point> points = series.series().points();
        return points.isEmpty() ? "NaN" : number(points.get(points.size() - 1).value(), true);
      }
      return Long.toUnsignedString(((Datum.Address) value).value());
    }

    private String number(Datum.Int number) {
      return number(number.value(), number.type().isSigned());
    }

    private String number(long value, boolean isSigned) {
      String digits = isSigned ? Long.toString(value) : Long.toUnsignedString(value);
      return isTime
          ? new BigDecimal(digits).movePointLeft(NANO_DIGITS).stripTrailingZeros().toPlainString()
          : digits;
    }

    private void sample(String suffix, String key, String value) {
      out.append(name).append(suffix);
      if (!key.isEmpty()) {
        out.append('{').append(key).append('}');
      }
      out.append(' ').append(value).append('\n');
    }

    private String labels(Row<Datum> row) {
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < labels.size(); i++) {
        Datum part = row.key().parts().get(i);
        all.append(i > 0 ? "," : "").append(label(labels.get(i), texts.of(part)));
      }
      String key = all.toString();
      int before = written.merge(key, 1, Integer::sum);
      return before == 1 ? key : key(key, "row", String.valueOf(before));
    }

    private String key(String key, String label, String text) {
      return (key.isEmpty() ? "" : key + ",") + label(label, text);
    }

    private static String label(String name, String text) {
      return name + "=\"" + quoted(LabelText.escaped(text)) + "\"";
    }

    /** Escapes the quotes and backslashes of this format. */
    private static String quoted(String text) {
      return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
  }
}
