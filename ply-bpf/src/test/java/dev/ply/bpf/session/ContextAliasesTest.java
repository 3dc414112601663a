package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variables that are names of the context, {@code $a = args;}. */
class ContextAliasesTest {
  private static String printed(String body) {
    StringBuilder out = new StringBuilder();
    String script = "tracepoint:syscalls:sys_enter_openat { " + body + " }";
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.prepare(PlyScript.parse(script)).printTo(out::append).start()) {
      tracer.fire(
          Firing.tracepoint("syscalls:sys_enter_openat")
              .field("dfd", -100)
              .field("filename", "/etc/hostname"));
      session.stop();
    }
    return out.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$a = args; printf(\"%d %s\", $a.dfd, str($a->filename));",
        "let $a = args; printf(\"%d %s\", $a.dfd, str($a.filename));",
        "$a = args; $b = $a; if ($b.dfd < 0) { printf(\"%d %s\", $b.dfd, str($a.filename)); }",
      })
  void aVariableNamesTheContext(String body) {
    assertThat(printed(body)).isEqualTo("-100 /etc/hostname");
  }

  @Test
  void othersHoldNoContext() {
    assertThatThrownBy(() -> printed("$a = args; $a = 1; print($a);"))
        .hasMessageContaining("a variable cannot hold a struct data *");
    assertThatThrownBy(() -> printed("if (pid) { $a = args; print($a.dfd); }"))
        .hasMessageContaining("a variable cannot hold a struct data *");
    assertThatThrownBy(() -> FunctionsTest.begin("$a = args;"))
        .hasMessageContaining("\"data\" or \"args\" is not available in BEGIN");
  }
}
