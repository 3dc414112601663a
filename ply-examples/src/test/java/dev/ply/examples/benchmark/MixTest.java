package dev.ply.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MixTest {
  @Test
  void blocksOfDifferentSizesAreReadAndWrittenByDifferentNumbersOfCalls() {
    assertThat(Mix.TWENTIETH.operands(1_000_000)).isEqualTo("ibs=19 obs=1 count=50000");
    assertThat(Mix.TWENTIETH.callsPerByte() * 19).isEqualTo(20);
    assertThat(Mix.QUARTER.operands(1_000_000)).isEqualTo("ibs=3 obs=1 count=250000");
    assertThat(Mix.ALL.operands(1_000_000)).startsWith("ibs=1 obs=65536 count=9999");
    assertThat(Mix.NONE.operands(1_000_000)).isEqualTo("ibs=65536 obs=1 count=15");
  }
}
