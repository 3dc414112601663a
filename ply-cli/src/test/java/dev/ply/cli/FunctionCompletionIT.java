package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import dev.ply.kernel.feature.Feature;
import dev.ply.kernel.feature.KernelFeatures;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Functions of a kernel with kprobes continue scripts. */
@Tag("live")
@Tag("once")
class FunctionCompletionIT {
  @BeforeEach
  void start() {
    Live.assumeTracing();
    assumeTrue(
        KernelFeatures.ofThisKernel().has(Feature.KPROBES),
        "this kernel was built without CONFIG_KPROBE_EVENTS");
  }

  @Test
  void functionsAreCompleted() {
    for (String provider : new String[] {"kprobe", "kretprobe", "k", "fentry", "fexit"}) {
      assertThat(Call.ply("complete", provider + ":vfs_rea").output().lines())
          .contains(provider + ":vfs_read");
    }
  }

  @Test
  void ofManyFunctionsTheBeginningsAreShown() {
    assertThat(Call.ply("complete", "kprobe:").output().lines())
        .hasSizeBetween(2, 20_000)
        .allMatch(line -> line.startsWith("kprobe:"))
        .contains("kprobe:vfs_");
  }
}
