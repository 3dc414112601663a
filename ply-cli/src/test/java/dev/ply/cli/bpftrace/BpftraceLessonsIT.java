package dev.ply.cli.bpftrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first programs of those who learn bpftrace, over a command whose events are known. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class BpftraceLessonsIT {
  private static final String COPY = "dd if=/dev/zero of=/dev/null bs=100 count=50 status=none";

  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  /** Runs a program while a command runs. */
  private static String output(String command, String program) {
    Call call = Call.ply("bt", "-q", "-c", command, "-e", program);
    assertThat(call.errors()).isEmpty();
    return call.output();
  }

  @Test
  void probesAreListed() {
    Call call = Call.ply("bt", "-l", "tracepoint:syscalls:sys_enter_op*");
    assertThat(call.output().lines())
        .isSorted()
        .contains(
            "tracepoint:syscalls:sys_enter_open",
            "tracepoint:syscalls:sys_enter_openat",
            "tracepoint:syscalls:sys_enter_openat2");
  }

  @Test
  void hello() {
    assertThat(output("true", "BEGIN { printf(\"hello world\\n\"); }"))
        .isEqualTo("hello world\n\n\n");
  }

  @Test
  void filesAreOpened() {
    String opens =
        "tracepoint:syscalls:sys_enter_openat / pid == cpid /"
            + " { printf(\"%s %s\\n\", comm, str(args.filename)); }";
    assertThat(output(COPY, opens).lines()).contains("dd /dev/zero", "dd /dev/null");
  }

  @Test
  void systemCallsAreCounted() {
    String counts = "tracepoint:raw_syscalls:sys_enter / pid == cpid / { @[comm] = count(); }";
    assertThat(output(COPY, counts)).matches("(?s).*\n@\\[dd\\]: \\d{3}\n");
  }

  @Test
  void bytesAreDistributed() {
    String sizes = "tracepoint:syscalls:sys_exit_read / pid == cpid / { @bytes = hist(args.ret); }";
    assertThat(output(COPY, sizes))
        .startsWith("\n\n@bytes:\n")
        .contains("[64, 128)             50 |" + "@".repeat(52) + "|\n");
  }

  @Test
  void eventsOfProcessesAreCounted() {
    String events =
        "tracepoint:sched:sched_process* / pid == cpid / { @[probe] = count(); }"
            + " interval:s:60 { exit(); }";
    assertThat(output(COPY, events).lines())
        .contains(
            "@[tracepoint:sched:sched_process_exec]: 1",
            "@[tracepoint:sched:sched_process_exit]: 1");
  }

  @Test
  void stacksAreCounted() {
    String stacks = "tracepoint:sched:sched_process_exit / pid == cpid / { @[kstack] = count(); }";
    assertThat(output(COPY, stacks)).matches("(?s)\n\n@\\[\n(        \\S+\\+\\d+\n)+\\]: 1\n");
  }

  @Test
  void blocksAreDistributed() {
    String sizes =
        "tracepoint:block:block_rq_issue / pid == cpid / { @ = hist(args.bytes); @n = count(); }"
            + " END { print(@n); }";
    Path file = directory.resolve("blocks");
    // Not every file system has blocks, and these may write by a thread of the kernel.
    assertThat(output("dd if=/dev/zero of=" + file + " bs=4096 count=4 status=none", sizes))
        .contains("@n: ");
  }

  /** They need probes on functions, which not every kernel has. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "kretprobe:vfs_read { @bytes = lhist(retval, 0, 2000, 200); }",
        "kprobe:vfs_read { @start[tid] = nsecs; } kretprobe:vfs_read /@start[tid]/"
            + " { @ns[comm] = hist(nsecs - @start[tid]); delete(@start, tid); }",
        "#ifndef BPFTRACE_HAVE_BTF\n#include <linux/path.h>\n#include <linux/dcache.h>\n#endif\n"
            + "kprobe:vfs_open\n{\n  printf(\"open path: %s\\n\","
            + " str(((struct path *)arg0)->dentry->d_name.name));\n}\n",
      })
  void probesOnFunctionsCompile(String program) {
    // A kernel may lack kinds of probes; what is wrong besides is said all the same.
    assertThat(
            Call.ply("bt", "--dry-run", "-e", program).errors().replace("error[not-offered]", ""))
        .doesNotContain("error[", "warning");
  }

  /** A profile may have no sample of a short command. */
  @Test
  void samplesAreCounted() {
    String profile = "profile:hz:999 / pid == cpid / { @[kstack] = count(); @n = count(); }";
    assertThat(output("dd if=/dev/zero of=/dev/null bs=1M count=2000 status=none", profile).lines())
        .anyMatch(line -> line.startsWith("@n: "));
  }
}
