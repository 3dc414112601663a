package dev.ply.metrics;

import dev.ply.Session;
import dev.ply.metrics.model.Distribution;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricType;
import dev.ply.metrics.model.MetricValue;
import dev.ply.table.Bucket;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramBuckets;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramData;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramPointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.data.SummaryData;
import io.opentelemetry.sdk.metrics.data.SummaryPointData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A session's maps for OpenTelemetry's SDK: {@code
 * SdkMeterProvider.builder().registerMetricProducer(new OpenTelemetryMetrics(session))}.
 * Thread-safe.
 *
 * <p>Distributions of powers of two are exponential histograms of scale 0, whose buckets hold their
 * upper bound, where ranges of {@code quantize} hold their lower one: a power of two itself is
 * counted one bucket too high. Of nanoseconds, 2^30 are taken for a second, 7 % too many. Other
 * distributions have explicit bounds, which are exact. Sums are cumulative.
 */
@SuppressWarnings("exports") // Programs that use it have the library.
public final class OpenTelemetryMetrics implements MetricProducer {
  private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("dev.ply");
  private static final String OVERFLOW = "otel.metric.overflow";

  /** The binary logarithm of the nanoseconds that exponential histograms take for a second. */
  private static final int SECOND = 30;

  private static final long NANOS = 1_000_000_000;

  private final Supplier<List<MetricFamily>> families;

  /**
   * Creates the producer of a session.
   *
   * @param session that runs
   */
  public OpenTelemetryMetrics(Session session) {
    this(new SessionMetrics(session, MetricOptions.DEFAULT));
  }

  /**
   * Creates a producer.
   *
   * @param families what to produce, at each collection
   */
  public OpenTelemetryMetrics(Supplier<List<MetricFamily>> families) {
    this.families = families;
  }

  @Override
  public Collection<MetricData> produce(Resource resource) {
    long now = nanos(Instant.now());
    List<MetricData> all = new ArrayList<>();
    for (MetricFamily family : families.get()) {
      Content content = content(family, now);
      all.add(
          new Metric(
              resource,
              family.type() == MetricType.INFO ? family.name() + "_info" : family.name(),
              family.help(),
              unit(family),
              content.type(),
              content.data()));
    }
    return all;
  }

  private record Content(MetricDataType type, Data<?> data) {}

  /** A metric as the SDK has it. */
  private record Metric(
      Resource resource,
      String name,
      String description,
      String unit,
      MetricDataType type,
      Data<?> data)
      implements MetricData {
    @Override
    public Resource getResource() {
      return resource;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
      return SCOPE;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public String getDescription() {
      return description;
    }

    @Override
    public String getUnit() {
      return unit;
    }

    @Override
    public MetricDataType getType() {
      return type;
    }

    @Override
    public Data<?> getData() {
      return data;
    }
  }

  private static String unit(MetricFamily family) {
    return switch (family.unit().orElse("")) {
      case "seconds" -> "s";
      case "bytes" -> "By";
      case "pages" -> "{page}";
      default -> "";
    };
  }

  private static Content content(MetricFamily family, long now) {
    return switch (family.type()) {
      case COUNTER -> sum(family, true, now);
      case UP_DOWN_COUNTER -> sum(family, false, now);
      case GAUGE ->
          areWhole(family)
              ? new Content(
                  MetricDataType.LONG_GAUGE, GaugeData.createLongGaugeData(longs(family, now)))
              : new Content(
                  MetricDataType.DOUBLE_GAUGE,
                  GaugeData.createDoubleGaugeData(doubles(family, now)));
      case INFO ->
          new Content(MetricDataType.LONG_GAUGE, GaugeData.createLongGaugeData(texts(family, now)));
      case SUMMARY ->
          new Content(MetricDataType.SUMMARY, SummaryData.create(summaries(family, now)));
      case HISTOGRAM -> histogram(family, now);
    };
  }

  private static Content sum(MetricFamily family, boolean isMonotonic, long now) {
    return areWhole(family)
        ? new Content(
            MetricDataType.LONG_SUM,
            SumData.createLongSumData(
                isMonotonic, AggregationTemporality.CUMULATIVE, longs(family, now)))
        : new Content(
            MetricDataType.DOUBLE_SUM,
            SumData.createDoubleSumData(
                isMonotonic, AggregationTemporality.CUMULATIVE, doubles(family, now)));
  }

  private static boolean areWhole(MetricFamily family) {
    return family.points().stream().allMatch(one -> one.value() instanceof MetricValue.Whole);
  }

  private static List<LongPointData> longs(MetricFamily family, long now) {
    List<LongPointData> points = new ArrayList<>();
    for (MetricPoint point : family.points()) {
      long value = point.value() instanceof MetricValue.Whole whole ? whole.value() : 0;
      points.add(LongPointData.create(nanos(point.start()), now, attributes(point), value));
    }
    return points;
  }

  private static List<LongPointData> texts(MetricFamily family, long now) {
    List<LongPointData> points = new ArrayList<>();
    for (MetricPoint point : family.points()) {
      Attributes attributes = attributes(point);
      boolean hasText = point.value() instanceof MetricValue.Text text && !text.text().isEmpty();
      points.add(
          LongPointData.create(
              nanos(point.start()),
              now,
              hasText
                  ? attributes.toBuilder()
                      .put("value", ((MetricValue.Text) point.value()).text())
                      .build()
                  : attributes,
              1));
    }
    return points;
  }

  private static List<DoublePointData> doubles(MetricFamily family, long now) {
    List<DoublePointData> points = new ArrayList<>();
    for (MetricPoint point : family.points()) {
      points.add(
          DoublePointData.create(
              nanos(point.start()), now, attributes(point), point.value().number(), List.of()));
    }
    return points;
  }

  private static List<SummaryPointData> summaries(MetricFamily family, long now) {
    List<SummaryPointData> points = new ArrayList<>();
    for (MetricPoint point : family.points()) {
      MetricValue.Summed value = (MetricValue.Summed) point.value();
      points.add(
          SummaryPointData.create(
              nanos(point.start()), now, attributes(point), value.count(), value.sum(), List.of()));
    }
    return points;
  }

  private static Content histogram(MetricFamily family, long now) {
    List<ExponentialHistogramPointData> exponential = new ArrayList<>();
    List<HistogramPointData> explicit = new ArrayList<>();
    for (MetricPoint point : family.points()) {
      MetricValue.Distributed value = (MetricValue.Distributed) point.value();
      if (value.distribution().isExponential()) {
        exponential.add(exponential(point, value, now));
      } else {
        explicit.add(explicit(point, value, now));
      }
    }
    return explicit.isEmpty()
        ? new Content(
            MetricDataType.EXPONENTIAL_HISTOGRAM,
            ExponentialHistogramData.create(AggregationTemporality.CUMULATIVE, exponential))
        : new Content(
            MetricDataType.HISTOGRAM,
            HistogramData.create(AggregationTemporality.CUMULATIVE, explicit));
  }

  private static HistogramPointData explicit(
      MetricPoint point, MetricValue.Distributed value, long now) {
    Distribution distribution = value.distribution();
    List<Double> bounds = new ArrayList<>();
    for (long bound : distribution.upperBounds()) {
      bounds.add(value.unit() == 1 ? (double) bound : bound / MetricValue.NANOS);
    }
    List<Long> counts = new ArrayList<>();
    long before = 0;
    for (long count : distribution.cumulativeCounts()) {
      counts.add(count - before);
      before = count;
    }
    return HistogramPointData.create(
        nanos(point.start()),
        now,
        attributes(point),
        distribution.total() * value.unit(),
        false,
        0,
        false,
        0,
        bounds,
        counts);
  }

  private static ExponentialHistogramPointData exponential(
      MetricPoint point, MetricValue.Distributed value, long now) {
    long zeros = 0;
    long negative = 0;
    int offset = 0;
    List<Long> positive = new ArrayList<>();
    for (Bucket bucket : value.distribution().buckets()) {
      if (bucket.low().isEmpty()) {
        negative = bucket.count();
      } else if (bucket.low().getAsLong() == 0) {
        zeros = bucket.count();
      } else if (positive.isEmpty() && bucket.count() == 0) {
        offset++;
      } else {
        positive.add(bucket.count());
      }
    }
    while (!positive.isEmpty() && positive.get(positive.size() - 1) == 0) {
      positive.remove(positive.size() - 1);
    }
    boolean isTime = value.unit() != 1;
    return ExponentialHistogramPointData.create(
        0,
        value.distribution().total() * value.unit(),
        zeros,
        false,
        0,
        false,
        0,
        ExponentialHistogramBuckets.create(
            0, positive.isEmpty() ? 0 : isTime ? offset - SECOND : offset, positive),
        // Only their number is known: as if all were -1.
        ExponentialHistogramBuckets.create(0, -1, negative == 0 ? List.of() : List.of(negative)),
        nanos(point.start()),
        now,
        attributes(point),
        List.of());
  }

  private static Attributes attributes(MetricPoint point) {
    AttributesBuilder attributes = Attributes.builder();
    for (Map.Entry<String, String> label : point.labels().entrySet()) {
      if (label.getKey().equals(MetricPoint.OVERFLOW)) {
        attributes.put(OVERFLOW, true);
      } else {
        attributes.put(label.getKey(), label.getValue());
      }
    }
    return attributes.build();
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * NANOS + time.getNano();
  }
}
