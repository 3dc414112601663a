package dev.ply.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceOptions;
import dev.ply.Values;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Live;
import dev.ply.result.CostMeter;
import dev.ply.result.TraceCost;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the kernel measures of a trace. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class CostIT {
  @BeforeEach
  void start() {
    Live.assumeTracing();
  }

  @Test
  void eachHitIsCountedAndTakesTime() throws Exception {
    long self = ProcessHandle.current().pid();
    AggregateProbe<Long> opens =
        Probe.tracepoint("syscalls:sys_enter_openat").where(Values.pid().eq(self)).count();
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(opens);
        CostMeter meter = session.measureCost().orElseThrow()) {
      long before = session.read(opens).get().orElse(0L);
      for (int i = 0; i < 1_000; i++) {
        assertThat(Files.readAllBytes(Path.of("/proc/self/comm"))).isNotEmpty();
      }
      long counted = session.read(opens).get().orElseThrow() - before;
      TraceCost cost = meter.soFar();
      // Other processes open files, too.
      assertThat(cost.probes()).hasSize(1);
      assertThat(counted).isBetween(1_000L, cost.probes().get(0).hits());
      assertThat(cost.probes().get(0).nanosPerHit()).isBetween(1L, 1_000_000L);
      assertThat(cost.tracer()).isPositive();
      assertThat(cost.elapsed()).isPositive();
      assertThat(cost.ofProbes()).isLessThan(cost.elapsed());
      assertThat(meter.soFar().since(cost).probes().get(0).hits()).isNotNegative();
    }
  }

  @Test
  void sampledCountsAreCloseToAllHits() throws Exception {
    long self = ProcessHandle.current().pid();
    AggregateProbe<Long> opens =
        Probe.tracepoint("syscalls:sys_enter_openat").where(Values.pid().eq(self)).count();
    try (KernelTracer tracer = KernelTracer.open(TraceOptions.DEFAULT.allowingSampling());
        Session session = tracer.start(opens)) {
      session.sample(10);
      for (int i = 0; i < 20_000; i++) {
        try (InputStream comm = new FileInputStream("/proc/self/comm")) {
          assertThat(comm).isNotNull();
        }
      }
      // The standard deviation is 1.3 %.
      assertThat(session.read(opens).get().orElseThrow())
          .isCloseTo(20_000L, Percentage.withPercentage(10));
    }
  }
}
