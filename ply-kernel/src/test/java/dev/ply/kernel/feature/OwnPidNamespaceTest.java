package dev.ply.kernel.feature;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnPidNamespaceTest {
  /** Anonymous file systems have major number 0 and, where there are many, minors beyond 255. */
  @ParameterizedTest
  @CsvSource({"4,4", "0x801,0x800001", "0x10003a,0x13a"})
  void devicesAreEncodedAsTheKernelDoes(String fromStat, String inKernel) {
    assertThat(OwnPidNamespace.kernelDevice(Long.decode(fromStat)))
        .isEqualTo(Long.decode(inKernel));
  }
}
