package dev.ply.bpf.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.golden.GoldenTest;
import dev.ply.lang.PlyScript;
import dev.ply.target.Mechanism;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What programs on system calls do to find out which it is, and its arguments. */
class SystemCallCodeTest {
  private static final String READ =
      """
      name: sys_enter_read
      ID: 842
      format:
      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
      \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
      \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
      \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

      \tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;
      \tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;
      \tfield:char * buf;\toffset:24;\tsize:8;\tsigned:0;
      \tfield:size_t count;\toffset:32;\tsize:8;\tsigned:0;
      """;

  private static final String WRITES =
      "tracepoint:syscalls:sys_enter_write { @[data->fd] = sum(data->count); }";

  @Test
  void theTaskIsLoadedOnceAndItsRegistersAreNotCopied() {
    assertThat(listing(Offering.all(), WRITES))
        .containsOnlyOnce("bpf_get_current_task_btf")
        .containsOnlyOnce("bpf_task_pt_regs")
        .doesNotContain("bpf_probe_read_kernel");
  }

  @Test
  void aLoadedTaskHasPidAndTid() {
    String script =
        "tracepoint:syscalls:sys_enter_@(openat|write) / pid == 7 / { @[kpid] = count(); }";
    SimulatedTarget target =
        SimulatedTarget.create()
            .withAttachFeatures(Offering.all())
            .withTypes(SystemCallTypes.of("write"));
    assertThat(listing(target, script))
        .containsOnlyOnce("bpf_get_current_task_btf")
        .doesNotContain("bpf_get_current_pid_tgid");
    assertThat(listing(Offering.all().withoutLoads(), script)).contains("bpf_get_current_pid_tgid");
  }

  @Test
  void registersAreCopiedWhereTheyCannotBeLoaded() {
    assertThat(listing(Offering.all().withoutLoads(), WRITES))
        .contains("bpf_probe_read_kernel")
        .doesNotContain("bpf_task_pt_regs");
  }

  /** Where each system call is implemented in a function of its own. */
  @TestFactory
  Stream<DynamicNode> trampolines() {
    SimulatedTarget target =
        SimulatedTarget.create()
            .withAttachFeatures(Offering.all())
            .withTypes(SystemCallTypes.of("openat", "read", "write"))
            .withTracepoint("syscalls", READ);
    return GoldenTest.in("system-call")
        .section("bpf", file -> listing(target, CompilerOptions.DEFAULT, file.text("source")))
        .tests();
  }

  @TestFactory
  Stream<DynamicNode> selectedFromAllCalls() {
    SimulatedTarget target =
        SimulatedTarget.create()
            .withAttachFeatures(Offering.all())
            .withTypes(SystemCallTypes.of())
            .withTracepoint("syscalls", READ);
    return GoldenTest.in("all-system-calls")
        .section("bpf", file -> listing(target, file.text("source")))
        .tests();
  }

  private static String listing(Offering offering, String script) {
    return listing(SimulatedTarget.create().withAttachFeatures(offering), script);
  }

  private static String listing(SimulatedTarget target, String script) {
    return listing(target, CompilerOptions.DEFAULT.attachedBy(Mechanism.RAW_SYSCALLS), script);
  }

  private static String listing(SimulatedTarget target, CompilerOptions options, String script) {
    return Disassembler.listing(
        new TraceCompiler(target, options)
            .compile(PlyScript.parse(script))
            .programs()
            .get(0)
            .program()
            .code());
  }
}
