package dev.ply.cli.bpftrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import dev.ply.kernel.feature.Feature;
import dev.ply.kernel.feature.KernelFeatures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of probes. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class BpftraceListIT {
  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  /** Calls a function of the C library for ever, after a line that says that it is loaded. */
  private static final String CALLS = "import os\nprint(1, flush=True)\nwhile True: os.getppid()";

  @Test
  void probesOfAProgramAreListed() {
    assertThat(Call.ply("bt", "-l", "-e", "BEGIN { } t:syscalls:sys_enter_rea[d] { }").output())
        .isEqualTo("tracepoint:syscalls:sys_enter_read\n");
    assumeTrue(Files.exists(Path.of("/sys/kernel/btf/vmlinux")), "types are unknown");
    assertThat(
            Call.ply("bt", "-l", "-e", "fentry:vfs_read { } fexit:vmlinux:vfs_rea[d] { }").output())
        .isEqualTo("fentry:vmlinux:vfs_read\nfexit:vmlinux:vfs_read\n");
  }

  @Test
  void whatClausesOnFunctionsCanReadIsListed() {
    KernelFeatures features = KernelFeatures.ofThisKernel();
    assumeTrue(features.has(Feature.BTF), "types are unknown");
    assumeTrue(
        features.has(Feature.TRAMPOLINES) && features.has(Feature.KPROBES),
        "this kernel has no probes of functions");
    assertThat(Call.ply("bt", "-lv", "fentry:vfs_read").output())
        .contains("fentry:vmlinux:vfs_read\n    struct file * file\n    char * buf\n");
    assertThat(Call.ply("bt", "-lv", "kprobe:vfs_read").output())
        .startsWith("kprobe:vfs_read\n    struct file * arg0\n    char * arg1\n    size_t arg2\n");
    assertThat(Call.ply("bt", "-lv", "kretprobe:vfs_read").output())
        .isEqualTo("kretprobe:vfs_read\n    ssize_t retval\n");
    assertThat(Call.ply("bt", "-lv", "kprobe:do_exit").output())
        .isEqualTo("kprobe:do_exit\n    long int arg0\n");
  }

  @ParameterizedTest
  @CsvSource({
    "uprobe:*:getppi?, uprobe:\\S*/libc\\S*:getppid",
    "uretprobe:libc.so*:getppid, uretprobe:\\S*/libc\\S*:getppid",
    "uprobe:/*/*/python3*:\"main\", ''",
  })
  void aProcessHasTheProbesOfItsFiles(String probe, String name) throws IOException {
    Live.assumeSharedLibraries();
    assumePython();
    Process calls = new ProcessBuilder("python3", "-c", CALLS).start();
    try {
      assertThat(calls.getInputStream().read()).isEqualTo('1');
      Call call =
          Call.ply(
              "bt",
              "-q",
              "-p",
              Long.toString(calls.pid()),
              "-e",
              name.isEmpty()
                  ? "BEGIN { exit(); } " + probe + " { }"
                  : probe + " { print(probe); exit(); }");
      assumeFalse(
          name.isEmpty() && call.errors().contains("has a function"),
          "this Python was built without symbols, and its library has the function");
      assertThat(call.errors()).isEmpty();
      assertThat(call.output()).matches(name.isEmpty() ? "\n?" : "(?s)" + name + "\n.*");
    } finally {
      calls.destroy();
    }
  }

  @Test
  void theProbesOfAProcessAreListed() throws IOException {
    Live.assumeSharedLibraries();
    assumePython();
    Process calls = new ProcessBuilder("python3", "-c", CALLS).start();
    try {
      assertThat(calls.getInputStream().read()).isEqualTo('1');
      String pid = Long.toString(calls.pid());
      assertThat(Call.ply("bt", "-l", "uprobe:*", "-p", pid).output())
          .containsPattern("(?m)^uprobe:/\\S*/libc\\S*:getppid$");
      assertThat(Call.ply("bt", "-l", "-e", "uretprobe:*:getppid { }", "-p", pid).output())
          .matches("uretprobe:/\\S*/libc\\S*:getppid\n");
    } finally {
      calls.destroy();
    }
  }

  @Test
  void parametersArePartsOfDefinitions() {
    assertThat(Call.ply("bt", "-q", "-e", "BEG$1 { print(probe); } i:$2:1 { exit(); }", "IN", "ms"))
        .isEqualTo(new Call(0, "begin\n\n\n", ""));
    assertThat(Call.ply("bt", "-q", "-e", "$1 { print(probe); exit(); }", "interval:ms:1").output())
        .startsWith("interval:ms:1\n");
  }

  @Test
  void aFilterChoosesProbesByTheirNames() {
    Call call =
        Call.ply(
            "bt",
            "--probe-filter",
            "interval:ms:(2|3)$",
            "-e",
            "BEGIN { print(1); } interval:ms:1 { print(2); } interval:ms:2 { print(3); exit(); }");
    assertThat(call.errors()).isEqualTo("Attached 2 probes\n");
    assertThat(call.output()).isEqualTo("1\n3\n\n\n");
  }

  @Test
  void rawTracepointsAreSelectedByPatternAndModule() {
    Call call =
        Call.ply(
            "bt",
            "-c",
            "true",
            "-e",
            "rawtracepoint:vmlinu*:sched_process_ex*, rt:sched_process_exit"
                + " / pid == $target / { @[probe] = count(); }");
    assertThat(call.errors()).matches("Attached [2-9] probes\n");
    assertThat(call.output()).contains("@[rawtracepoint:sched_process_exit]: 2\n");
  }

  private static void assumePython() {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "python3"))),
        "there is no python3 here");
  }
}
