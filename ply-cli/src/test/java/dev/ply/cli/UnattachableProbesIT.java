package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import dev.ply.kernel.feature.Feature;
import dev.ply.kernel.feature.KernelFeatures;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Probes that this machine cannot attach: nothing runs before that is reported. */
@Tag("live")
@Tag("once")
class UnattachableProbesIT {
  private static final KernelFeatures FEATURES = KernelFeatures.ofThisKernel();

  @BeforeAll
  static void assumeTracing() {
    Live.assumeTracing();
  }

  /** What no machine attaches, and what this one lacks. */
  static Stream<String> unattachable() {
    Stream<String> functions =
        FEATURES.has(Feature.KPROBES)
            ? Stream.of("kprobe:no_such_function")
            : Stream.of("kprobe:vfs_read", "kretprobe:vfs_read", "kprobe:vfs_rea*");
    Stream<String> typed =
        FEATURES.has(Feature.TRAMPOLINES)
            ? Stream.empty()
            : Stream.of("fentry:vfs_read", "fexit:vfs_rea*");
    return Stream.of(
            Stream.of("profile:hz:99999999", "software:faults:1, profile:hz:99999999"),
            functions,
            typed)
        .flatMap(all -> all);
  }

  @ParameterizedTest
  @MethodSource("unattachable")
  void areReportedBeforeAnythingRuns(String probes) {
    String program = "BEGIN { printf(\"begun\\n\"); } " + probes + " { @ = count(); }";
    Call run = Call.ply("bt", "-e", program);
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.output()).isEmpty();
    assertThat(run.errors()).startsWith("error[");
    // A check finds the same.
    assertThat(Call.ply("bt", "--dry-run", "-e", program)).isEqualTo(run);
  }

  @Test
  void areFoundWhereDefinitionsAreChecked() {
    assumeTrue(!FEATURES.has(Feature.KPROBES), "this kernel has kprobes");
    assertThat(Call.ply("-e", "kprobe:vfs_read { }").status()).isEqualTo(1);
    assertThat(Call.ply("kprobe-events", "-e", "p vfs_read").status()).isEqualTo(1);
  }

  @Test
  void areNotListed() {
    assumeTrue(!FEATURES.has(Feature.KPROBES), "this kernel has kprobes");
    for (String pattern : new String[] {"kprobe:vfs_rea*", "kretprobe:*", "kprobe"}) {
      assertThat(Call.ply("-l", pattern))
          .isEqualTo(
              new Call(
                  1,
                  "",
                  "error: this kernel was built without probes of kernel functions"
                      + " (CONFIG_KPROBE_EVENTS)\n"));
    }
  }

  @Test
  void argumentsThatARawTracepointHasNotAreErrors() {
    assumeTrue(FEATURES.has(Feature.BTF), "types are unknown");
    Call run = Call.ply("bt", "-e", "BEGIN { print(1); } rawtracepoint:sched_switch { @ = arg9; }");
    assertThat(run.output()).isEmpty();
    assertThat(run.errors()).contains("\"arg9\" is not available", "it has arg0 to arg3");
  }
}
