package dev.ply.kernel;

import static dev.ply.Values.cpu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.diagnostic.CompilationException;
import dev.ply.kernel.pmu.MaxSampleRate;
import dev.ply.kernel.sys.CpuSet;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Samples of this machine's processors, whatever runs on them. */
@Tag("live")
@Tag("oldest")
class ProfileIT {
  private static final CpuSet ONLINE = CpuSet.online();

  private KernelTracer tracer;

  @BeforeEach
  void open() {
    Live.assumeTracing();
    tracer = KernelTracer.open();
  }

  @AfterEach
  void close() {
    if (tracer != null) {
      tracer.close();
    }
  }

  @Test
  @Timeout(300)
  void everyCpuIsSampled() throws Exception {
    var samples = Probe.profile(1000).by(cpu()).count();
    try (Session session = tracer.start(samples)) {
      while (session.read(samples).size() < ONLINE.count()) {
        session.await(Duration.ofMillis(1));
      }
      session
          .read(samples)
          .forEach(row -> assertThat(ONLINE.contains((int) row.key().number(0))).isTrue());
    }
  }

  @Test
  @Timeout(300)
  void oneCpuIsSampled() throws Exception {
    int last = ONLINE.number(ONLINE.count() - 1);
    var samples = Probe.profile(last, 1000).by(cpu()).count();
    try (Session session = tracer.start(samples)) {
      while (session.read(samples).get(last).orElse(0L) < 3) {
        session.await(Duration.ofMillis(1));
      }
      assertThat(session.read(samples).size()).isEqualTo(1);
    }
  }

  @Test
  @Timeout(300)
  void aPeriodMaySayHowOften() throws Exception {
    var samples = Probe.profile(Duration.ofMillis(1)).count();
    try (Session session = tracer.start(samples)) {
      while (session.read(samples).isEmpty()) {
        session.await(Duration.ofMillis(1));
      }
    }
  }

  @Test
  void aCpuThatIsNotOnlineIsNamed() {
    assertThatThrownBy(() -> tracer.start(Probe.profile(9999, 99).count()))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("CPU 9999 of this machine is not online");
  }

  @Test
  void theKernelsLimitIsNamed() {
    OptionalLong limit = MaxSampleRate.ofThisKernel();
    assumeTrue(limit.isPresent(), "this kernel does not say how many samples it takes");
    assertThatThrownBy(() -> tracer.start(Probe.profile(limit.getAsLong() + 1).count()))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("maximum is " + limit.getAsLong() + " samples a second");
  }
}
