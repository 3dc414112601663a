package dev.ply.kernel.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.machine.KernelVersion;
import dev.ply.name.Errno;
import dev.ply.target.UnreadableTargetException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class KernelFeaturesTest {
  private static KernelFeatures features(String release, Errno errno) {
    return new KernelFeatures(() -> KernelVersion.parse(release), feature -> Optional.of(errno));
  }

  @Test
  void anOldKernelIsToldByItsVersion() {
    assertThat(features("5.10.0-35-amd64", Errno.EINVAL).missing(Feature.PERF_LINKS).orElseThrow())
        .startsWith("links of performance events came with Linux 5.15, and this is 5.10");
  }

  @Test
  void aKernelThatWasBuiltWithoutIsToldByItsOption() {
    assertThat(features("6.18.0", Errno.ENOENT).missing(Feature.KPROBES))
        .contains(
            "this kernel was built without probes of kernel functions (CONFIG_KPROBE_EVENTS)");
  }

  @Test
  void whatIsForbiddenIsNotMissing() {
    assertThat(features("6.18.0", Errno.EPERM).missing(Feature.RING_BUFFER))
        .contains("this process may not use the ring buffer (operation not permitted)");
  }

  @Test
  void whatIsRequiredIsNamed() {
    assertThatThrownBy(() -> features("6.18.0", Errno.ENOENT).require(Feature.BTF))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("CONFIG_DEBUG_INFO_BTF")
        .extracting(e -> ((UnsupportedFeatureException) e).feature())
        .isEqualTo(Feature.BTF);
  }

  @Test
  void eachFeatureIsTriedOnceAndOnlyIfAskedFor() {
    AtomicInteger trials = new AtomicInteger();
    KernelFeatures features =
        new KernelFeatures(
            () -> KernelVersion.parse("6.1"),
            feature -> {
              trials.incrementAndGet();
              return Optional.empty();
            });
    assertThat(trials).hasValue(0);
    features.require(Feature.BTF);
    assertThat(features.has(Feature.BTF)).isTrue();
    assertThat(trials).hasValue(1);
  }

  @Test
  void whatCannotBeReadIsTheReason() {
    KernelFeatures features =
        new KernelFeatures(
            () -> KernelVersion.parse("6.1"),
            feature -> {
              throw new UnreadableTargetException("tracefs is closed");
            });
    assertThat(features.missing(Feature.TRACEPOINTS)).contains("tracefs is closed");
  }
}
