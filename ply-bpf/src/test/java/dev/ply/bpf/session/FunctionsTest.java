package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import org.junit.jupiter.api.Test;

/** What functions print, from the script to the line. */
class FunctionsTest {
  /** Returns what BEGIN prints, and the maps that it leaves. */
  static String begin(String body) {
    StringBuilder out = new StringBuilder();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session =
            tracer
                .prepare(PlyScript.parse("BEGIN { " + body + " }"))
                .printTo(out::append)
                .start()) {
      session.stop();
      session
          .tables()
          .forEach(
              map ->
                  map.table()
                      .rows()
                      .forEach(row -> out.append(row.key()).append(row.value().toText())));
    }
    return out.toString();
  }

  @Test
  void timesAreFormattedByTheClockTheyAreFrom() {
    assertThat(
            begin(
                """
                $t = 86400000000000 + 3723004005006;
                printf("%s|%10s|\\n", strftime("%F %T.%f", $t), strftime("%H:%M", $t));
                print(strftime("%j", $t));
                """))
        .isEqualTo("1970-01-02 01:02:03.004005|     01:02|\n002\n");
  }

  @Test
  void aTimeWithAFormatIsPrinted() {
    assertThat(begin("time(\"%Y:%m\\n\"); $now = time; if ($now >= time()) { time(\"%d\"); }"))
        .isEqualTo("1970:01\n01");
  }

  @Test
  void formattedTimesAreKeysAndValues() {
    assertThat(begin("$s = strftime(\"%M\", 60000000000); @[$s] = strftime(\"%S\", 5000000000);"))
        .isEqualTo("0105");
  }

  @Test
  void formatsOfTimesAreLiterals() {
    assertThatThrownBy(() -> begin("print(strftime(comm, nsecs));"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("the format of \"strftime\" must be a string literal");
    assertThatThrownBy(() -> begin("$x = time(\"%H\");"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("this has no value that a variable could hold");
  }
}
