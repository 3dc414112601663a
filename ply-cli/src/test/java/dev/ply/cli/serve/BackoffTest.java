package dev.ply.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pauses between attempts. */
@Tag("any-java")
class BackoffTest {
  @Test
  void pausesDoubleUpToALimit() {
    Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10), () -> 0);
    assertThat(IntStream.rangeClosed(1, 6).mapToObj(backoff::pause).map(Duration::toSeconds))
        .containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
    assertThat(backoff.forgives(Duration.ofSeconds(9))).isFalse();
    assertThat(backoff.forgives(Duration.ofSeconds(10))).isTrue();
  }

  @Property
  void pausesAreBounded(
      @ForAll @IntRange(min = 1) int failures, @ForAll @DoubleRange(max = 1) double random) {
    Duration pause =
        new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), () -> random).pause(failures);
    assertThat(pause).isBetween(Duration.ofMillis(800), Duration.ofMinutes(5));
  }
}
