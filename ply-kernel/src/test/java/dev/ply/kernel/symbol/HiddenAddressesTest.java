package dev.ply.kernel.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.privilege.CapabilitySet;
import org.junit.jupiter.api.Test;

final class HiddenAddressesTest {
  private static final CapabilitySet ALL = CapabilitySet.of("CapEff:\t000001ffffffffff\n");
  private static final CapabilitySet TRACER = CapabilitySet.of("CapEff:\t000000c000000000\n");

  @Test
  void rootNeedsTheSettingOnly() {
    assertThat(HiddenAddresses.required("2", ALL))
        .isEqualTo("it takes sysctl kernel.kptr_restrict=1, which is 2");
  }

  @Test
  void othersNeedTheCapability() {
    assertThat(HiddenAddresses.required("1", TRACER))
        .startsWith("it takes CAP_SYSLOG: run as root");
    assertThat(HiddenAddresses.required("2", TRACER))
        .startsWith(
            "it requires sysctl kernel.kptr_restrict=1, which is 2, and CAP_SYSLOG: run as root");
  }
}
