package dev.ply.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class BpftraceNameTest {
  @Test
  void timersHaveTheirUnitFirst() {
    assertThat(BpftraceName.of(new TimerProbe.Interval(Duration.ofMillis(1))))
        .isEqualTo("interval:ms:1");
    assertThat(
            BpftraceName.of(
                new TimerProbe.Profile(OptionalInt.empty(), new SamplingRate.Hertz(599))))
        .isEqualTo("profile:hz:599");
    assertThat(
            BpftraceName.of(
                new TimerProbe.Profile(
                    OptionalInt.empty(), new SamplingRate.Every(Duration.ofSeconds(2)))))
        .isEqualTo("profile:s:2");
  }

  @Test
  void whatIsOfTheTraceIsInSmallLetters() {
    assertThat(BpftraceName.of(new TracerProbe.Begin())).isEqualTo("begin");
    assertThat(BpftraceName.of(new TracerProbe.End())).isEqualTo("end");
  }

  @Test
  void allElseIsAsDefined() {
    PerfPeriod event = PerfPeriod.parse(PerfCounter.Source.SOFTWARE, "cpu:100000");
    assertThat(BpftraceName.of(new CounterProbe.Software(event))).isEqualTo("software:cpu:100000");
    assertThat(BpftraceName.of(new KernelProbe.Kprobe("vfs_read"))).isEqualTo("kprobe:vfs_read");
  }

  @Test
  void aCounterIsTheSameByEachOfItsNames() {
    assertThat(software("cpu:100").identity()).isEqualTo("software:cpu-clock:100");
    assertThat(software("cpu:100").identity()).isNotEqualTo(software("cpu:101").identity());
  }

  private static AttachPoint software(String event) {
    return new CounterProbe.Software(PerfPeriod.parse(PerfCounter.Source.SOFTWARE, event));
  }
}
