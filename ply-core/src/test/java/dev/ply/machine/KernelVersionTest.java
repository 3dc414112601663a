package dev.ply.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class KernelVersionTest {
  @Test
  void releasesOfDistributionsAreRead() {
    assertThat(KernelVersion.parse("6.12.43-cloud-amd64\n"))
        .isEqualTo(new KernelVersion(6, 12, 43));
    assertThat(KernelVersion.parse("6.18-rc1")).isEqualTo(new KernelVersion(6, 18, 0));
    assertThat(KernelVersion.parse("5.10.0-28-amd64")).hasToString("5.10.0");
  }

  @Test
  void versionsCompareByNumber() {
    assertThat(KernelVersion.parse("5.9.16")).isLessThan(KernelVersion.parse("5.10.0"));
    assertThat(KernelVersion.parse("5.10.3").isAtLeast(5, 10)).isTrue();
    assertThat(KernelVersion.parse("5.9.16").isAtLeast(5, 10)).isFalse();
  }

  @Test
  void otherTextsAreNamed() {
    assertThatThrownBy(() -> KernelVersion.parse("linux"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"linux\" is not a kernel release");
  }
}
