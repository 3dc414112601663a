package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The least signed number of 64 bits, which is written as the negative of one that is too large.
 */
class LeastNumberTest {
  private static final String LEAST = "-9223372036854775808";

  private static String run(String script) {
    StringBuilder text = new StringBuilder();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session running = tracer.prepare(PlyScript.parse(script)).printTo(text::append).start()) {
      assertThat(running.end()).isEmpty();
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "LEAST, LEAST",
    "LEAST < 0, 1",
    "LEAST == INT64_MIN, 1",
    "LEAST / -1, LEAST",
    "LEAST % -1, 0",
    "LEAST >> 63, -1",
    "LEAST < 1 ? 5 : 6, 5",
    "-9223372036854775808LL, LEAST",
    "-(1LL << 63), LEAST",
    "-9223372036854775807 - 1, LEAST",
    "-9223372036854775808ULL, 9223372036854775808",
    "9223372036854775808, 9223372036854775808",
    "9223372036854775808 > 0, 1",
    "0x8000000000000000, 9223372036854775808",
    "18446744073709551615, 18446744073709551615",
    "INT64_MIN, LEAST",
    "INT64_MIN < 0, 1",
    "LLONG_MIN / -1, LEAST",
    "UINT64_MAX, 18446744073709551615",
    "UINT64_MAX > 0, 1",
  })
  void valuesAreThoseOfC(String expression, String value) {
    assertThat(run("BEGIN { print(" + expression.replace("LEAST", LEAST) + "); }"))
        .isEqualTo(value.replace("LEAST", LEAST) + "\n");
  }

  @Test
  void variablesAndMapsHaveIt() {
    assertThat(
            run(
                "#define LOW (-9223372036854775807LL - 1)\n"
                    + "BEGIN { $m = LEAST; @[LEAST] = 1; @m = min(LEAST); print($m / -1);"
                        .replace("LEAST", LEAST)
                    + " print($m == LOW); @k[LOW] = 2; print(@k[LEAST]); print(@[LEAST]); print(@m); }"
                        .replace("LEAST", LEAST)))
        .startsWith(LEAST + "\n1\n2\n1\n")
        .contains(LEAST, "m");
  }

  @Test
  void lessIsTooLittle() {
    assertThatThrownBy(() -> run("BEGIN { print(-9223372036854775809); }"))
        .hasMessageContaining("the number -9223372036854775809 does not fit in 64 bits");
    assertThatThrownBy(() -> run("BEGIN { @ = lhist(1, LEAST, 0, 1000); }".replace("LEAST", LEAST)))
        .hasMessageContaining("is wider than the numbers of 63 bits");
  }
}
