package dev.ply.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.target.Mechanism;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceCostTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static TraceCost cost(Duration elapsed, long hits, long nanos) {
    ProbeCost probe =
        new ProbeCost(
            List.of("kprobe:f", "kprobe:g"), Mechanism.KPROBE, hits, Duration.ofNanos(nanos));
    return new TraceCost(elapsed, List.of(probe), elapsed.dividedBy(50), Duration.ofNanos(30));
  }

  @Test
  void ratesAndSharesAreThoseOfTheMeasuredTime() {
    TraceCost cost = cost(SECOND.multipliedBy(2), 1000, 80_000);
    assertThat(cost.perSecond(1000)).isEqualTo(500);
    assertThat(cost.share(cost.ofProbes())).isEqualTo(0.00004);
    assertThat(cost.share(cost.tracer())).isEqualTo(0.02);
    assertThat(cost.probes().get(0).nanosPerHit()).isEqualTo(80);
    assertThat(cost.probes().get(0).name()).isEqualTo("kprobe:f and 1 more");
  }

  @Test
  void nothingMeasuredIsNoDivisionByZero() {
    TraceCost cost = cost(Duration.ZERO, 0, 0);
    assertThat(cost.perSecond(0)).isZero();
    assertThat(cost.share(SECOND)).isZero();
    assertThat(cost.probes().get(0).nanosPerHit()).isZero();
  }

  @Test
  void theDifferenceOfTwoCostsIsThatOfTheTimeBetween() {
    TraceCost difference =
        cost(SECOND.multipliedBy(3), 1000, 80_000).since(cost(SECOND, 400, 30_000));
    assertThat(difference).isEqualTo(cost(SECOND.multipliedBy(2), 600, 50_000));
  }
}
