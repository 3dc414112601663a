package dev.ply.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How often maps are read. */
final class ReadingPaceTest {
  private static final Duration WANTED = Duration.ofMillis(100);

  @Test
  void whatIsCheapIsReadAsOftenAsIsWanted() {
    ReadingPace pace = new ReadingPace(WANTED);
    assertThat(pace.end(Duration.ofMillis(10), Duration.ofMillis(3)))
        .isEqualTo(Duration.ofMillis(90));
    assertThat(pace.period()).isEqualTo(WANTED);
  }

  @Test
  void whatIsExpensiveIsReadSeldom() {
    ReadingPace pace = new ReadingPace(WANTED);
    for (int i = 0; i < 5; i++) {
      pace.end(Duration.ofMillis(60), Duration.ofMillis(40));
    }
    assertThat(pace.end(Duration.ofMillis(60), Duration.ofMillis(40)))
        .isEqualTo(Duration.ofMillis(940));
    assertThat(pace.period()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void thePeriodIsAtMostDoubled() {
    ReadingPace pace = new ReadingPace(WANTED);
    assertThat(pace.end(Duration.ZERO, Duration.ofSeconds(1))).isEqualTo(Duration.ofMillis(200));
    assertThat(pace.end(Duration.ZERO, Duration.ofMillis(1))).isEqualTo(WANTED);
  }

  @Test
  void timeThatHasPassedIsNotWaitedFor() {
    assertThat(new ReadingPace(WANTED).end(Duration.ofSeconds(9), Duration.ofMillis(1))).isZero();
  }
}
