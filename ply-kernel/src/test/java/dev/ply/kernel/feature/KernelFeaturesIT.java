package dev.ply.kernel.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import dev.ply.kernel.RunningKernel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kernels that are old enough for a feature have it, unless they were built without; others not.
 */
@Tag("live")
final class KernelFeaturesIT {
  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @EnumSource(
      value = Feature.class,
      names = {
        "KPROBES",
        "UPROBES",
        "TRACEPOINTS",
        "SYSCALL_TRACEPOINTS",
        "BTF",
        "TRAMPOLINES",
        "KPROBE_MULTI",
        "BREAKPOINTS"
      },
      mode = EnumSource.Mode.EXCLUDE)
  void whatNeedsNoOptionIsThereSinceItsVersion(Feature feature) {
    KernelFeatures features = KernelFeatures.ofThisKernel();
    assertThat(features.has(feature))
        .as(features.missing(feature).orElse("offered"))
        .isEqualTo(feature.isKnownTo(new RunningKernel().version()));
  }
}
