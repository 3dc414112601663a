package dev.ply.bpf.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The time limit for maps that events print. */
class PrintTimeTest {
  private static final String FILL =
      "BEGIN { for ($i : 0..3000) { @a[$i, comm, \"a longer part of the key\"] = 1; @b[$i] ="
          + " count(); } } ";

  private final List<String> reports = new ArrayList<>();

  /** Limits the time once, as soon as the output contains a line. */
  private static final class Watched extends ByteArrayOutputStream {
    private final String line;
    private Consumer<Watched> action = written -> {};

    Watched(String line) {
      this.line = line;
    }

    @Override
    public synchronized void write(byte[] bytes, int start, int length) {
      super.write(bytes, start, length);
      if (toString(StandardCharsets.UTF_8).contains(line)) {
        action.accept(this);
        action = written -> {};
      }
    }
  }

  private String run(String script, Layout layout, String line) {
    Watched out = new Watched(line);
    try (SimulatedTracer tracer =
            SimulatedTracer.create(SimulatedTarget.create(), CompilerOptions.DEFAULT);
        Session session =
            tracer
                .prepare(PlyScript.parse(FILL + script))
                .writeTo(out, layout)
                .reportTo(report -> reports.add(report.message()))
                .start()) {
      out.action = written -> session.limitPrintWait(Duration.ZERO);
      tracer.advance(Duration.ofSeconds(1));
      session.stop();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "print(@a)",
        "print(@b)",
        "print(@a, 500)",
        "print((1, 2)); print(@b)",
        "printf(\"%v\", @b)"
      })
  void whatAnEventPrintsIsCutAndSaid(String print) {
    String script =
        "interval:1s { printf(\"now\\n\"); " + print + "; print(7); } END { print(9); print(@b); }";
    String shown = run(script, Layout.BPFTRACE, "now\n");
    assertThat(shown).contains("now\n").contains("\n7\n9\n@b[");
    assertThat(shown.substring(0, shown.indexOf("\n9\n"))).doesNotContain("@");
    // END shows all.
    assertThat(shown.substring(shown.indexOf("\n9\n")).lines().filter(row -> row.startsWith("@b")))
        .hasSize(3000);
    assertThat(reports)
        .containsExactly("a map was not printed completely: the trace was interrupted");
  }

  static Stream<Layout> layouts() {
    return Stream.of(Layout.PLY, Layout.BPFTRACE, Layout.BPFTRACE_JSON);
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void whatFollowsACutMapIsALineOfItsOwn(Layout layout) {
    String shown = run("interval:1s { print(@a); } END { printf(\"end\\n\"); }", layout, "@a");
    assertThat(shown).hasSizeBetween(1 << 15, 1 << 16);
    assertThat(reports)
        .containsExactly("a map was not printed completely: the trace was interrupted");
    String last = shown.stripTrailing().lines().reduce((first, second) -> second).orElseThrow();
    assertThat(last)
        .isEqualTo(
            layout == Layout.BPFTRACE_JSON
                ? "{\"type\": \"printf\", \"data\": \"end\\n\"}"
                : "end");
  }

  @Test
  void whatEndPrintsIsCutIfTheTraceWasBeingStopped() {
    String shown =
        run("END { printf(\"now\\n\"); print(@a); print(@b); print(7); }", Layout.PLY, "now\n");
    assertThat(shown).isEqualTo("now\n7\n");
    assertThat(reports)
        .containsExactly(
            "a map was not printed completely: the trace was interrupted",
            "a map was not printed completely: the trace was interrupted");
  }
}
