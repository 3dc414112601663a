package dev.ply.kernel.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
  @ParameterizedTest
  @CsvSource({
    "10 (ply) S 9 10 9 34816 10 4194304, true",
    "10 (a) b) S 9 10 9 34816 10 4194304, true",
    "10 (ply) S 9 10 9 34816 9 4194304, false",
    "10 (ply) S 9 10 9 0 -1 4194304, false",
    "10 (ply), false"
  })
  void aProcessIsInTheForegroundWithTheTerminalsGroup(String stat, boolean inForeground) {
    assertThat(Terminal.isForeground(stat)).isEqualTo(inForeground);
  }
}
