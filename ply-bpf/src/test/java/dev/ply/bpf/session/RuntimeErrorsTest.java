package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.codegen.Reporting;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.result.Loss;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What fails while programs run is reported where the script says it, if that is asked for. */
class RuntimeErrorsTest {
  private static final CompilerOptions REPORTING = CompilerOptions.DEFAULT.reportingErrors();

  private static List<String> reports(String script, int firings) {
    return reports(script, firings, REPORTING);
  }

  private static List<String> reports(String script, int firings, CompilerOptions options) {
    List<String> reports = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create(SimulatedTarget.create(), options);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script));
        Session session = trace.reportTo(report -> reports.add(text(report))).start()) {
      for (int i = 0; i < firings; i++) {
        tracer.fire(Firing.kprobe("f").arg(0, 0).arg(2, 3));
      }
      session.stop();
    }
    return reports;
  }

  private static String text(Diagnostic report) {
    return report.span().column() + ": " + report.message();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kprobe:f { $x = *(uint8 *)1; print($x); }"
            + "|17: Failed to probe_read_kernel: Bad address (-14)",
        "kprobe:f { print(str(uptr(arg0))); }"
            + "|18: Failed to probe_read_user_str: Bad address (-14)",
        "kprobe:f { print(str(kptr(arg0))); }"
            + "|18: Failed to probe_read_kernel_str: Bad address (-14)",
        "kprobe:f { @[1] = 1; print(@[2]); }"
            + "|28: Failed to map_lookup_elem: nothing is stored under this key (0)",
        "kprobe:f { @[1] = (1, 2); print(@[2]); }"
            + "|33: Failed to map_lookup_elem: nothing is stored under this key (0)",
        "kprobe:f { @[1] = 1; delete(@[2]); }"
            + "|22: Failed to map_delete_elem: nothing is stored under this key (-2)",
        "kprobe:f { @ = 5 / arg0; } | 16: division by zero: the result is 0",
        "kprobe:f { @ = 5 / (int64)arg0; } | 16: division by zero: the result is 0",
        "kprobe:f { @ = 5 % arg0; }"
            + "| 16: the remainder of a division by zero: the result is the dividend",
        "kprobe:f { $a = (int8[2])5; print($a[arg2]); }"
            + "| 35: the array has no element of this number: it is read as 0",
      })
  void whatFailsIsReportedAtItsPosition(String script, String report) {
    assertThat(reports(script, 1)).containsExactly(report);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kprobe:f { @[1] = 1; print(@[1]); delete(@[1]); print(5 / arg2); }",
        "kprobe:f { @x++; @[2]++; @c[arg2] = count(); if (has_key(@c, 5)) { print(1); } }",
        "kprobe:f { $a = (int8[4])5; print($a[arg2]); print(str(\"text\")); }",
        "kprobe:f { @[1] = 1; if (delete(@, 2)) { print(1); } }",
      })
  void whatDoesNotFailIsNotReported(String script) {
    assertThat(reports(script, 1)).isEmpty();
  }

  @Test
  void whatTheScriptComputesIsReportedWithoutWhatTheKernelRefuses() {
    String script = "kprobe:f { $x = *(uint8 *)1; print(7 / $x); }";
    assertThat(reports(script, 1, CompilerOptions.DEFAULT.reporting(Reporting.COMPUTATIONS)))
        .containsExactly("36: division by zero: the result is 0");
    String element = "struct a { int x[2]; }; kprobe:f { print(((struct a *)arg0)->x[arg2]); }";
    assertThat(reports(element, 1, CompilerOptions.DEFAULT.reporting(Reporting.COMPUTATIONS)))
        .containsExactly("42: the array has no element of this number: memory beyond it is read");
    // As in C, an array of one element may be the first of many.
    String open = element.replace("x[2]", "x[1]");
    assertThat(reports(open, 1, CompilerOptions.DEFAULT.reporting(Reporting.COMPUTATIONS)))
        .isEmpty();
    assertThat(reports(script, 1, CompilerOptions.DEFAULT)).isEmpty();
  }

  @Test
  void aSiteReportsPowersOfTwoAndItsTotal() {
    assertThat(reports("kprobe:f { $x = 1 / arg0; print($x); }", 11))
        .containsExactly(
            "17: division by zero: the result is 0",
            "17: division by zero: the result is 0, 2 times so far",
            "17: division by zero: the result is 0, 4 times so far",
            "17: division by zero: the result is 0, 8 times so far",
            "17: division by zero: the result is 0, 11 times so far");
  }

  @Test
  void anUpdateOfAFullMapIsReported() {
    assertThat(reports("let @m = hash(2); kprobe:f { @m[1] = 1; @m[2] = 2; @m[3] = 3; }", 1))
        .containsExactly("52: Failed to map_update_elem: the map is full (-7)");
    assertThat(reports("let @m = hash(1); kprobe:f { @m[1] = count(); @m[2] = count(); }", 1))
        .containsExactly("47: Failed to map_update_elem: the map is full (-7)");
  }

  /** Programs read it once. */
  @Test
  void theNameOfAThreadCanBeUsedTwice() {
    assertThat(reports("kprobe:f { @[strstr(comm, \"x\"), comm] = 0; }", 1)).isEmpty();
  }

  @Test
  void errorsAfterTheEndAreInTheTotal() {
    assertThat(reports("kprobe:f { exit(); @x = 1 / arg0; }", 1))
        .containsExactly("25: division by zero: the result is 0");
  }

  @Test
  void aLineOfJsonHasThePositionAndTheHelper() {
    String script = "kprobe:f { $x = *(uint8 *)1; print($x / arg0); }";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SimulatedTracer tracer = SimulatedTracer.create(SimulatedTarget.create(), REPORTING);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script));
        Session session = trace.writeTo(out, Layout.BPFTRACE_JSON).start()) {
      tracer.fire(Firing.kprobe("f").arg(0, 0));
      assertThat(session.lost(Loss.RUNTIME_ERRORS)).isEqualTo(2);
      session.stop();
    }
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"type": "helper_error", "msg": "Bad address", "helper": "probe_read_kernel", \
            "retcode": -14, "filename": "<input>", "line": 1, "col": 17, "count": 1}
            {"type": "value", "data": 0}
            {"type": "runtime_error", "msg": "division by zero: the result is 0", \
            "filename": "<input>", "line": 1, "col": 36, "count": 1}
            """);
  }

  @Test
  void withoutItProgramsReportNothing() {
    BpfObject object =
        new TraceCompiler(SimulatedTarget.create(), CompilerOptions.DEFAULT)
            .compile(PlyScript.parse("kprobe:f { @ = *(uint8 *)1 / arg0; delete(@); }"));
    assertThat(object.map(BpfObject.ERRORS)).isEmpty();
    assertThat(object.events()).isEmpty();
  }
}
