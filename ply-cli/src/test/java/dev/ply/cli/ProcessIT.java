package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One process by {@code -p}, also where it sees other files. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class ProcessIT {
  private static final String LOOP = "echo ready; while kill -0 $$; do :; done";

  @TempDir Path directory = Path.of("");

  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @AfterEach
  void kill() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Starts a process that writes a line once it runs. */
  private Process start(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    started.add(process);
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    assumeTrue("ready".equals(line), () -> "a process of this kind cannot be started: " + line);
    return process;
  }

  private static String pid(Process process) {
    return Long.toString(process.pid());
  }

  @Test
  void onlyItsHitsCount() throws Exception {
    Process traced = start("sh", "-c", LOOP);
    start("sh", "-c", LOOP);
    Call call =
        Call.ply(
            "-p",
            pid(traced),
            "tracepoint:syscalls:sys_enter_kill { n[0]++; @[pid == $target, data->pid == $target]"
                + " = count(); } tracepoint:syscalls:sys_enter_kill / n[0] > 100 / { exit(0); }");
    assertThat(call.errors()).isEmpty();
    assertThat(call.output()).contains("{ 1, 1 }: ").doesNotContain("0, ").doesNotContain(", 0");
  }

  @Test
  void itIsTheParentOfWhatItStarts() throws Exception {
    Process parent = start("sh", "-c", "echo ready; while :; do sh -c 'kill -0 1; true'; done");
    Call call =
        Call.ply(
            "tracepoint:syscalls:sys_enter_kill / ppid == "
                + parent.pid()
                + " / { printf(\"%s %d\\n\", pcomm, cpu < ncpus && numaid < ncpus && jiffies > 0);"
                + " exit(0); }");
    assertThat(call).isEqualTo(new Call(0, "sh 1\n", ""));
  }

  @Test
  void theTraceStopsWhenItEnds() throws Exception {
    Process traced = start("sh", "-c", "echo ready; read line");
    Process ply =
        CommandProcess.start("-p", pid(traced), "BEGIN { printf(\"on\\n\"); } END { print(7); }");
    started.add(ply);
    try (var lines = ply.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).isEqualTo("on");
      traced.getOutputStream().close();
      traced.waitFor();
      assertThat(lines.readLine()).isEqualTo("7");
    }
    assertThat(ply.waitFor()).isZero();
  }

  private String libc() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines
          .filter(line -> line.contains("/libc.so") || line.contains("/libc-2"))
          .map(line -> line.substring(line.indexOf('/')))
          .findFirst()
          .orElse("");
    }
  }

  /**
   * The process calls functions of a copy of the C library, which its mount namespace has where
   * ours has nothing.
   */
  private Process inOtherFiles() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/unshare")), "there is no unshare here");
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    String library = libc();
    assumeTrue(!library.isEmpty(), "this Java runtime has another C library");
    Path hidden = Files.createDirectories(directory.resolve("hidden"));
    Files.createDirectories(directory.resolve("seen"));
    Files.copy(Path.of(library), hidden.resolve("libcopy.so"));
    String command =
        "mount --bind "
            + hidden
            + " "
            + directory.resolve("seen")
            + " && LD_PRELOAD="
            + directory.resolve("seen/libcopy.so")
            + " exec sh -c '"
            + LOOP
            + "'";
    return start("unshare", "--mount", "sh", "-c", command);
  }

  @Test
  void pathsAreThoseThatItSees() throws Exception {
    Process traced = inOtherFiles();
    String uprobe = "uprobe:" + directory.resolve("seen/libcopy.so") + ":kill";
    String script = uprobe + " { printf(\"%d\\n\", pid == $target); exit(0); }";
    assertThat(Call.ply("-p", pid(traced), script)).isEqualTo(new Call(0, "1\n", ""));
    assertThat(Call.ply("-e", script).errors()).contains("no file");
  }

  @Test
  void aPathMayLeadThroughItsRoot() throws Exception {
    Process traced = inOtherFiles();
    String uprobe =
        "uprobe:/proc/" + pid(traced) + "/root" + directory.resolve("seen/libcopy.so") + ":kill";
    String script = uprobe + " / pid == " + pid(traced) + " / { printf(\"hit\\n\"); exit(0); }";
    assertThat(Call.ply(script)).isEqualTo(new Call(0, "hit\n", ""));
  }

  @Test
  void stacksHaveTheNamesOfItsFiles() throws Exception {
    Process traced = inOtherFiles();
    String uprobe = "uprobe:" + directory.resolve("seen/libcopy.so") + ":kill";
    Call call = Call.ply("-p", pid(traced), uprobe + " { print(ustack(perf, 1)); exit(0); }");
    assumeFalse(
        call.errors().contains("too much time"),
        "this machine reads the names of the C library too slowly");
    assertThat(call.output()).as(call.errors()).contains("kill").contains("libcopy.so");
    // bpftrace shows the path of the file, as perf does.
    Call path =
        Call.ply("bt", "-p", pid(traced), "-e", uprobe + " { print(ustack(perf, 1)); exit(); }");
    assertThat(path.output())
        .as(path.errors())
        .containsPattern("kill\\+0 \\(/.*/libcopy\\.so\\)\n");
  }
}
