package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols;
import dev.ply.type.Dialect;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions of C++ and Rust are shown by the names that programmers wrote. */
class DemangledNamesTest {
  private static final List<String> FUNCTIONS =
      List.of(
          "_ZN3app3Svc6handleEiPKc",
          "_ZN4core3fmt5write17h0123456789abcdefE",
          "_RNvCs1234_3app3run",
          "plain",
          "_ZN3app3runEv.cold");

  private static String run(String body, Layout layout, Configuration configuration) {
    SimulatedTarget target =
        SimulatedTarget.create().withUserFunctions("/lib/x", FUNCTIONS.toArray(String[]::new));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var script =
        PlyScript.parse("uprobe:/lib/x:* { " + body + " }").withConfiguration(configuration);
    try (var tracer = SimulatedTracer.create(target);
        PreparedTrace trace = tracer.prepare(script).writeTo(bytes, layout);
        Session session = trace.start()) {
      FUNCTIONS.forEach(function -> tracer.fire(Firing.uprobe("/lib/x", function)));
      session.stop();
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static Configuration settings(Dialect dialect, Map<Setting, String> values) {
    return new Configuration(values, dialect);
  }

  @Test
  void inBothDialects() {
    String names =
        """
        app::Svc::handle(int, char const*)
        core::fmt::write
        app::run
        plain
        app::run() [clone .cold]
        """;
    assertThat(run("printf(\"%s\\n\", func);", Layout.PLY, settings(Dialect.PLY, Map.of())))
        .isEqualTo(names);
    assertThat(run("print(func);", Layout.BPFTRACE, settings(Dialect.BPFTRACE, Map.of())))
        .isEqualTo(names);
  }

  /** The definition is one that selects the function. */
  @Test
  void inTheDefinitionsOfProbes() {
    String names =
        """
        uprobe:/lib/x:cpp:"app::Svc::handle(int, char const*)"
        uprobe:/lib/x:cpp:"core::fmt::write"
        uprobe:/lib/x:cpp:"app::run"
        uprobe:/lib/x:plain
        uprobe:/lib/x:_ZN3app3runEv.cold
        """;
    assertThat(run("printf(\"%s\\n\", probe);", Layout.PLY, settings(Dialect.PLY, Map.of())))
        .isEqualTo(names);
    assertThat(run("print(probe);", Layout.BPFTRACE, settings(Dialect.BPFTRACE, Map.of())))
        .isEqualTo(names);
  }

  @ParameterizedTest
  @CsvSource({"PLY, false", "BPFTRACE, 0"})
  void unlessTheScriptSaysOtherwise(Dialect dialect, String off) {
    Configuration configuration = settings(dialect, Map.of(Setting.CPP_DEMANGLE, off));
    assertThat(run("printf(\"%s %s\\n\", func, probe);", Layout.PLY, configuration))
        .startsWith("_ZN3app3Svc6handleEiPKc uprobe:/lib/x:_ZN3app3Svc6handleEiPKc\n");
  }

  @Test
  void inStackTraces() {
    UserSymbols symbols =
        new UserSymbols() {
          @Override
          public Optional<List<Frame>> frames(int process, List<Long> addresses) {
            return Optional.of(
                List.of(
                    new Frame(1, Optional.of(new Symbol("_Z3funi", 4)), Optional.of("app")),
                    new Frame(2, Optional.of(new Symbol("main", 0)), Optional.of("app")),
                    new Frame(3)));
          }

          @Override
          public void remember(int process) {}

          @Override
          public void limitWait(Duration most) {}

          @Override
          public Optional<String> shortage() {
            return Optional.of("time");
          }

          @Override
          public void close() {}
        };
    UserSymbols demangled = new DemangledSymbols(symbols);
    List<UserSymbols.Frame> frames = demangled.frames(1, List.of(1L, 2L, 3L)).orElseThrow();
    assertThat(frames)
        .extracting(UserSymbols.Frame::toString)
        .containsExactly("fun(int)+4", "main", "<0000000000000003>");
    assertThat(frames.get(0).symbol().map(Symbol::name)).contains("_Z3funi");
    assertThat(demangled.shortage()).contains("time");
  }
}
