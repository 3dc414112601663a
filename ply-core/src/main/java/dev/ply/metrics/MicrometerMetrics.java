package dev.ply.metrics;

import dev.ply.Session;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricType;
import dev.ply.metrics.model.MetricValue;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * A session's maps for a registry of Micrometer: {@code new
 * MicrometerMetrics(session).bindTo(registry)}. Thread-safe.
 *
 * <p>Maps are read when a registry reads a meter, at most once a second; a key that is new then has
 * its meters from the next time on. Distributions have a meter with their count and total, and a
 * counter {@code NAME.bucket} for each upper bound, the tag {@code le}.
 */
@SuppressWarnings("exports") // Programs that use it have the library.
public final class MicrometerMetrics implements MeterBinder {
  private static final long AGE = Duration.ofSeconds(1).toNanos();

  private final Supplier<List<MetricFamily>> families;

  /**
   * Creates the binder of a session.
   *
   * @param session that runs
   */
  public MicrometerMetrics(Session session) {
    this(new SessionMetrics(session, MetricOptions.DEFAULT));
  }

  /**
   * Creates a binder.
   *
   * @param families what to bind
   */
  public MicrometerMetrics(Supplier<List<MetricFamily>> families) {
    this.families = families;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Binding binding = new Binding(families, registry);
    Gauge.builder("ply.meters", binding, Binding::size)
        .description("Series of the maps of a trace.")
        .register(registry);
    binding.refresh();
  }

  /** A series: the name of its metric and its labels. */
  private record Id(String metric, Map<String, String> labels) {}

  /** The meters of a registry. */
  private static final class Binding {
    private final Supplier<List<MetricFamily>> families;
    private final MeterRegistry registry;
    private final Map<Id, MetricValue> values = new ConcurrentHashMap<>();
    private final Map<Id, List<Meter>> meters = new HashMap<>();
    private long read;

    Binding(Supplier<List<MetricFamily>> families, MeterRegistry registry) {
      this.families = families;
      this.registry = registry;
    }

    double size() {
      return fresh().size();
    }

    private Map<Id, MetricValue> fresh() {
      synchronized (this) {
        if (System.nanoTime() - read > AGE) {
          refresh();
        }
      }
      return values;
    }

    synchronized void refresh() {
      // Registering a meter can read it.
      read = System.nanoTime();
      Set<Id> seen = new HashSet<>();
      for (MetricFamily family : families.get()) {
        for (MetricPoint point : family.points()) {
          Id id = new Id(family.name(), point.labels());
          seen.add(id);
          values.put(id, point.value());
          meters.computeIfAbsent(id, unused -> register(family, id, point.value()));
        }
      }
      values.keySet().retainAll(seen);
      meters
          .entrySet()
          .removeIf(
              entry -> {
                boolean isGone = !seen.contains(entry.getKey());
                if (isGone) {
                  entry.getValue().forEach(registry::remove);
                }
                return isGone;
              });
      read = System.nanoTime();
    }

    private double value(Id id, ToDoubleFunction<MetricValue> part) {
      MetricValue value = fresh().get(id);
      return value == null ? Double.NaN : part.applyAsDouble(value);
    }

    private List<Meter> register(MetricFamily family, Id id, MetricValue value) {
      List<Tag> tags = new ArrayList<>();
      id.labels().forEach((name, text) -> tags.add(Tag.of(name, text)));
      if (value instanceof MetricValue.Distributed distributed) {
        return distribution(family, id, tags, distributed);
      } else if (value instanceof MetricValue.Summed) {
        return List.of(summary(family, id, tags));
      } else if (value instanceof MetricValue.Text text) {
        tags.add(Tag.of("value", text.text()));
        return List.of(
            Gauge.builder(family.name() + ".info", this, binding -> 1)
                .tags(tags)
                .description(family.help())
                .register(registry));
      }
      ToDoubleFunction<Binding> number = binding -> binding.value(id, MetricValue::number);
      if (family.type() == MetricType.COUNTER) {
        FunctionCounter.Builder<Binding> counter =
            FunctionCounter.builder(family.name(), this, number)
                .tags(tags)
                .description(family.help());
        family.unit().ifPresent(counter::baseUnit);
        return List.of(counter.register(registry));
      }
      Gauge.Builder<Binding> gauge =
          Gauge.builder(family.name(), this, number).tags(tags).description(family.help());
      family.unit().ifPresent(gauge::baseUnit);
      return List.of(gauge.register(registry));
    }

    private Meter summary(MetricFamily family, Id id, List<Tag> tags) {
      return Meter.builder(
              family.name(),
              Meter.Type.DISTRIBUTION_SUMMARY,
              List.of(
                  new Measurement(() -> value(id, MetricValue::number), Statistic.COUNT),
                  new Measurement(() -> value(id, Binding::total), Statistic.TOTAL)))
          .tags(tags)
          .description(family.help())
          .register(registry);
    }

    private static double total(MetricValue value) {
      return value instanceof MetricValue.Distributed distributed
          ? distributed.distribution().total() * distributed.unit()
          : value instanceof MetricValue.Summed summed ? summed.sum() : Double.NaN;
    }

    private List<Meter> distribution(
        MetricFamily family, Id id, List<Tag> tags, MetricValue.Distributed value) {
      List<Meter> all = new ArrayList<>();
      all.add(summary(family, id, tags));
      List<Long> bounds = value.distribution().upperBounds();
      for (int i = 0; i < bounds.size(); i++) {
        int index = i;
        double bound = value.unit() == 1 ? bounds.get(i) : bounds.get(i) / MetricValue.NANOS;
        all.add(
            FunctionCounter.builder(
                    family.name() + ".bucket",
                    this,
                    binding -> binding.value(id, one -> count(one, index)))
                .tags(tags)
                .tag("le", Double.toString(bound))
                .register(registry));
      }
      return all;
    }

    private static double count(MetricValue value, int index) {
      return value instanceof MetricValue.Distributed distributed
          ? distributed.distribution().cumulativeCounts().get(index)
          : Double.NaN;
    }
  }
}
