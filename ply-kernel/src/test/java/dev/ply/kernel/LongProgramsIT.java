package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ply.PreparedTrace;
import dev.ply.lang.PlyScript;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The running kernel takes long programs, and loops whose ends are computed; nothing is run. */
@Tag("live")
@Tag("oldest")
class LongProgramsIT {
  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BEGIN { @m[7] = 15; for ($i : @m[7]..20) { if ($i == 17) { @z[$i]++; } print($i); } }",
        "BEGIN { for ($i : pid..(cpu + 3)) { if ($i == 5) { @c = comm; } if ($i > 9) { break; }"
            + " print($i); } }",
        "BEGIN { for ($i : (nsecs % 7)..20) { for ($j : $i..5) { if ($j == 2) { @q[$j]++; }"
            + " @w[$i] = $j; } } }",
        "BEGIN { unroll (3) { for ($i : pid..20) { if ($i % 2) { continue; } @c[$i] = count(); } }"
            + " }",
        "BEGIN { @x[1] = 1; for ($kv : @x) { for ($i : $kv.1..20) { if ($i == 3) { @m[$i]++; }"
            + " print($i); } } }",
      })
  void rangesWithComputedEndsAndBranchesAreTaken(String script) {
    assertTaken(script);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"3500 | print(1);", "25 | print(str_concat(comm, comm));", "1000 | @s = sum(1);"})
  void longProgramsAreTaken(int count, String statement) {
    assertTaken("BEGIN { " + statement.repeat(count) + " }");
  }

  private static void assertTaken(String script) {
    assertThatCode(
            () -> {
              try (KernelTracer tracer = KernelTracer.open();
                  PreparedTrace trace = tracer.prepare(PlyScript.parse(script))) {
                assertThat(trace.disassembly()).isNotEmpty();
              }
            })
        .doesNotThrowAnyException();
  }
}
