package dev.ply.cli.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExitCodeTest {
  @Test
  void aScriptsStatusIsItsLowEightBits() {
    assertThat(ExitCode.ofScript(300)).isEqualTo(44);
    assertThat(ExitCode.ofScript(-1)).isEqualTo(255);
    assertThat(ExitCode.ofScript(0)).isZero();
  }

  @Test
  void aSignalsStatusIsThatOfShells() {
    assertThat(ExitCode.ofSignal(2)).isEqualTo(130);
  }
}
