package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Choices between strings that user space decodes and those that the program has. */
class EncodedOrTextTest {
  private static String begin(String body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SimulatedTracer tracer = SimulatedTracer.create(SimulatedTarget.create());
        Session session =
            tracer
                .prepare(PlyScript.parse("BEGIN { $x = (int64)(pid - pid) - 2; " + body + " }"))
                .writeTo(out, Layout.BPFTRACE)
                .start()) {
      session.stop();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$e = $x < 0 ? strerror(-$x) : \"ok\"; print($e); | No such file or directory",
        "$e = $x > 0 ? strerror(-$x) : \"ok\"; print($e); | ok",
        "$e = $x > 0 ? \"ok\" : strerror(1); $e = \"better\"; print($e); | better",
        "$e = $x > 0 ? \"ok\" : strerror(1); $e = strerror(3); print($e); | No such process",
        "print($x < 0 ? signal_name(9) : \"none\"); | SIGKILL",
        "printf(\"[%-5s]\", $x > 0 ? signal_name(9) : \"no\"); | [no   ]",
        "print($x > 0 ? \"a\" : $x == -2 ? \"quite a long string, at least of 32\" : strerror(1));"
            + " | quite a long string, at least of 32",
        "print(($x == -2 ? comm : strerror(1), 7)); | (ply, 7)",
        "$t = ($x, $x == -2 ? \"a\" : strerror(1)); print($t.1); | a",
        "@m = $x == 1 ? \"a\" : strerror(1); print(@m); | @m: Operation not permitted",
        "@m[$x == -2 ? str(\"abc\") : strerror(1)] = 1; print(@m); | @m[abc]: 1",
      })
  void bothAreShown(String statement, String shown) {
    assertThat(begin(statement).lines().findFirst()).contains(shown);
  }

  @Test
  void keysAreOneWhicheverBranchTheyComeFrom() {
    assertThat(
            begin(
                "for ($i : 0..6) { @[$i % 3 == 0 ? strerror(2) : $i % 3 == 1 ? \"one\" : \"three\"]"
                    + " = count(); } print(@);"))
        .contains("@[No such file or directory]: 2\n", "@[one]: 2\n", "@[three]: 2\n");
  }

  @Test
  void twoEncodingsAreNone() {
    assertThatThrownBy(() -> begin("print($x < 0 ? strerror(1) : signal_name(9));"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("this is a signal name, and the other value an error message");
  }
}
