package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.TraceOptions;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hits that are left out, and what the others stand for. */
class SamplingTest {
  private static final int HITS = 20_000;
  private static final Percentage CLOSE = Percentage.withPercentage(5);

  private static SimulatedTracer tracer() {
    return SimulatedTracer.create(
        SimulatedTarget.create(), TraceOptions.DEFAULT.allowingSampling());
  }

  private static long number(Session session, String map) {
    return session.table(map).get().orElseThrow().weight().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 100})
  void countsSumsAndDistributionsAreEstimatesOfAllHits(int oneOf) {
    String script =
        "kprobe:f { @count = count(); @sum = sum(arg0); @average = avg(arg0);"
            + " @most = max(arg0); @powers = quantize(arg0); @lines = lhist(arg0, 0, 10, 1); }";
    try (SimulatedTracer tracer = tracer();
        Session session = tracer.start(PlyScript.parse(script))) {
      session.sample(oneOf);
      for (int i = 0; i < HITS; i++) {
        tracer.fire(Firing.kprobe("f").arg(0, i % 10).cpu(i % 4));
      }
      // The standard deviation is 0.6 / √(hits / N).
      double most = oneOf == 1 ? 0 : Math.max(5, 300 / Math.sqrt((double) HITS / oneOf));
      Percentage closer = Percentage.withPercentage(most);
      assertThat(number(session, "@count")).isCloseTo(HITS, closer);
      assertThat(number(session, "@sum")).isCloseTo(HITS / 10 * 45, closer);
      assertThat(number(session, "@most")).isEqualTo(9);
      assertThat(number(session, "@powers")).isEqualTo(number(session, "@count"));
      assertThat(number(session, "@lines")).isEqualTo(number(session, "@count"));
      assertThat(session.table("@average").get().orElseThrow())
          .isInstanceOfSatisfying(
              Datum.Int.class, average -> assertThat(average.value()).isBetween(3L, 5L));
    }
  }

  @Test
  void bothHalvesOfAPairAreSampledTogether() {
    String script =
        "kprobe:f { @start[tid] = nsecs; }"
            + " kretprobe:f / @start[tid] / { @ = count(); delete(@start[tid]); }";
    try (SimulatedTracer tracer = tracer();
        Session session = tracer.start(PlyScript.parse(script))) {
      session.sample(10);
      for (int i = 0; i < HITS; i++) {
        tracer.fire(Firing.kprobe("f").tid(i % 3));
        tracer.fire(Firing.kretprobe("f").tid(i % 3));
      }
      assertThat(number(session, "@")).isCloseTo(HITS, CLOSE);
      assertThat(session.table("@start").size()).isZero();
    }
  }

  @Test
  void theRateChangesWhileTheTraceRuns() {
    try (SimulatedTracer tracer = tracer();
        Session session = tracer.start(PlyScript.parse("kprobe:f { @ = count(); }"))) {
      for (int oneOf : List.of(1, 50, 2, 1)) {
        session.sample(oneOf);
        for (int i = 0; i < HITS / 4; i++) {
          tracer.fire(Firing.kprobe("f"));
        }
      }
      assertThat(number(session, "@")).isCloseTo(HITS, CLOSE);
    }
  }

  @Test
  void timersAndTheBeginningAreComplete() {
    String script = "BEGIN { @b = count(); } kprobe:f { @ = count(); } END { @e = count(); }";
    try (SimulatedTracer tracer = tracer();
        Session session = tracer.start(PlyScript.parse(script))) {
      session.sample(1000);
      session.stop();
      assertThat(number(session, "@b")).isOne();
      assertThat(number(session, "@e")).isOne();
    }
  }

  @Test
  void listenersAreToldOnceOfEachChange() {
    List<Result> results = new ArrayList<>();
    try (SimulatedTracer tracer = tracer();
        Session session =
            tracer
                .prepare(PlyScript.parse("kprobe:f { @ = count(); }"))
                .listen(results::add)
                .start()) {
      session.sample(1);
      session.sample(4);
      session.sample(4);
      session.sample(1);
    }
    assertThat(results)
        .filteredOn(Result.Sampled.class::isInstance)
        .containsExactly(new Result.Sampled(4), new Result.Sampled(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kprobe:f { @n++; } | a hit reads @n, which earlier hits have left",
        "kprobe:f { @n += 2; } | a hit reads @n, which earlier hits have left",
        "kprobe:f { @n = @n + 1; } | a hit reads @n, which earlier hits have left",
        "kprobe:f { @a = count(); if (@a > 5) { exit(0); } }"
            + " | a hit reads @a, which earlier hits have left",
        "kprobe:f { @s[tid] = 1; } kretprobe:f / @s[tid] / { @ = count(); }"
            + " | a hit reads @s, which earlier hits have left",
        "kprobe:f { @s[pid] = 1; } kretprobe:f / @s[pid] / { @ = count(); delete(@s[pid]); }"
            + " | a hit reads @s, which earlier hits have left",
        "kretprobe:f { @ = quantize(latency); }"
            + " | it pairs returns with their calls (latency, entry)",
        "kprobe:f { @ = tseries(arg0, 1s, 5, \"sum\"); }"
            + " | sums of a time series cannot be scaled",
        "BEGIN { @ = count(); } | it has no probe whose hits could be sampled",
      })
  void whatEarlierHitsHaveLeftCannotBeSampled(String script, String reason) {
    try (SimulatedTracer tracer = tracer();
        Session session = tracer.start(PlyScript.parse(script))) {
      assertThatThrownBy(() -> session.sample(2))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("hits cannot be sampled: " + reason);
    }
  }

  @Test
  void aTraceThatWasNotPreparedForItIsNotSampled() {
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(PlyScript.parse("kprobe:f { @ = count(); }"))) {
      assertThatThrownBy(() -> session.sample(2))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "hits cannot be sampled: the trace was prepared without"
                  + " TraceOptions.allowingSampling()");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, Session.MOST_SAMPLED + 1})
  void aRateIsInRange(int oneOf) {
    try (SimulatedTracer tracer = tracer();
        Session session = tracer.start(PlyScript.parse("kprobe:f { @ = count(); }"))) {
      assertThatIllegalArgumentException().isThrownBy(() -> session.sample(oneOf));
    }
  }
}
