package dev.ply.bpf.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.asm.Disassembler;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.lang.PlyScript;
import org.junit.jupiter.api.Test;

/** What programs on all system calls do to find out which it is, and its arguments. */
class SystemCallCodeTest {
  private static final String WRITES =
      "tracepoint:syscalls:sys_enter_write { @[data->fd] = sum(data->count); }";

  @Test
  void the_thread_is_asked_once_and_its_registers_are_not_copied() {
    assertThat(listing(Offering.all(), WRITES))
        .containsOnlyOnce("bpf_get_current_task_btf")
        .containsOnlyOnce("bpf_task_pt_regs")
        .doesNotContain("bpf_probe_read_kernel");
  }

  @Test
  void registers_are_copied_where_they_cannot_be_loaded() {
    assertThat(listing(Offering.all().withoutLoads(), WRITES))
        .contains("bpf_probe_read_kernel")
        .doesNotContain("bpf_task_pt_regs");
  }

  private static String listing(Offering offering, String script) {
    SimulatedTarget target = SimulatedTarget.create().withAttachFeatures(offering);
    return Disassembler.listing(
        new TraceCompiler(target, CompilerOptions.DEFAULT)
            .compile(PlyScript.parse(script))
            .programs()
            .get(0)
            .program()
            .code());
  }
}
