package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.io.ExitCode;
import dev.ply.golden.Case;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Definitions of probes that cannot be, each with what the command answers. */
@Tag("live")
@Timeout(300)
class WrongDefinitionIT {
  private static final Path KPROBES = Path.of("/sys/bus/event_source/devices/kprobe");

  static Stream<Case> kprobes() throws IOException {
    return cases().filter(wrong -> wrong.section("needs").isPresent());
  }

  static Stream<Case> others() throws IOException {
    return cases().filter(wrong -> wrong.section("needs").isEmpty());
  }

  private static Stream<Case> cases() throws IOException {
    return Case.ofResource("/wrong-definitions.cases").stream();
  }

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @MethodSource("kprobes")
  @Tag("once")
  void ofAKprobeIsAnsweredWithWhatIsWrong(Case wrong) {
    assumeTrue(Files.exists(KPROBES), "this kernel was built without CONFIG_KPROBES");
    isAnsweredWithWhatIsWrong(wrong);
  }

  @ParameterizedTest
  @MethodSource("others")
  @Tag("any-kernel")
  void isAnsweredWithWhatIsWrong(Case wrong) {
    Call call = Call.ply(wrong.name() + " { @ = count(); }");
    assertThat(call.status()).isEqualTo(ExitCode.FAILURE);
    assertThat(call.output()).isEmpty();
    assertThat(call.errors())
        .startsWith(wrong.section("message").orElseThrow())
        .contains("<input>:1:1");
    assertThat(call.errors())
        .contains(wrong.section("hint").orElse(""))
        .doesNotContain("Exception", "bug in ply");
  }

  @Test
  @Tag("any-kernel")
  void aKernelWithoutKprobesSaysSo() {
    assumeTrue(!Files.exists(KPROBES), "this kernel has kprobes");
    Call call = Call.ply("kprobe:vfs_read { @ = count(); }");
    assertThat(call.status()).isEqualTo(ExitCode.FAILURE);
    assertThat(call.errors())
        .startsWith("error[not-offered]: kprobe:vfs_read cannot be attached")
        .contains("CONFIG_KPROBE_EVENTS");
  }
}
