package dev.ply.bpf.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.generate.Scene;
import dev.ply.bpf.generate.Scripts;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ScriptPropertyTest {
  private static final SimulatedTarget TARGET = Scene.target();

  /** The kernel follows 3890 instructions of it; stack that nobody reads kept states apart here. */
  @Test
  void aScriptOfManyPathsIsAccepted() {
    Script script = new Scripts(new Random(2_990_222), 10).script();
    assertThat(new TraceCompiler(TARGET, CompilerOptions.DEFAULT).compile(script).programs())
        .hasSize(3);
  }

  @Property(tries = 150)
  void everyRightScriptIsAcceptedAndRuns(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int size) {
    Random random = new Random(seed);
    Script script = new Scripts(random, size).script();
    try (var tracer = SimulatedTracer.create(TARGET);
        Session session = tracer.prepare(script).printTo(text -> {}).start()) {
      for (var point : List.copyOf(Scene.POINTS).subList(0, 3)) {
        for (int i = 0; i < 3; i++) {
          tracer.fire(new Scene(random, point).firing());
        }
      }
      tracer.advance(Duration.ofSeconds(2));
      session.stop();
      assertThat(session.tables())
          .allSatisfy(named -> assertThat(named.table().toString()).isNotNull());
    } catch (RuntimeException e) {
      throw new AssertionError(IrPrinter.print(script), e);
    }
  }
}
