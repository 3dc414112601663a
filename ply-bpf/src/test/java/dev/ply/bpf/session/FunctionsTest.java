package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import java.time.Duration;
import java.util.List;
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
  void addressesAreFormattedByTheirFamily() {
    assertThat(
            begin(
                """
                $a = ntop(0); if (pid != 0) { $a = ntop(AF_INET, 0x0100007f); }
                printf("%s|%12s|%s\\n", $a, ntop(0x0a00000a), ntop(99, 1));
                @[ntop(1)] = 1;
                """))
        .isEqualTo("127.0.0.1|   10.0.0.10|\n1.0.0.01");
  }

  @Test
  void bytesAreSwappedByTheWidthOfTheType() {
    assertThat(
            begin(
                """
                $x = 0x1122334455667788;
                printf("%x %x %x %x\\n", bswap((uint8)$x), bswap((uint16)$x), bswap((int32)$x), bswap($x));
                """))
        .isEqualTo("88 8877 88776655 8877665544332211\n");
  }

  @Test
  void errorNumbersHaveMessages() {
    assertThat(begin("printf(\"%s, %s, %s\\n\", strerror(ENOENT), strerror(-1), strerror(0));"))
        .isEqualTo("No such file or directory, Unknown error -1, Success\n");
    assertThat(begin("print(is_err(-2), is_err(-4095), is_err(-4096), is_err(0));"))
        .isEqualTo("1, 1, 0, 0\n");
  }

  @Test
  void elapsedCountsFromTheStart() {
    StringBuilder out = new StringBuilder();
    String script = "BEGIN { print(elapsed); } interval:1s { print(elapsed / 1e9); @[1] = 2; }";
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.prepare(PlyScript.parse(script)).printTo(out::append).start()) {
      tracer.advance(Duration.ofSeconds(2));
      session.stop();
      assertThat(session.tables()).hasSize(1);
    }
    assertThat(out).hasToString("0\n1\n2\n");
  }

  @Test
  void missingProbesAreSkippedWhereTheScriptSaysSo() {
    String probes = "uprobe:/lib/x:gone* { @ = count(); } BEGIN { print(1); }";
    SimulatedTarget target = SimulatedTarget.create().withUserFunctions("/lib/x", "there");
    StringBuilder out = new StringBuilder();
    try (SimulatedTracer tracer = SimulatedTracer.create(target)) {
      assertThatThrownBy(() -> tracer.prepare(PlyScript.parse(probes)))
          .isInstanceOf(CompilationException.class);
      for (String policy : List.of("ignore", "warn")) {
        PreparedTrace trace =
            tracer.prepare(
                PlyScript.parse("config = { missing_probes = " + policy + " } " + probes));
        assertThat(trace.warnings()).hasSize(policy.equals("warn") ? 1 : 0);
        trace.printTo(out::append).start().close();
      }
    }
    assertThat(out).hasToString("1\n1\n");
  }

  @Test
  void argumentsOnTheStackAreAboveTheReturnAddress() {
    StringBuilder out = new StringBuilder();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session =
            tracer
                .prepare(PlyScript.parse("kprobe:f { print(sarg0, sarg(1)); }"))
                .printTo(out::append)
                .start()) {
      byte[] stack = new byte[16];
      stack[0] = 77;
      stack[8] = 88;
      tracer.fire(Firing.kprobe("f").register("rsp", 0x1000).memory(0x1008, stack));
      session.stop();
    }
    assertThat(out).hasToString("77, 88\n");
  }

  @Test
  void assertionsEndTheTrace() {
    assertThat(begin("assert(1 < 2, \"true\"); print(1);")).isEqualTo("1\n");
    assertThat(begin("assert(1 > 2, \"1 is not above 2\");")).isEmpty();
  }

  @Test
  void formatsOfTimesAreLiterals() {
    assertThatThrownBy(() -> begin("print(strftime(comm, nsecs));"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("the format of \"strftime\" must be a string literal");
    assertThatThrownBy(() -> begin("$x = time(\"%H\");"))
        .isInstanceOf(CompilationException.class)
        .hasMessageContaining("this has no value to assign");
  }

  @Test
  void stringsAreSearched() {
    assertThat(
            begin(
                """
                $s = "abcabd"; $n = "abd"; if (pid == 77) { $s = "x"; $n = "y"; }
                print(strstr($s, "abd"), strstr($s, $n), strstr($s, "abcabd"), strstr($s, "abcabde"));
                print(strstr($s, ""), strstr("", $n), strstr($s, "b"), strstr("aaaaaaaab", "aaaaaaab"));
                print(strcontains($s, "ca"), strcontains($s, "cb"), strlen($s), strlen(""), strcap(comm));
                """))
        .isEqualTo("3, 3, 0, -1\n0, -1, 1, 1\n1, 0, 6, 0, 16\n");
  }

  @Test
  void longPatternsAreFound() {
    assertThat(
            begin(
                """
                $s = "0123456789abcdefghij"; if (pid == 77) { $s = "x"; }
                print(strstr($s, "89abcdefgh"), strstr($s, "89abcdefgi"), strstr($s, "9abcdefghijk"));
                """))
        .isEqualTo("8, -1, -1\n");
  }

  @Test
  void signalsHaveNames() {
    assertThat(begin("print(signal_name(9), signal_name(34), signal_name(40), signal_name(-1));"))
        .isEqualTo("SIGKILL, SIGRTMIN, SIGRTMIN+6, -1\n");
  }

  @Test
  void buffersShowTheirBytes() {
    assertThat(
            begin(
                """
                $b = buf(comm, 3); printf("%r|%rx|%rh|%8r|%-8r|%s\\n", $b, $b, $b, $b, $b, $b);
                print($b); @[$b] = 1;
                """))
        .isEqualTo("ply|\\x70\\x6c\\x79|70 6c 79|     ply|ply     |ply\nply\nply1");
  }

  @Test
  void typesOfAScriptLeaveTheMachineAsItIs() {
    StringBuilder out = new StringBuilder();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session =
            tracer
                .prepare(PlyScript.parse("struct s { int a; };\nBEGIN { print(ncpus); }"))
                .printTo(out::append)
                .start()) {
      session.stop();
    }
    assertThat(out.toString()).isEqualTo("4\n");
  }
}
