package dev.ply.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkloadTest {
  @Test
  void aWorkloadTellsTheTimeOfACall() throws Exception {
    try (Workload workload = Workload.reading(1000)) {
      assertThat(workload.run()).isPositive();
    }
  }

  /** Neither is what dd told before it was ended a measurement, nor is that of another run lost. */
  @Test
  void anEndedWorkloadHasNoTime() throws Exception {
    try (Workload workload = Workload.reading(1_000_000_000)) {
      ProcessHandle dd = ProcessHandle.of(workload.pid()).orElseThrow();
      Thread end = new Thread(dd::destroyForcibly);
      end.start();
      assertThatThrownBy(workload::run).isInstanceOf(IOException.class);
      end.join();
    }
  }
}
