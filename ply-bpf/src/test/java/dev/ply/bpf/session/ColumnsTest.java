package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Column;
import dev.ply.layout.Columns;
import dev.ply.layout.OutputFormat;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows of tools, in lines of a terminal and without one. */
class ColumnsTest {
  private static final Columns COLUMNS =
      new Columns(
          List.of(
              column("PID", 7, 7, Column.Alignment.LEFT),
              column("ADDR", 10, 16, Column.Alignment.LEFT),
              column("LAT(ms)", 8, 8, Column.Alignment.RIGHT),
              new Column(
                  "PATH", OptionalInt.empty(), OptionalInt.empty(), Column.Alignment.LEFT, true)),
          Map.of(
              "@m",
              List.of(
                  column("NAME", 10, 20, Column.Alignment.LEFT),
                  column("COUNT", 6, 6, Column.Alignment.RIGHT),
                  column("SIZE_KB", 8, 8, Column.Alignment.RIGHT))));

  private static final String SCRIPT =
      "config = { print_maps_on_exit = false; }"
          + " uprobe:c:f { print(pid, \"2001:db8::1:2:3\", (uint64)1234567, str(arg0)); }"
          + " uprobe:c:g { @m[str(arg0)] = stats(arg1); } END { print(@m); }";

  private static Column column(String heading, int width, int most, Column.Alignment alignment) {
    return new Column(heading, OptionalInt.of(width), OptionalInt.of(most), alignment, true);
  }

  private static String output(Columns columns) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SimulatedTracer tracer =
            SimulatedTracer.create(SimulatedTarget.create().withUserFunctions("c", "f", "g"));
        Session session =
            tracer
                .prepare(PlyScript.parse(SCRIPT))
                .writeTo(out, columns.layout(OutputFormat.TEXT))
                .start()) {
      Firings.fire(
          tracer,
          """
          uprobe:c:f arg0="/a/long/path/to/some/file" pid=12
          uprobe:c:g arg0="a name that is long" arg1=2048
          uprobe:c:g arg0="a name that is long" arg1=1024
          """);
      session.stop();
    }
    return columns.heading() + "\n" + out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void rowsAreAsLongAsTheyAre() {
    assertThat(output(COLUMNS))
        .isEqualTo(
            """
            PID     ADDR        LAT(ms) PATH
            12      2001:db8::1:2:3    1.234 /a/long/path/to/some/file
            NAME        COUNT  SIZE_KB
            a name that is long      2        3
            """);
  }

  @Test
  void columnsWidenWhereALineHasRoom() {
    assertThat(output(COLUMNS.inLinesOf(70)))
        .isEqualTo(
            """
            PID     ADDR              LAT(ms) PATH
            12      2001:db8::1:2:3     1.234 /a/long/path/to/some/file
            NAME                  COUNT  SIZE_KB
            a name that is long       2        3
            """);
  }

  @Test
  void textIsCutWhereALineIsTooNarrow() {
    assertThat(output(COLUMNS.inLinesOf(40)))
        .isEqualTo(
            """
            PID     ADDR        LAT(ms) PATH
            12      2001:db8:…    1.234 /a/long/pat…
            NAME                  COUNT  SIZE_KB
            a name that is long       2        3
            """);
  }

  /** Numbers are never cut, and neither are headings. */
  @ParameterizedTest
  @CsvSource({"1", "20", "33", "50", "79", "200"})
  void linesAreAligned(int characters) {
    List<String> lines = output(COLUMNS.inLinesOf(characters)).lines().toList();
    assertThat(lines.get(1)).contains("12 ").contains("1.234");
    assertThat(lines.get(0).indexOf("LAT(ms)") + "LAT(ms)".length())
        .isEqualTo(lines.get(1).indexOf("1.234") + "1.234".length());
    assertThat(lines.get(2)).hasSameSizeAs(lines.get(3));
    if (characters >= 40) {
      assertThat(lines).allMatch(line -> line.length() <= characters);
    }
  }
}
