package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.vm.Engine;
import dev.ply.examples.VirtualMachineBenchmark.Machine;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VirtualMachineBenchmarkTest {
  @ParameterizedTest
  @EnumSource
  void allComputeTheSame(Engine engine) {
    VirtualMachineBenchmark benchmark = new VirtualMachineBenchmark();
    Machine machine = new Machine();
    machine.engine = engine;
    machine.create();
    assertThat(benchmark.virtualMachine(machine)).isEqualTo(benchmark.plainLoop()).isNotZero();
    Machine interpreter = new Machine();
    assertThat(benchmark.memory(machine)).isEqualTo(benchmark.memory(interpreter)).isNotZero();
    assertThat(benchmark.helpers(machine)).isEqualTo(20_000);
    benchmark.preparation(machine);
  }
}
