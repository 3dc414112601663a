package dev.ply.bpf.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.ply.Session;
import dev.ply.analysis.rewrite.HistogramSums;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.metrics.MetricOptions;
import dev.ply.metrics.SessionMetrics;
import dev.ply.metrics.model.Distribution;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricPoint;
import dev.ply.metrics.model.MetricValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What becomes of maps as series. */
class SessionMetricsTest {
  private static final Firing READ = Firing.kprobe("vfs_read");
  private static final Firing WRITE = Firing.kprobe("vfs_write");

  private Instant now = Instant.EPOCH;
  private final InstantSource clock = () -> now;

  private static MetricFamily family(SessionMetrics metrics, String name) {
    return metrics.get().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  private static Map<Map<String, String>, Double> numbers(SessionMetrics metrics, String name) {
    return family(metrics, name).points().stream()
        .collect(Collectors.toMap(MetricPoint::labels, point -> point.value().number()));
  }

  private SessionMetrics following(MetricOptions options, Session session) {
    SessionMetrics metrics = new SessionMetrics(options, clock);
    metrics.follow(session);
    return metrics;
  }

  @Test
  void countersGoOnAcrossClearsAndSessions() {
    String script = "kprobe:vfs_read { @n[comm] = count(); } kprobe:vfs_write { clear(@n); }";
    SessionMetrics metrics = new SessionMetrics(MetricOptions.DEFAULT, clock);
    Map<String, String> cat = Map.of("comm", "cat");
    for (int session = 1; session <= 2; session++) {
      try (SimulatedTracer tracer = SimulatedTracer.create();
          Session running = tracer.start(PlyScript.parse(script))) {
        // What happened before is a part of the map.
        tracer.fire(READ.comm("cat"));
        metrics.follow(running);
        tracer.fire(READ.comm("cat"));
        tracer.fire(WRITE);
        tracer.fire(READ.comm("cat"));
        assertThat(numbers(metrics, "ply_n")).containsEntry(cat, session * 4 - 1.0);
        tracer.fire(WRITE);
        assertThat(numbers(metrics, "ply_n")).containsEntry(cat, session * 4 - 1.0);
        tracer.fire(READ.comm("cat"));
        metrics.release();
      }
      assertThat(numbers(metrics, "ply_n")).containsEntry(cat, session * 4.0);
    }
  }

  /** For any sequence of updates and clears, collected at any time. */
  @Property(tries = 25)
  void countersAreMonotonicAndLoseNothing(
      @ForAll @Size(max = 30) List<@IntRange(max = 5) Integer> steps) {
    String script =
        "kprobe:vfs_read { @n[arg2] = count(); @size = quantize(arg2); }"
            + " kprobe:vfs_write { clear(@n); clear(@size); }";
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session running = tracer.start(HistogramSums.apply(PlyScript.parse(script)))) {
      SessionMetrics metrics = following(MetricOptions.DEFAULT, running);
      double before = 0;
      int reads = 0;
      long sum = 0;
      for (int step : steps) {
        if (step == 0) {
          tracer.fire(WRITE);
        } else if (step == 1) {
          double now = total(metrics, "ply_n");
          assertThat(now).isGreaterThanOrEqualTo(before).isEqualTo(reads);
          before = now;
        } else {
          tracer.fire(READ.arg(2, step));
          reads++;
          sum += step;
        }
      }
      assertThat(total(metrics, "ply_n")).isEqualTo(reads);
      assertThat(total(metrics, "ply_size")).isEqualTo(reads);
      if (reads > 0) {
        MetricValue.Distributed sizes =
            (MetricValue.Distributed) family(metrics, "ply_size").points().get(0).value();
        assertThat(sizes.distribution().total()).isEqualTo((double) sum);
      }
    }
  }

  private static double total(SessionMetrics metrics, String name) {
    return metrics.get().stream()
        .filter(one -> one.name().equals(name))
        .flatMap(one -> one.points().stream())
        .mapToDouble(point -> point.value().number())
        .sum();
  }

  @Test
  void threadsAreNoLabelsUnlessAskedFor() {
    String script =
        "kprobe:vfs_read { @n[pid, comm] = count(); @begun[tid] = nsecs; @at[pid, comm] = arg2; }";
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session running = tracer.start(PlyScript.parse(script))) {
      tracer.fire(READ.pid(1).comm("cat").arg(2, 7));
      tracer.fire(READ.pid(2).comm("cat").arg(2, 3));
      SessionMetrics usual = following(MetricOptions.DEFAULT, running);
      SessionMetrics threads = following(MetricOptions.DEFAULT.withThreadLabels(), running);
      Map<String, String> cat = Map.of("comm", "cat");
      assertThat(numbers(usual, "ply_n")).isEqualTo(Map.of(cat, 2.0));
      assertThat(numbers(usual, "ply_at")).isEqualTo(Map.of(cat, 7.0));
      assertThat(usual.get()).extracting(MetricFamily::name).doesNotContain("ply_begun_seconds");
      assertThat(threads.get()).extracting(MetricFamily::name).contains("ply_begun_seconds");
      assertThat(numbers(threads, "ply_n"))
          .isEqualTo(
              Map.of(
                  Map.of("pid", "1", "comm", "cat"), 1.0, Map.of("pid", "2", "comm", "cat"), 1.0));
    }
  }

  @Test
  void whatExceedsTheLimitIsInOneSeries() {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session running =
            tracer.start(PlyScript.parse("kprobe:vfs_read { @n[arg2] = count(); }"))) {
      SessionMetrics metrics = following(MetricOptions.DEFAULT.withMaxSeries(10), running);
      for (int i = 0; i < 100; i++) {
        tracer.fire(READ.arg(2, i));
      }
      Map<Map<String, String>, Double> numbers = numbers(metrics, "ply_n");
      assertThat(numbers).hasSize(11).containsEntry(Map.of(MetricPoint.OVERFLOW, "true"), 90.0);
      assertThat(numbers(metrics, "ply_dropped_series"))
          .isEqualTo(Map.of(Map.of("metric", "ply_n"), 90.0));
      tracer.fire(READ.arg(2, 5));
      assertThat(total(metrics, "ply_n")).isEqualTo(101);
    }
  }

  @Test
  void seriesThatDoNotChangeForLongAreDropped() {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session running =
            tracer.start(
                PlyScript.parse("kprobe:vfs_read { @n[comm] = count(); @all = count(); }"))) {
      SessionMetrics metrics = following(MetricOptions.DEFAULT, running);
      tracer.fire(READ.comm("cat"));
      assertThat(numbers(metrics, "ply_n")).hasSize(1);
      now = now.plus(Duration.ofMinutes(61));
      tracer.fire(READ.comm("dog"));
      assertThat(numbers(metrics, "ply_n")).isEqualTo(Map.of(Map.of("comm", "dog"), 1.0));
      now = now.plus(Duration.ofDays(1));
      tracer.fire(READ.comm("cat"));
      // A series that comes back counts anew.
      assertThat(numbers(metrics, "ply_n")).isEqualTo(Map.of(Map.of("comm", "cat"), 1.0));
      assertThat(numbers(metrics, "ply_all")).isEqualTo(Map.of(Map.of(), 3.0));
    }
  }

  @Test
  void namesHaveScriptAndUnit() {
    String script =
        "kprobe:vfs_read { @took[comm] = quantize(nsecs - nsecs); @took_seconds = sum(nsecs);"
            + " @last = arg2; @hidden = count(); }";
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session running = tracer.start(PlyScript.parse(script))) {
      tracer.fire(READ.comm("cat").arg(2, 9));
      SessionMetrics metrics =
          following(MetricOptions.DEFAULT.of("My-Script").hiding(Set.of("@hidden")), running);
      assertThat(metrics.get())
          .filteredOn(one -> one.name().startsWith("ply_my_script"))
          .extracting(MetricFamily::name, MetricFamily::unit)
          .containsExactly(
              tuple("ply_my_script_took_seconds", Optional.of("seconds")),
              tuple("ply_my_script_took_seconds_2_seconds", Optional.of("seconds")),
              tuple("ply_my_script_last", Optional.empty()));
    }
  }

  @Test
  void distributionsHavePercentilesAndAreMerged() {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session running =
            tracer.start(PlyScript.parse("kprobe:vfs_read { @n[comm] = quantize(arg2); }"))) {
      for (int i = 1; i <= 100; i++) {
        tracer.fire(READ.comm(i % 2 == 0 ? "cat" : "dog").arg(2, i));
      }
      Distribution both =
          running.table("@n").stream()
              .map(row -> Distribution.of(row.value()).orElseThrow())
              .reduce(Distribution::plus)
              .orElseThrow();
      assertThat(both.count()).isEqualTo(100);
      assertThat(both.percentile(50).contains(50)).isTrue();
      assertThat(both.duration(50)).isEqualTo(Duration.ofNanos(both.percentile(50).middle()));
      assertThat(both.sum().contains(5050)).isTrue();
      assertThat(both.hasExactSum()).isFalse();
      List<Long> counts = both.cumulativeCounts();
      assertThat(counts).isSorted().hasSize(both.upperBounds().size() + 1);
      assertThat(counts.get(both.upperBounds().indexOf(63L))).isEqualTo(63);
      assertThat(counts.get(counts.size() - 1)).isEqualTo(100);
    }
  }
}
