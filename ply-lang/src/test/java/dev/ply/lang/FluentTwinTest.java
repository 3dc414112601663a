package dev.ply.lang;

import static dev.ply.Values.cpu;
import static dev.ply.Values.pid;
import static dev.ply.Values.retval;
import static dev.ply.Values.stack;
import static dev.ply.value.ProbeValues.regs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.ir.IrPrinter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What text and Java code say alike is one representation. */
class FluentTwinTest {
  @Test
  void clocks() {
    assertTwins("profile:99hz { @ = count(); }", Probe.profile(99).count());
    assertTwins("profile:hz:49 { @[cpu] = count(); }", Probe.profile(49).by(cpu()).count());
    assertTwins("profile:1:99hz { @ = count(); }", Probe.profile(1, 99).count());
    assertTwins("profile:ms:10 { @ = count(); }", Probe.profile(Duration.ofMillis(10)).count());
    assertTwins("i:500ms { @ = count(); }", Probe.interval(Duration.ofMillis(500)).count());
  }

  @Test
  void registersAndStacks() {
    assertTwins(
        "kretprobe:vfs_read / regs->rax == 0 / { @[kstack] = count(); }",
        Probe.kretprobe("vfs_read").where(regs("rax").eq(0)).by(stack()).count());
  }

  @Test
  void returnsOfManyCalls() {
    assertTwins(
        "kretprobe:ext4:ext4_sync_file:64 { @ = count(); }",
        Probe.kretprobe("ext4:ext4_sync_file", 64).count());
    assertTwins("kr:vfs_[ab:1]*:8{ @ = count(); }", Probe.kretprobe("vfs_[ab:1]*:8").count());
  }

  @Test
  void placesInPrograms() {
    assertTwins("u:c:malloc{ @ = count(); }", Probe.uprobe("c", "malloc").count());
    assertTwins(
        "uprobe:/bin/bash:readline+0x10 { @ = count(); }",
        Probe.uprobe("/bin/bash", "readline+16").count());
    assertTwins(
        "uprobe:\"/opt/a b/x\":0x31F00 { @ = count(); }",
        Probe.uprobe("/opt/a b/x", "0x31f00").count());
    assertTwins(
        "ur:/bin/bash:read*/pid == 1/{ @ = quantize(retval); }",
        Probe.uretprobe("/bin/bash", "read*").where(pid().eq(1)).quantize(retval()));
    assertTwins(
        "uprobe:4711:_ZN3foo3barEv { @ = count(); }",
        Probe.uprobe("4711", "_ZN3foo3barEv").count());
  }

  @Test
  void marksAndCounters() {
    assertTwins("U:/bin/x:p:n { @ = count(); }", Probe.usdt("/bin/x", "p:n").count());
    assertTwins("usdt:4711:gc__* { @ = count(); }", Probe.usdt("4711", "gc__*").count());
    assertTwins("usdt:x:[[:alpha:]]* { @ = count(); }", Probe.usdt("x", "[[:alpha:]]*").count());
    assertTwins("rt:sched_switch { @ = count(); }", Probe.rawTracepoint("sched_switch").count());
    assertTwins("s:faults { @ = count(); }", Probe.software("page-faults:100").count());
    assertTwins("software:cs: { @ = count(); }", Probe.software("context-switches").count());
    assertTwins("h:cycles:1e6 { @ = count(); }", Probe.hardware("cpu-cycles:1000000").count());
  }

  private static void assertTwins(String text, Probe probe) {
    assertThat(IrPrinter.print(Probe.script(List.of(probe))))
        .isEqualTo(IrPrinter.print(PlyScript.parse(text)));
  }
}
