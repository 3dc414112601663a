package dev.ply.cli.bpftrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of the running kernel, computed as bpftrace does. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class BpftraceValuesIT {
  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  /** What is the kernel's stays so in probes of programs, whose own pointers are the process's. */
  @Test
  void theTaskIsReadInTheKernelInProbesOfPrograms() {
    String script =
        "uprobe:c:malloc / pid == cpid / { $task = curtask->group_leader;"
            + " printf(\"%d %d %d %d\\n\", curtask->tgid == pid, $task->tgid == leader_tid,"
            + " leader_comm == comm, curtask->group_leader->comm == comm); exit(); }";
    assertThat(Call.ply("bt", "-q", "-c", "ls /", "-e", script).output()).contains("1 1 1 1");
  }

  @Test
  void theCommandThatIsStartedHasAPid() {
    String script =
        "BEGIN { printf(\"%d %d %d\\n\", cpid == $target, __builtin_cpid == cpid(), has_cpid); }";
    assertThat(Call.ply("bt", "-q", "-c", "true", "-e", script).output().strip())
        .isEqualTo("1 1 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "@ = (int32 *)0x32; @ += 6; @--; printf(\"%x\\n\", @); clear(@)                | 46",
        "printf(\"a\\n\"); if (usermode) { exit(); } printf(\"b\\n\")                  | a",
        "printf(\"%d %d\\n\", ppid(curtask) == ppid, pcomm(curtask) == pcomm)          | 1 1",
        "printf(\"%d %d\\n\", leader_tid(curtask) == pid, __builtin_cpu == cpu())      | 1 1",
        "print((int8[])\"hi\"); print((buf(\"ab\", 2), 1)); if (buf(\"a\", 1) == buf(\"a\", 1)) {"
            + " print(3) } | [104,105,0] (ab, 1) 3",
      })
  void areThoseOfBpftrace(String statements, String output) {
    Call call = Call.ply("bt", "-q", "-e", "BEGIN { " + statements + " }");
    assertThat(call.errors()).isEmpty();
    assertThat(call.output().strip().replace('\n', ' ')).isEqualTo(output);
  }
}
