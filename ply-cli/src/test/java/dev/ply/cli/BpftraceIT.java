package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs of {@code ply bt} that trace only what they start. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class BpftraceIT {
  private static final String READS = "dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none";

  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @Test
  void resultsAndMessagesAreThoseOfBpftrace() {
    assertThat(Call.ply("bt", "-e", "BEGIN { printf(\"%s\\n\", comm); @[1] = 2; exit(); } END { }"))
        .isEqualTo(new Call(0, "bpftrace\n\n\n@[1]: 2\n", "Attached 2 probes\n"));
  }

  @Test
  void quietRunsReportNoProbes() {
    assertThat(Call.ply("bt", "-q", "-e", "BEGIN { exit(7); }")).isEqualTo(new Call(7, "\n\n", ""));
  }

  @Test
  void aCommandsReadsAreCounted() {
    Call call =
        Call.ply(
            "bt",
            "-f",
            "json",
            "-c",
            READS,
            "-e",
            "tracepoint:syscalls:sys_enter_read / comm == \"dd\" && args.count == 1 /"
                + " { @reads = hist(args.count); }");
    assertThat(call.output())
        .startsWith("{\"type\": \"attached_probes\", \"data\": {\"probes\": 1}}\n")
        .contains("{\"type\": \"hist\", \"data\": {\"@reads\": [{\"min\": ");
  }

  /** The program's process executes one file: the program. */
  @Test
  void aCommandIsExecutedOnce() {
    Call call =
        Call.ply(
            "bt",
            "-q",
            "-c",
            "true $HOME",
            "-e",
            "t:sched:sched_process_exec / pid == $target / { @[comm] = count(); }");
    assertThat(call).isEqualTo(new Call(0, "\n\n@[true]: 1\n", ""));
  }

  @Test
  void oneProcessIsTracedUntilItEnds() throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", "read line; exec dd if=/dev/zero of=/dev/null bs=7 count=50")
            .redirectErrorStream(true)
            .start();
    Path output = directory.resolve("results");
    try {
      Thread starter = new Thread(() -> release(process, output));
      starter.start();
      Call call =
          Call.ply(
              "bt",
              "-o",
              output.toString(),
              "-B",
              "line",
              "-p",
              Long.toString(process.pid()),
              "-e",
              "tracepoint:raw_syscalls:sys_enter { @pids[pid] = count(); }"
                  + " t:syscalls:sys_enter_read / args.count == 7 / { @reads = count(); }"
                  + " interval:ms:10 { printf(\"attached\\n\"); }");
      starter.join();
      assertThat(call.output()).isEmpty();
      assertThat(call.errors()).isEqualTo("Attached 3 probes\n");
    } finally {
      process.destroyForcibly();
    }
    assertThat(output)
        .content()
        .matches("(attached\n)+\n\n@pids\\[" + process.pid() + "\\]: \\d+\n@reads: 50\n");
  }

  /** Lets the process run once the trace has written that it is attached. */
  private static void release(Process process, Path output) {
    try {
      while (process.isAlive() && (!Files.exists(output) || Files.size(output) == 0)) {
        Thread.onSpinWait();
      }
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void plyHasTheSameWithItsOwnLetters() throws Exception {
    Path output = directory.resolve("results");
    Call call =
        Call.ply("-q", "-f", "json", "-o", output.toString(), "BEGIN { @[1] = 2; exit(0); }");
    assertThat(call).isEqualTo(new Call(0, "", ""));
    assertThat(output).hasContent("{\"type\": \"map\", \"data\": {\"@\": {\"1\": 2}}}");
  }

  @Test
  void probesOfAProgramAreListed() {
    assertThat(Call.ply("bt", "-l", "-e", "BEGIN { } t:syscalls:sys_enter_rea[d] { }").output())
        .isEqualTo("BEGIN\ntracepoint:syscalls:sys_enter_read\n");
  }
}
