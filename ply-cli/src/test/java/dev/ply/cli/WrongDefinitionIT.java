package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.io.ExitCode;
import dev.ply.kernel.Live;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  /**
   * A wrong definition.
   *
   * @param message the first line of the answer
   * @param hint what stands in the answer further down, empty if nothing has to
   */
  private record Wrong(String definition, boolean kprobe, String message, String hint) {
    @Override
    public String toString() {
      return definition;
    }
  }

  private static Wrong wrong(String definition, String message, String hint) {
    return new Wrong(definition, false, message, hint);
  }

  private static Wrong kprobe(String definition, String message, String hint) {
    return new Wrong(definition, true, message, hint);
  }

  private static final List<Wrong> TABLE =
      List.of(
          wrong(
              "tracepoint:sched:sched_swich",
              "error[unknown-tracepoint]: unknown tracepoint sched:sched_swich",
              "did you mean \"sched:sched_switch\"?"),
          wrong(
              "tracepoint:shed:sched_switch",
              "error[unknown-tracepoint]: unknown tracepoint shed:sched_switch",
              "this kernel has sched:sched_switch instead"),
          wrong("tracepoint:no_such_[a-z]*:x", "error[unknown-tracepoint]: ", ""),
          wrong(
              "rawtracepoint:sched_swich",
              "error[unknown-tracepoint]: this kernel has no raw tracepoint \"sched_swich\"",
              "did you mean \"sched_switch\"?"),
          wrong(
              "rawtracepoint:no_module:sched_switch",
              "error[unknown-tracepoint]: \"no_module\" has no raw tracepoint \"sched_switch\"",
              "it is elsewhere: leave out the module"),
          wrong("profile:0hz", "error[bad-probe-definition]: ", ""),
          wrong(
              "profile:4294967295hz",
              "error[bad-probe-definition]: no CPU can be sampled 4294967295 times a second",
              "write profile:99hz"),
          wrong("profile:9999:99hz", "error[out-of-range]: CPU 9999 of this machine is not", ""),
          wrong("interval:1h", "error[bad-probe-definition]: ", ""),
          wrong("krpobe:vfs_read", "error[unknown-provider]: ", "did you mean"),
          kprobe(
              "kprobe:vfs_raed",
              "error[unknown-function]: this kernel has no function \"vfs_raed\"",
              "did you mean \"vfs_read\"?"),
          kprobe(
              "kprobe:vfs_write+1",
              "error[not-offered]: no instruction can be probed at vfs_write+1",
              "a function's first is at offset 0"),
          kprobe(
              "kprobe:vfs_write+1000000",
              "error[out-of-range]: \"vfs_write\" has no offset 1000000",
              "it ends before offset"),
          kprobe(
              "kprobe:get_kprobe",
              "error[not-offered]: the kernel does not allow a probe on \"get_kprobe\"",
              "functions that kprobes themselves need"),
          kprobe(
              "kprobe:no_such_module:vfs_read",
              "error[unknown-function]: this kernel has no function \"vfs_read\" in a module"
                  + " \"no_such_module\"",
              "it is elsewhere: leave out the module"),
          kprobe(
              "kprobe:0x10",
              "error[not-offered]: the kernel does not allow a probe at 0x10",
              "instructions of its functions can be probed"),
          wrong(
              "kretprobe:vfs_write+8",
              "error[bad-probe-definition]: a kretprobe is on the return from a whole function",
              "write kretprobe:vfs_write, or kprobe:vfs_write+8"),
          wrong(
              "kprobe:no_such_function_*",
              "error[unknown-function]: this kernel has no function that",
              ""),
          wrong("kprobe:*", "error[too-many-places]: kprobe:* selects", "narrow the pattern"));

  static Stream<Wrong> kprobes() {
    return TABLE.stream().filter(Wrong::kprobe);
  }

  static Stream<Wrong> others() {
    return TABLE.stream().filter(wrong -> !wrong.kprobe());
  }

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @MethodSource("kprobes")
  @Tag("once")
  void ofAKprobeIsAnsweredWithWhatIsWrong(Wrong wrong) {
    assumeTrue(Files.exists(KPROBES), "this kernel was built without CONFIG_KPROBES");
    isAnsweredWithWhatIsWrong(wrong);
  }

  @ParameterizedTest
  @MethodSource("others")
  @Tag("any-kernel")
  void isAnsweredWithWhatIsWrong(Wrong wrong) {
    Call call = Call.ply(wrong.definition() + " { @ = count(); }");
    assertThat(call.status()).isEqualTo(ExitCode.FAILURE);
    assertThat(call.output()).isEmpty();
    assertThat(call.errors()).startsWith(wrong.message()).contains("<input>:1:1");
    assertThat(call.errors()).contains(wrong.hint()).doesNotContain("Exception", "bug in ply");
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
