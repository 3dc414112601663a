package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VirtualMachineBenchmarkTest {
  @Test
  void bothInterpretersComputeTheSame() {
    VirtualMachineBenchmark benchmark = new VirtualMachineBenchmark();
    assertThat(benchmark.virtualMachine()).isEqualTo(benchmark.plainLoop()).isNotZero();
  }
}
