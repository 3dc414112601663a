package dev.ply.kernel.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CpuSetTest {
  @Test
  void positionsSkipTheHoles() {
    CpuSet cpus = CpuSet.parse("0-3,8,10-11\n");
    assertThat(IntStream.range(0, cpus.count()).map(cpus::number))
        .containsExactly(0, 1, 2, 3, 8, 10, 11);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0-3", "0-3,8,10-11", "1,3"})
  void aSetPrintsAsItIsRead(String list) {
    assertThat(CpuSet.parse(list)).hasToString(list);
  }

  @Test
  void holesAreNotInASet() {
    CpuSet cpus = CpuSet.parse("0-1,3");
    assertThat(cpus.contains(1)).isTrue();
    assertThat(cpus.contains(2)).isFalse();
    assertThat(cpus.contains(4)).isFalse();
  }

  @Test
  void oneCpuIsASet() {
    assertThat(CpuSet.parse("0\n").count()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "1-", "1,,2", "3-1"})
  void anythingElseIsNamed(String list) {
    assertThatThrownBy(() -> CpuSet.parse(list))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"" + list + "\" is not a list of CPUs");
  }
}
