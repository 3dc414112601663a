package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import dev.ply.machine.KernelVersion;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts are as long, and loops run as often, as the running kernel lets programs. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class LimitsIT {
  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @Test
  void aProbeUsesHundredsOfMaps() {
    String statements =
        many(
            100,
            i ->
                "@a%1$d = %1$d; @b%1$d = count(); @c%1$d[pid] = %1$d; @d%1$d[comm] = count();"
                    .formatted(i));
    String loop = " $n = 0; for ($kv : @c9) { $n += $kv.1; } printf(\"%d %d\\n\", $n, len(@d9));";
    Call call = bt("BEGIN { " + statements + loop + " exit(); }");
    assertThat(call.errors()).isEmpty();
    assertThat(call.output().lines())
        .contains("9 1", "@a99: 99", "@b0: 1")
        .filteredOn(line -> line.startsWith("@"))
        .hasSize(400);
  }

  /** Jumps reach 32,767 instructions. */
  @Test
  void aProbeHasHundredsOfStatementsAndVariables() {
    String statements =
        many(
            200,
            i ->
                ("$v%1$d = pid + %1$d; if ($v%1$d == 0) { printf(\"%%d %%s\\n\", $v%1$d, comm);"
                        + " return; } @[%1$d, comm] = count();")
                    .formatted(i));
    Call call = bt("BEGIN { " + statements + " printf(\"%d\\n\", $v199 - $v0); exit(); }");
    assertThat(call.errors()).isEmpty();
    assertThat(call.output()).contains("199\n");
    assertThat(call.output().lines().filter(line -> line.startsWith("@["))).hasSize(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "for ($i : 0..100000) { $n += $i % 3; } | 99999",
        "for ($i : 0..3000000) { $n++; } | 3000000",
        "while ($n < 100000) { $n++; } | 100000",
        "while (1) { $n++; if ($n == 5000) { break; } } | 5000",
        "for ($i : 0..2000) { for ($j : 0..2000) { $n++; if ($j == 999) { break; } } } | 2000000",
        "for ($i : 0..5000) { if ($i % 2 == 0) { continue; } $n++; } | 2500",
        "for ($i : 0..20) { for ($j : 0..20) { for ($k : 0..20) { for ($l : 0..20) { $n++; } } } }"
            + " | 160000",
        "$b = 9000; while ($b > 0) { $b--; while ($n % 2 == 0) { $n++; } $n++; } | 18000",
        "for ($i : 0..9000) { @[$i % 9] = count(); } for ($k : 0..2000) { for ($kv : @) {"
            + " $n += $kv.1; } } clear(@); | 18000000",
        "for ($i : 0..90000) { if ($i == 70000) { printf(\"%d\\n"
            + "\", $i); exit(); return; } } | 70000",
        "for ($i : 0..9000) { $s = comm; if ($s == comm) { $n++; } } | 9000",
      })
  void aLoopRunsToItsEnd(String loop, String result) {
    assumeLoopHelper();
    Call call = bt("BEGIN { $n = 0; " + loop + " printf(\"%d\\n\", $n); exit(); }");
    assertThat(call.errors()).doesNotContain("error");
    assertThat(call.output().strip()).isEqualTo(result);
  }

  @Test
  void aLoopWithoutEndIsStoppedAndSaid() {
    assumeLoopHelper();
    Call call = bt("BEGIN { $n = 0; while (1) { $n++; } printf(\"%d\\n\", $n); exit(); }");
    assertThat(call.output().strip()).isEqualTo("1048576");
    assertThat(call.errors())
        .contains("a loop was stopped after the default maximum of iterations, 1048576")
        .contains("max_loop_iterations");
    Call own =
        bt(
            "config = { max_loop_iterations = 7 } BEGIN { $n = 0; while (1) { $n++; }"
                + " printf(\"%d\\n\", $n); exit(); }");
    assertThat(own.output().strip()).isEqualTo("7");
    assertThat(own.errors()).contains("a loop was stopped after 7 iterations");
  }

  @Test
  void aStringHasThousandsOfBytes() {
    assumeLoopHelper();
    String script =
        "config = { max_strlen = 9999 } t:syscalls:sys_enter_execve / pid == cpid / {"
            + " $s = str(args.filename); @[$s] = $s; for ($kv : @) { print($kv); }"
            + " printf(\"%s\\n\", $s); print((1, (2, $s))); }";
    String name = "/" + "x".repeat(3000);
    Call call = Call.ply("bt", "-q", "-c", "/usr/bin/env " + name, "-e", script);
    assertThat(call.output())
        .contains("(" + name + ", " + name + ")")
        .contains("\n" + name + "\n")
        .contains("(1, (2, " + name + "))")
        .contains("@[" + name + "]: " + name);
  }

  private static void assumeLoopHelper() {
    assumeTrue(
        KernelVersion.parse(System.getProperty("os.version")).isAtLeast(5, 17),
        "Linux 5.17 has bpf_loop");
  }

  private static String many(int count, IntFunction<String> statement) {
    return IntStream.range(0, count).mapToObj(statement).collect(Collectors.joining(" "));
  }

  private static Call bt(String script) {
    return Call.ply("bt", "-q", "-e", script);
  }
}
