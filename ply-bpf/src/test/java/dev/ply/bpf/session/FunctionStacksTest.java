package dev.ply.bpf.session;

import static dev.ply.Values.arg;
import static dev.ply.Values.stack;
import static dev.ply.Values.ustack;
import static dev.ply.bpf.session.NamedReads.READ;
import static dev.ply.bpf.session.NamedReads.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.layout.Layout;
import dev.ply.table.Datum;
import dev.ply.table.FlameGraph;
import dev.ply.table.FrameKind;
import dev.ply.table.Stack;
import dev.ply.table.StackMode;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stacks of the same functions are one row, wherever in them calls are. */
@Tag("any-java")
class FunctionStacksTest {
  /** Two lines of main call read; work is another caller, and 0x77 has no name. */
  private static void fire(SimulatedTracer tracer) {
    tracer.fire(READ.pid(7).userStack(0x1001L, 0x2004L).arg(0, 10));
    tracer.fire(READ.pid(7).userStack(0x1001L, 0x2008L).arg(0, 30));
    tracer.fire(READ.pid(8).userStack(0x1001L, 0x2008L).arg(0, 5));
    tracer.fire(READ.pid(7).userStack(0x1001L, 0x3004L).arg(0, 40));
    tracer.fire(READ.pid(7).userStack(0x1001L, 0x77L).arg(0, 1));
    tracer.fire(READ.pid(7).userStack(0x1001L, 0x78L).arg(0, 1));
    tracer.fire(READ.pid(7));
    tracer.fire(READ.pid(8));
  }

  private static String run(String body, Layout layout) {
    String script = body.contains("END") ? body : body + " END { print(@); }";
    return NamedReads.run(script, layout, FunctionStacksTest::fire);
  }

  @Test
  void rowsMerge() {
    assertThat(run("kprobe:vfs_read { @[ustack(functions)] = count(); }", Layout.PLY))
        .isEqualTo(
            """

            @:
            {\s
            \tread
            \twork
             }: 1
            {\s
            \tread
            \t<0000000000000077>
             }: 1
            {\s
            \tread
            \t<0000000000000078>
             }: 1
            {\s
            \t<no user stack>
             }: 2
            {\s
            \tread
            \tmain
             }: 3

            """);
  }

  /** The first of the merged stacks tells nothing of who compiled the methods of the others. */
  @Test
  void javaMethodsHaveNoKindOfCode() {
    var merged = Probe.kprobe("vfs_read").by(ustack(StackMode.FUNCTIONS)).count().named("merged");
    var exact = Probe.kprobe("vfs_read").by(ustack()).count().named("exact");
    try (var tracer = SimulatedTracer.create(TARGET.withUserSymbols(new JavaCalls()));
        Session session = tracer.start(merged, exact)) {
      for (long tier = 0; tier < 4; tier++) {
        tracer.fire(READ.userStack(tier, 0x10L));
      }
      assertThat(session.read(exact).rows())
          .flatMap(row -> Stack.of(row.key().parts().get(0), TARGET.symbols()).frames())
          .extracting(Stack.Frame::kind)
          .containsOnly(
              FrameKind.INTERPRETED, FrameKind.C1, FrameKind.C2, FrameKind.INLINED, FrameKind.STUB);
      assertThat(session.read(merged).rows())
          .singleElement()
          .satisfies(
              row ->
                  assertThat(Stack.of(row.key().parts().get(0), TARGET.symbols()).frames())
                      .extracting(Stack.Frame::kind)
                      .containsExactly(FrameKind.JAVA, FrameKind.STUB));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "count() | 3",
        "sum(arg0) | 45",
        "min(arg0) | 5",
        "max(arg0) | 30",
        "avg(arg0) | 15",
        "stats(arg0) | count 3, average 15, total 45",
      })
  void eachAggregationByItsRule(String aggregation, String merged) {
    String script =
        "kprobe:vfs_read / arg0 && arg0 != 40 && arg0 != 1 / { @[ustack(functions)] = %s; }";
    assertThat(run(script.formatted(aggregation), Layout.PLY))
        .isEqualTo("\n@:\n{ \n\tread\n\tmain\n }: " + merged + "\n\n");
  }

  @Test
  void distributionsMerge() {
    String all = "kprobe:vfs_read / arg0 && arg0 < 32 && arg0 > 1 / { @[%s] = %s; }";
    for (String distribution :
        List.of("quantize(arg0)", "lhist(arg0, 0, 40, 10)", "hist(arg0, 2)")) {
      String merged = run(all.formatted("ustack(functions)", distribution), Layout.PLY);
      String alike = run(all.formatted("1", distribution), Layout.PLY);
      assertThat(merged.substring(merged.indexOf(" }:")))
          .isEqualTo(alike.substring(alike.indexOf(" }:")));
    }
  }

  @Test
  void inTheLayoutOfBpftrace() {
    String script = "kprobe:vfs_read / arg0 > 1 / { @[ustack(functions)] = count(); }";
    assertThat(run(script, Layout.BPFTRACE))
        .isEqualTo("@[\n        read\n        work\n]: 1\n@[\n        read\n        main\n]: 3\n");
  }

  /** The two rows of main are larger together than the one of work, but neither is alone. */
  @Test
  void theTopIsOfMergedRows() {
    assertThat(
            run(
                "kprobe:vfs_read / arg0 > 5 / { @[ustack(functions)] = sum(arg0 + 1); }"
                    + " END { print(@, 1); clear(@); }",
                Layout.PLY))
        .isEqualTo("\n@:\n{ \n\tread\n\tmain\n }: 42\n\n");
  }

  @Test
  void zeroKeepsMergedRows() {
    assertThat(
            run(
                "kprobe:vfs_read / arg0 > 1 / { @[ustack(functions)] = count(); }"
                    + " END { zero(@); print(@); }",
                Layout.PLY))
        .isEqualTo("\n@:\n{ \n\tread\n\twork\n }: 0\n{ \n\tread\n\tmain\n }: 0\n\n");
  }

  @Test
  void kernelStacksMerge() {
    var exact = Probe.kprobe("vfs_read").by(stack()).count().named("exact");
    var merged = Probe.kprobe("vfs_read").by(stack(StackMode.FUNCTIONS)).count().named("merged");
    var most = Probe.kprobe("vfs_read").by(ustack(StackMode.FUNCTIONS)).max(arg(0)).named("most");
    try (var tracer = SimulatedTracer.create(TARGET);
        Session session = tracer.start(exact, merged, most)) {
      tracer.fire(READ.stack(0xffff_ffff_8100_0004L, 0xffff_ffff_8100_0104L).arg(0, 1));
      tracer.fire(READ.stack(0xffff_ffff_8100_0004L, 0xffff_ffff_8100_0108L).arg(0, 3));
      tracer.fire(READ.stack(0xffff_ffff_8100_0104L).arg(0, 2));
      assertThat(session.read(exact).rows()).hasSize(3);
      assertThat(session.read(merged).rows())
          .hasSize(2)
          .last()
          .satisfies(row -> assertThat(row.value()).isEqualTo(2));
      assertThat(session.read(most).single()).isEqualTo(3);
      session.clear(merged);
      tracer.fire(READ.stack(0xffff_ffff_8100_0004L, 0xffff_ffff_8100_010cL));
      assertThat(session.read(merged).single()).isEqualTo(1);
    }
  }

  /** What is taken is cleared, and no update is in two tables. */
  @Test
  void whatIsTakenIsMerged() {
    var merged = Probe.kprobe("vfs_read").by(ustack(StackMode.FUNCTIONS)).count();
    try (var tracer = SimulatedTracer.create(TARGET);
        Session session = tracer.start(merged)) {
      fire(tracer);
      assertThat(session.take(merged).top(1))
          .singleElement()
          .satisfies(row -> assertThat(row.value()).isEqualTo(3));
      assertThat(session.take(merged)).isEmpty();
      fire(tracer);
      assertThat(session.take(merged).stream().mapToLong(row -> row.value()).sum()).isEqualTo(8);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "@[ustack(functions)] += 2; | rows with the same functions are merged, and plain values cannot be",
        "$s = ustack(functions); @[($s, 1)] = 1; | rows with the same functions are merged",
      })
  void whatCannotMergeIsRefused(String body, String words) {
    assertThatThrownBy(() -> run("kprobe:vfs_read { " + body + " }", Layout.PLY))
        .isInstanceOfSatisfying(
            CompilationException.class,
            e -> assertThat(e.diagnostics().toString()).contains(words));
  }

  @Test
  void theModeCanBeSetForAll() {
    assertThat(
            run(
                "config = { stack_mode = functions }"
                    + " kprobe:vfs_read / arg0 > 1 / { @[ustack(fp)] = count(); }",
                Layout.PLY))
        .isEqualTo("\n@:\n{ \n\tread\n\twork\n }: 1\n{ \n\tread\n\tmain\n }: 3\n\n");
  }

  /** Traces that no map has are forgotten once there are many; the rows stay one. */
  @Test
  void rowsMergeWhenOtherStacksAreForgotten() {
    var user = Probe.kprobe("vfs_read").by(ustack(StackMode.FUNCTIONS)).count().named("user");
    var kernel = Probe.kprobe("vfs_read").by(stack(StackMode.FUNCTIONS)).count().named("kernel");
    try (var tracer = SimulatedTracer.create(TARGET);
        Session session = tracer.start(user, kernel)) {
      for (int round = 0; round < 3; round++) {
        for (long offset = 0; offset < 0x250; offset++) {
          tracer.fire(
              READ.userStack(0x1000L + round, 0x2000L + offset)
                  .stack(0xffff_ffff_8100_0000L + round, 0xffff_ffff_8100_0100L + offset));
        }
        assertThat(session.take(user).single()).isEqualTo(0x250);
        assertThat(session.take(kernel).single()).isEqualTo(0x250);
      }
    }
  }

  /** A method that a JIT compiler made can have the name of a kernel function. */
  @Test
  void kernelFunctionsAreNoUserFunctions() {
    SimulatedTarget target = TARGET.withFunction("main", 0xffff_ffff_8200_0000L);
    var user = Probe.kprobe("vfs_read").by(ustack(StackMode.FUNCTIONS)).count().named("user");
    var kernel = Probe.kprobe("vfs_read").by(stack(StackMode.FUNCTIONS)).count().named("kernel");
    try (var tracer = SimulatedTracer.create(target);
        Session session = tracer.start(user, kernel)) {
      tracer.fire(READ.userStack(0x2001L).stack(0xffff_ffff_8200_0001L));
      assertThat(session.read(kernel).rows().get(0).key().parts().get(0))
          .isInstanceOf(Datum.Stack.class);
      assertThat(session.read(user).rows().get(0).key().parts().get(0))
          .isInstanceOf(Datum.UserStack.class);
    }
  }

  /** A flame graph is by function anyway: merging changes nothing in it, and no count is lost. */
  @Test
  void theFlameGraphIsTheSame() {
    Random random = new Random(1);
    var exact = Probe.kprobe("vfs_read").by(ustack()).count().named("exact");
    var merged = Probe.kprobe("vfs_read").by(ustack(StackMode.FUNCTIONS)).count().named("merged");
    try (var tracer = SimulatedTracer.create(TARGET);
        Session session = tracer.start(exact, merged)) {
      for (int i = 0; i < 200; i++) {
        tracer.fire(
            READ.userStack(
                random.longs(1 + random.nextInt(3), 0xff8, 0x3004).boxed().toArray(Long[]::new)));
      }
      assertThat(FlameGraph.of(session.read(merged))).isEqualTo(FlameGraph.of(session.read(exact)));
      assertThat(session.read(merged).rows())
          .extracting(row -> FlameGraph.path(row.key(), TARGET.symbols()))
          .doesNotHaveDuplicates();
    }
  }
}
