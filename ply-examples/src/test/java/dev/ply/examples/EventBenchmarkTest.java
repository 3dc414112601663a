package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.examples.EventBenchmark.Form;
import dev.ply.examples.EventBenchmark.Replay;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventBenchmarkTest {
  @ParameterizedTest
  @EnumSource
  void eachEventIsHandled(Form form) {
    Replay replay = new Replay();
    replay.form = form;
    replay.start();
    EventBenchmark benchmark = new EventBenchmark();
    long thousand = benchmark.event(replay);
    assertThat(thousand).isPositive();
    assertThat(benchmark.event(replay)).isEqualTo(2 * thousand);
    replay.close();
  }
}
