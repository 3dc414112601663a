package dev.ply.kernel.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ErrnoTest {
  @ParameterizedTest
  @EnumSource(Errno.class)
  void everyNumberFindsItsError(Errno errno) {
    assertThat(Errno.of(errno.number())).isEqualTo(errno);
  }

  @Test
  void anUnlistedNumberIsUnknown() {
    assertThat(Errno.of(4095)).isEqualTo(Errno.UNKNOWN);
  }

  @Test
  void anExceptionSaysWhatWasTriedAndWhy() {
    assertThat(new KernelException(Errno.EPERM, "bpf(MAP_CREATE) of \"stats\""))
        .hasMessage("bpf(MAP_CREATE) of \"stats\": operation not permitted");
    assertThat(Errno.EPERM).hasToString("operation not permitted (EPERM)");
  }
}
