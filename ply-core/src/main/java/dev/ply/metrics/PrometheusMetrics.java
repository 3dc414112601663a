package dev.ply.metrics;

import dev.ply.Session;
import dev.ply.metrics.model.Distribution;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricValue;
import dev.ply.table.Bucket;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A session's maps for a registry of prometheus-metrics: {@code registry.register(new
 * PrometheusMetrics(session))}. Thread-safe.
 *
 * <p>Distributions of powers of two are both classic and native histograms, of schema 0. Classic
 * bounds are the largest whole number of a range, up to 2^40. Native buckets hold their upper
 * bound, ranges of {@code quantize} their lower one: a power of two itself is counted one bucket
 * too high. Of nanoseconds, 2^30 are taken for a second in native buckets, 7 % too many.
 */
@SuppressWarnings("exports") // Programs that use it have the library.
public final class PrometheusMetrics implements MultiCollector {
  /** The largest bound of classic histograms of powers of two: a tebi, or 18 minutes. */
  private static final long LARGEST = 1L << 40;

  /** The binary logarithm of the nanoseconds that native histograms take for a second. */
  private static final int SECOND = 30;

  private final Supplier<List<MetricFamily>> families;

  /**
   * Creates the collector of a session.
   *
   * @param session that runs
   */
  public PrometheusMetrics(Session session) {
    this(new SessionMetrics(session, MetricOptions.DEFAULT));
  }

  /**
   * Creates a collector.
   *
   * @param families what to collect, at each scrape
   */
  public PrometheusMetrics(Supplier<List<MetricFamily>> families) {
    this.families = families;
  }

  @Override
  public MetricSnapshots collect() {
    return snapshots(families.get());
  }

  /**
   * {@return metrics as the library has them}
   *
   * @param families with distinct names; of equal ones the first is taken
   */
  public static MetricSnapshots snapshots(List<MetricFamily> families) {
    Map<String, MetricSnapshot> snapshots = new LinkedHashMap<>();
    for (MetricFamily family : families) {
      snapshots.computeIfAbsent(family.name(), unused -> snapshot(family));
    }
    return new MetricSnapshots(snapshots.values());
  }

  private static MetricSnapshot snapshot(MetricFamily family) {
    MetricMetadata metadata =
        family.unit().isPresent()
            ? new MetricMetadata(family.name(), family.help(), new Unit(family.unit().get()))
            : new MetricMetadata(family.name(), family.help());
    return switch (family.type()) {
      case COUNTER -> new CounterSnapshot(metadata, points(family, PrometheusMetrics::counter));
      case GAUGE, UP_DOWN_COUNTER ->
          new GaugeSnapshot(metadata, points(family, PrometheusMetrics::gauge));
      case SUMMARY -> new SummarySnapshot(metadata, points(family, PrometheusMetrics::summary));
      case HISTOGRAM ->
          new HistogramSnapshot(metadata, points(family, PrometheusMetrics::histogram));
      case INFO -> new InfoSnapshot(metadata, points(family, PrometheusMetrics::info));
    };
  }

  private static <P> List<P> points(MetricFamily family, Function<MetricPoint, P> conversion) {
    List<P> points = new ArrayList<>(family.points().size());
    family.points().forEach(point -> points.add(conversion.apply(point)));
    return points;
  }

  private static Labels labels(MetricPoint point) {
    return Labels.of(List.copyOf(point.labels().keySet()), List.copyOf(point.labels().values()));
  }

  private static CounterSnapshot.CounterDataPointSnapshot counter(MetricPoint point) {
    return new CounterSnapshot.CounterDataPointSnapshot(
        point.value().number(), labels(point), null, point.start().toEpochMilli());
  }

  private static GaugeSnapshot.GaugeDataPointSnapshot gauge(MetricPoint point) {
    return new GaugeSnapshot.GaugeDataPointSnapshot(point.value().number(), labels(point), null);
  }

  private static InfoSnapshot.InfoDataPointSnapshot info(MetricPoint point) {
    Labels labels = labels(point);
    String text = point.value() instanceof MetricValue.Text value ? value.text() : "";
    return new InfoSnapshot.InfoDataPointSnapshot(
        text.isEmpty() ? labels : labels.add("value", text));
  }

  private static SummarySnapshot.SummaryDataPointSnapshot summary(MetricPoint point) {
    MetricValue.Summed value = (MetricValue.Summed) point.value();
    return new SummarySnapshot.SummaryDataPointSnapshot(
        value.count(),
        value.sum(),
        Quantiles.EMPTY,
        labels(point),
        Exemplars.EMPTY,
        point.start().toEpochMilli());
  }

  private static HistogramDataPointSnapshot histogram(MetricPoint point) {
    MetricValue.Distributed value = (MetricValue.Distributed) point.value();
    Distribution distribution = value.distribution();
    double sum = distribution.total() * value.unit();
    long start = point.start().toEpochMilli();
    ClassicHistogramBuckets classic = classic(value);
    if (!distribution.isExponential()) {
      return new HistogramDataPointSnapshot(classic, sum, labels(point), Exemplars.EMPTY, start);
    }
    boolean isTime = value.unit() != 1;
    long zeros = 0;
    NativeHistogramBuckets.Builder positive = NativeHistogramBuckets.builder();
    NativeHistogramBuckets.Builder negative = NativeHistogramBuckets.builder();
    for (Bucket bucket : distribution.buckets()) {
      if (bucket.low().isEmpty()) {
        // Only their number is known: as if all were -1.
        add(negative, 0, bucket.count());
      } else if (bucket.low().getAsLong() == 0) {
        zeros = bucket.count();
      } else {
        int exponent = Long.SIZE - Long.numberOfLeadingZeros(bucket.low().getAsLong());
        add(positive, isTime ? exponent - SECOND : exponent, bucket.count());
      }
    }
    return new HistogramDataPointSnapshot(
        classic,
        0,
        zeros,
        0,
        positive.build(),
        negative.build(),
        sum,
        labels(point),
        Exemplars.EMPTY,
        start);
  }

  private static void add(NativeHistogramBuckets.Builder buckets, int index, long count) {
    if (count > 0) {
      buckets.bucket(index, count);
    }
  }

  private static ClassicHistogramBuckets classic(MetricValue.Distributed value) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long above = 0;
    for (Bucket bucket : value.distribution().buckets()) {
      boolean isBounded =
          bucket.high().isPresent()
              && (!value.distribution().isExponential()
                  || Long.compareUnsigned(bucket.high().getAsLong(), LARGEST) <= 0);
      if (isBounded) {
        buckets.bucket(bound(bucket.high().getAsLong() - 1, value.unit()), bucket.count());
      } else {
        above += bucket.count();
      }
    }
    return buckets.bucket(Double.POSITIVE_INFINITY, above).build();
  }

  /** Divides: the product with 1e-9 is not the nearest number to the decimal fraction. */
  private static double bound(long whole, double unit) {
    return unit == 1 ? whole : whole / MetricValue.NANOS;
  }
}
