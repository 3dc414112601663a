package dev.ply.bpf.session;

import static dev.ply.Values.bothStacks;
import static dev.ply.bpf.session.NamedReads.READ;
import static dev.ply.bpf.session.NamedReads.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.layout.Layout;
import dev.ply.table.FlameGraph;
import dev.ply.table.Stack;
import dev.ply.table.StackMode;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kernel's stack on the user stack is one key or value; each side can be missing. */
@Tag("any-java")
class BothStacksTest {
  private static void fire(SimulatedTracer tracer) {
    Firing inKernel = READ.stack(0xffff_ffff_8100_0004L, 0xffff_ffff_8100_0104L);
    Firing later = READ.stack(0xffff_ffff_8100_0004L, 0xffff_ffff_8100_0108L);
    tracer.fire(inKernel.userStack(0x1001L, 0x2004L));
    tracer.fire(inKernel.userStack(0x1001L, 0x2004L));
    tracer.fire(later.userStack(0x1001L, 0x2008L));
    tracer.fire(inKernel);
    tracer.fire(READ.userStack(0x1001L, 0x2004L));
    tracer.fire(READ);
  }

  private static String run(String body, Layout layout) {
    return NamedReads.run(body, layout, BothStacksTest::fire);
  }

  @Test
  void asAKey() {
    assertThat(run("kprobe:vfs_read { @[stack(both)] = count(); } END { print(@); }", Layout.PLY))
        .isEqualTo(
            """

            @:
            {\s
            \t<no stack>
             }: 1
            {\s
            \tread+1
            \tmain+4
             }: 1
            {\s
            \tvfs_read+4
            \tksys_read+4
             }: 1
            {\s
            \tvfs_read+4
            \tksys_read+8
            \tread+1
            \tmain+8
             }: 1
            {\s
            \tvfs_read+4
            \tksys_read+4
            \tread+1
            \tmain+4
             }: 2

            """);
  }

  @Test
  void byFunction() {
    assertThat(
            run(
                "kprobe:vfs_read { @[stack(both, functions, fp, 2)] = count(); } END { print(@); }",
                Layout.BPFTRACE))
        .isEqualTo(
            """
            @[
            ]: 1
            @[
                    read
                    main
            ]: 1
            @[
                    vfs_read
                    ksys_read
            ]: 1
            @[
                    vfs_read
                    ksys_read
                    read
                    main
            ]: 3
            """);
  }

  /** The depth is that of each side; both sides are parts of the value. */
  @Test
  void asAValue() {
    assertThat(
            run(
                "kprobe:vfs_read / @n++ < 1 / {"
                    + " $s = stack(both, 1); @x = $s; print($s); print(($s.user, $s.kernel));"
                    + " printf(\"%d %d %s\", len($s), len(stack(both)), stack(both, 1));"
                    + " print($s == @x); clear(@x); }",
                Layout.BPFTRACE))
        .isEqualTo(
            """

                    vfs_read+4
                    read+1

            (
                    read+1
            ,\s
                    vfs_read+4
            )
            2 4\s
                    vfs_read+4
                    read+1
            true
            """);
  }

  @Test
  void inJava() {
    var hot = Probe.kprobe("vfs_read").by(bothStacks()).count().named("hot");
    var merged = Probe.kprobe("vfs_read").by(bothStacks(StackMode.FUNCTIONS, 2)).count();
    record Sample(Stack stack, long count) {}
    try (var tracer = SimulatedTracer.create(TARGET);
        Session session = tracer.start(hot, merged)) {
      fire(tracer);
      List<Sample> samples = session.read(hot).rowsAs(Sample.class);
      assertThat(samples).hasSize(5);
      assertThat(samples.get(4).stack().frames())
          .extracting(Stack.Frame::toString)
          .containsExactly("vfs_read+4", "ksys_read+4", "read+1", "main+4");
      assertThat(FlameGraph.of(session.read(merged)).paths())
          .containsEntry(List.of("main", "read", "ksys_read", "vfs_read"), 3L)
          .hasSize(4);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stack(both, build_id) | kernel functions have no build ID",
        "stack(functions, both) | \"both\" is the first word of stack(…)",
        "ustack(both) | write stack(both), stack(both, 5) or stack(both, functions)",
        "stack(both, 0) | a stack trace cannot have 0 frames",
        "stack(both, gdb) | cannot be printed as \"gdb\"",
        "stack(both, fp, dwarf) | unknown mode",
        "stack(fp) | cannot be printed as \"fp\"",
        "stack(3, 4) | unknown mode",
      })
  void whatIsNoStackIsRefused(String stack, String words) {
    assertThatThrownBy(() -> run("kprobe:vfs_read { @[" + stack + "] = count(); }", Layout.PLY))
        .isInstanceOfSatisfying(
            CompilationException.class,
            e -> assertThat(e.diagnostics().toString()).contains(words));
  }
}
