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
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Text for Prometheus: a metric for each of the final maps, with a sample for each row. Parts of
 * keys are labels. Nanoseconds are written as seconds.
 */
public final class OpenMetricsRenderer implements Renderer {
  /** The two text formats, which differ in how metrics are described. */
  private enum Version {
    /** OpenMetrics 1.0. */
    OPENMETRICS,
    /** The older format, 0.0.4, which node_exporter and promtool read. */
    PROMETHEUS
  }

  private static final int NANO_DIGITS = 9;

  private final Target target;
  private final Version version;

  private OpenMetricsRenderer(Target target, Version version) {
    this.target = target;
    this.version = version;
  }

  /**
   * Creates a renderer of OpenMetrics.
   *
   * @param target that the results come from
   */
  public OpenMetricsRenderer(Target target) {
    this(target, Version.OPENMETRICS);
  }

  /**
   * {@return a renderer of Prometheus' older text format, 0.0.4}
   *
   * @param target that the results come from
   */
  public static OpenMetricsRenderer prometheus(Target target) {
    return new OpenMetricsRenderer(target, Version.PROMETHEUS);
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
    if (version == Version.OPENMETRICS) {
      out.append("# EOF\n");
    }
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
      String help = LabelText.escaped(MetricNames.help(schema));
      switch (version) {
        case OPENMETRICS -> {
          line("TYPE", name, type.word());
          unit.ifPresent(one -> line("UNIT", name, one));
          line("HELP", name, quoted(help));
        }
        case PROMETHEUS -> {
          // It describes samples, knows no texts, and has no escape for quotes outside of labels.
          String sample = name + suffix();
          line("HELP", sample, help.replace("\\", "\\\\"));
          line("TYPE", sample, type == MetricType.INFO ? MetricType.GAUGE.word() : type.word());
        }
      }
    }

    private String suffix() {
      return switch (type) {
        case COUNTER -> "_total";
        case INFO -> "_info";
        case UP_DOWN_COUNTER, GAUGE, SUMMARY, HISTOGRAM -> "";
      };
    }

    private void line(String word, String described, String text) {
      out.append("# ").append(word).append(' ').append(described).append(' ');
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
        case COUNTER -> sample(suffix(), key, number(((Datum.Int) value)));
        case GAUGE, UP_DOWN_COUNTER -> sample(suffix(), key, gauge(value));
        case INFO -> sample(suffix(), key(key, "value", texts.of(value)), "1");
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
          String bound = bound(number(bucket.high().getAsLong() - 1, true));
          sample("_bucket", key(key, "le", bound), Long.toString(count));
        }
      }
      sample("_bucket", key(key, "le", "+Inf"), Long.toString(count));
      if (version == Version.PROMETHEUS) {
        // OpenMetrics has it only with a sum, which is not known.
        sample("_count", key, Long.toString(count));
      }
    }

    /** Returns a bound as OpenMetrics has it: powers of ten can be written in one way alone. */
    private static String bound(String number) {
      BigDecimal bound = new BigDecimal(number).stripTrailingZeros();
      int power = -bound.scale();
      if (bound.unscaledValue().equals(BigInteger.ONE) && (power > 5 || power < -4)) {
        return String.format(Locale.ROOT, "1e%+03d", power);
      }
      return number.contains(".") ? number : number + ".0";
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
