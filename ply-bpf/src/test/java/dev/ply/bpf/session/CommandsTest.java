package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.bpf.stream.OrderedOutput;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.text.TextBuffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What scripts do outside of the trace: commands, files. */
class CommandsTest {
  /** {@code -Dharness.repeats=N} makes it more often. */
  private static final int REPEATS = Integer.getInteger("harness.repeats", 5);

  private final List<String> reports = new ArrayList<>();

  private String begin(Layout layout, String body) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SimulatedTracer tracer =
            SimulatedTracer.create(SimulatedTarget.create(), CompilerOptions.DEFAULT.unsafe());
        Session session =
            tracer
                .prepare(PlyScript.parse("BEGIN { " + body + " }"))
                .writeTo(out, layout)
                .reportTo(report -> reports.add(report.message()))
                .start()) {
      session.stop();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whatACommandWritesIsOutputInOrder() {
    assertThat(
            begin(
                Layout.PLY,
                """
                print(1); system("echo a; echo b >&2; exit 3"); print(2); system("echo c"); print(3);
                """))
        .isEqualTo("1\na\nb\n2\nc\n3\n");
    assertThat(reports).isEmpty();
  }

  @Test
  void valuesAreNeverCode() {
    assertThat(
            begin(
                Layout.BPFTRACE,
                """
                $x = "a  $(echo no) `echo no`; echo no '\\" *";
                system("echo %s \\"%s\\" '%s' \\\\%s x%s", $x, $x, $x, $x, $x);
                """))
        .isEqualTo(
            "a  $(echo no) `echo no`; echo no '\" * ".repeat(4)
                + "xa  $(echo no) `echo no`; echo no '\" *\n");
  }

  @Test
  void aConversionKeepsItsFormat() {
    assertThat(begin(Layout.BPFTRACE, "system(\"echo '[%5d|%-4s|%x|%%]'\", 42, \"ab\", 255);"))
        .isEqualTo("[   42|ab  |ff|%]\n");
  }

  @Test
  void bytesOutsideOfAsciiArePassedInAnyLocale() {
    assertThat(
            begin(
                Layout.BPFTRACE,
                "system(\"printf %%s é%s | od -An -tx1\", \"\\xff\\xc3\\xa4\\n\");"))
        .isEqualToIgnoringWhitespace("c3 a9 ff c3 a4 0a");
  }

  @Test
  void controlCharactersOfCommandsAreEscaped() {
    assertThat(begin(Layout.BPFTRACE, "system(\"printf 'a\\\\033[2J\\\\n\\\\tb'\");"))
        .isEqualTo("a\\x1b[2J\n\tb");
  }

  @Test
  void jsonHasAnObjectPerCommand() {
    assertThat(begin(Layout.BPFTRACE_JSON, "system(\"echo hi; echo you\");"))
        .isEqualTo("{\"type\": \"syscall\", \"data\": \"hi\\nyou\\n\"}\n");
  }

  @Test
  void tooMuchOutputStopsACommand() {
    assertThat(begin(Layout.BPFTRACE, "system(\"yes | tr -d '\\\\n'\");")).hasSize(1 << 20);
    assertThat(reports).containsExactly("a command was stopped: it wrote more than 1 MiB");
  }

  @Test
  void whatStaysInTheBackgroundIsNotWaitedFor() {
    assertThat(begin(Layout.BPFTRACE, "system(\"sleep 30 & echo started\");"))
        .isEqualTo("started\n");
  }

  /** Text queued after a command is written; commands that run out of time are counted. */
  @Test
  void aLimitEndsCommandsAndKeepsText() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String script =
        "BEGIN { print(1); system(\"echo on; sleep 300 | sleep 300\"); print(2);"
            + " system(\"echo no\"); print(3); } END { system(\"echo end\"); }";
    try (SimulatedTracer tracer =
            SimulatedTracer.create(SimulatedTarget.create(), CompilerOptions.DEFAULT.unsafe());
        Session session =
            tracer
                .prepare(PlyScript.parse(script))
                .writeTo(out, Layout.PLY)
                .reportTo(report -> reports.add(report.message()))
                .start()) {
      session.limitCommandWait(Duration.ofSeconds(2));
      session.stop();
    }
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("1\non\n2\n3\nend\n");
    assertThat(reports)
        .containsExactly(
            "a command was stopped: the trace has ended",
            "a command or file was left out: the trace has ended");
  }

  /** Whether it has begun already when somebody waits differs from run to run. */
  @Test
  void aJobThatDoesNotReturnIsLeftBehind() {
    for (int i = 0; i < REPEATS; i++) {
      assertIsLeftBehind();
    }
  }

  private static void assertIsLeftBehind() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    OrderedOutput output = new OrderedOutput(out);
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger left = new AtomicInteger();
    output.run(
        new OrderedOutput.Job() {
          @Override
          public TextBuffer run() {
            try {
              never.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return new TextBuffer().append("late");
          }

          @Override
          public void leave() {
            left.incrementAndGet();
          }
        });
    output.write(new TextBuffer().append("text"));
    output.limitJobs(Duration.ZERO);
    output.await();
    never.countDown();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("text");
    assertThat(left).hasValue(1);
  }

  @Test
  void scriptsReportErrorsAndWarnings() {
    assertThat(begin(Layout.BPFTRACE, "errorf(\"%s: %d\\n\", \"x\", 5); warnf(\"w\"); print(1);"))
        .isEqualTo("1\n");
    assertThat(reports).containsExactly("x: 5", "w");
  }

  @Test
  void reportsAreLinesOfJson() {
    assertThat(
            begin(
                Layout.BPFTRACE_JSON, "errorf(\"\\\"%s\\\"\\n\", \"x\"); print(1); warnf(\"w\");"))
        .isEqualTo(
            """
            {"type": "errorf", "msg": "\\"x\\"\\n", "filename": "<input>", "line": 1, "col": 9}
            {"type": "value", "data": 1}
            {"type": "warnf", "msg": "w", "filename": "<input>", "line": 1, "col": 44}
            """);
    assertThat(reports).isEmpty();
  }

  @Test
  void aFailedAssertionIsAnError() {
    assertThat(begin(Layout.BPFTRACE, "assert(1 > 2, \"1 is not above 2\");")).isEmpty();
    assertThat(reports).containsExactly("assert failed: 1 is not above 2");
  }

  @Test
  void missingFilesAreReported() {
    assertThat(begin(Layout.BPFTRACE, "cat(\"/no/%d\", 5); print(1);")).isEqualTo("1\n");
    assertThat(reports).containsExactly("cannot read /no/5: no such file");
  }

  @Test
  void whatChangesTheSystemMustBeAllowed() {
    try (SimulatedTracer tracer = SimulatedTracer.create()) {
      assertThatThrownBy(
              () ->
                  tracer.prepare(
                      PlyScript.parse(
                          "BEGIN { system(\"id\"); } kprobe:f { signal(9); override(1);"
                              + " write_user(0, comm, 1); }")))
          .isInstanceOfSatisfying(
              CompilationException.class,
              refusal ->
                  assertThat(refusal.diagnostics())
                      .extracting(Diagnostic::message)
                      .containsExactly(
                          "\"system\" changes the system, which is not allowed",
                          "\"signal\" changes the system, which is not allowed",
                          "\"override\" changes the system, which is not allowed",
                          "\"write_user\" changes the system, which is not allowed"));
    }
  }
}
