package dev.ply.lang;

import static dev.ply.Values.cpu;
import static dev.ply.Values.regs;
import static dev.ply.Values.stack;
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

  private static void assertTwins(String text, Probe probe) {
    assertThat(IrPrinter.print(Probe.script(List.of(probe))))
        .isEqualTo(IrPrinter.print(PlyScript.parse(text)));
  }
}
