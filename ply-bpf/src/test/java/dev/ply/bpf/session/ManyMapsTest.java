package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.machine.Architecture;
import dev.ply.result.Result;
import dev.ply.text.TextBuffer;
import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many maps are stored in fewer, and nobody can tell. */
class ManyMapsTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);

  /** More maps than have their own, of each kind. */
  private static final String OTHERS =
      IntStream.range(0, 30)
          .mapToObj(
              i ->
                  "@z%1$d = %1$d; @y%1$d[%1$d, pid] = %1$d; @x%1$d[pid] = count(); @w%1$d = count();"
                      .formatted(i))
          .collect(Collectors.joining(" "));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@ = 7; @ += 2; @++; print(@);",
        "@a = 1; @b = 2; @a = @b + @a; if (@b == 2) { clear(@b); } printf(\"%d %d\", @a, @b);",
        "@[1] = 5; @[2] = 6; delete(@[1]); printf(\"%d %d %d\", len(@), @[1], @[2]);",
        "@[\"k\", 3] = \"text\"; print(@[\"k\", 3]); print(@); for ($kv : @) { print($kv); }",
        "@[1] = 5; @o[1] = 6; $n = 0; for ($kv : @) { $n += $kv.1; } print($n); zero(@o);",
        "@ = count(); @s = sum(4); @m = max(9); @n = min(3); @a = avg(8); print(@m); zero(@m);",
        "@[3] = count(); @[4] = count(); clear(@); @[5] = count(); print(@, 1); print(len(@));",
        "@[3] = count(); @[4] = count(); zero(@); @q[1] = sum(2); @q[2] = sum(3); zero(@q);",
        "@ = quantize(5); @l = lhist(5, 0, 10, 1); @k[\"a\"] = quantize(4); @k[\"b\"] = hist(3);",
        "@[pid] = max(4); @[pid] = max(7); @o[pid] = min(4); print(@[pid]); clear(@o);",
        "@ = (1, \"two\"); print(@.1); if (has_key(@h, 1)) { print(1); } @h[1] = 1;",
        "@[1] = 1; @p[1] = 1; for ($kv : @) { for ($o : @p) { @r[$kv.0] = $o.1; } clear(@p); }",
      })
  void mapsAmongManyShowWhatTheyShowAlone(String statements) {
    assertThat(run(statements + " " + OTHERS)).isEqualTo(run(statements)).isNotEmpty();
  }

  @Test
  void theOthersAreAllThere() {
    assertThat(runAll(OTHERS).lines().filter(line -> !line.isEmpty()))
        .contains("@z29: 29", "@y7[7, 100]: 7", "@x3[100]: 1", "@w11: 1")
        .hasSize(4 * 30);
  }

  @Test
  void moreSizesThanAProgramCanUseAreAnError() {
    String sizes =
        IntStream.rangeClosed(1, 40)
            .mapToObj(
                i -> "@m%1$d[str(arg0, %2$d)] = 1; @v%1$d = str(arg0, %2$d);".formatted(i, 8 * i))
            .collect(Collectors.joining(" "));
    assertThatThrownBy(() -> runAll(sizes))
        .isInstanceOfSatisfying(
            CompilationException.class,
            refusal ->
                assertThat(refusal.diagnostics().get(0).message())
                    .matches(
                        "this probe's clauses use \\d+ maps of different sizes: the kernel lets a"
                            + " program use "
                            + BpfProgram.MOST_MAPS));
  }

  private static String run(String statements) {
    return runAll(statements)
        .lines()
        .filter(line -> !line.matches("@[zyxw]\\d.*"))
        .collect(Collectors.joining("\n"));
  }

  private static String runAll(String statements) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TextBuffer maps = new TextBuffer();
    try (var tracer = SimulatedTracer.create(TARGET);
        Session session =
            tracer
                .prepare(PlyScript.parse("kprobe:f { " + statements + " }"))
                .writeTo(bytes, Layout.BPFTRACE)
                .start()) {
      tracer.fire(Firing.kprobe("f").pid(100));
      session.stop();
      layout(session, maps);
    }
    return TextBytes.decode(bytes.toByteArray()) + maps;
  }

  private static void layout(Session session, TextBuffer maps) {
    Layout.BPFTRACE
        .on(TARGET)
        .render(maps, new Result.Snapshot(session.tables(), Result.Occasion.FINAL));
  }
}
