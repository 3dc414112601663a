package dev.ply.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DiagnosticRendererTest {
  private static final Source READS =
      new Source(
          "reads.ply",
          """
          tracepoint:syscalls:sys_enter_openat
          { print(str(data->file)); }
          \tprint(\tx,
            y);
          """);

  private static String render(int line, int column, int endLine, int endColumn, String... hints) {
    SourceSpan span = new SourceSpan("reads.ply", line, column, endLine, endColumn);
    return DiagnosticRenderer.render(
        new Diagnostic(
            Severity.ERROR, DiagnosticCode.UNKNOWN_FIELD, span, "no such field", List.of(hints)),
        READS);
  }

  @Test
  void thePlaceIsMarkedAndTheFirstHintStandsBesideIt() {
    assertThat(render(2, 19, 2, 23, "did you mean \"filename\"?"))
        .isEqualTo(
            """
            error[unknown-field]: no such field
              reads.ply:2:19
              | { print(str(data->file)); }
              |                   ^~~~  did you mean "filename"?
            """);
  }

  @Test
  void furtherHintsHaveLinesOfTheirOwn() {
    assertThat(render(2, 1, 2, 2, "one", "two", "three"))
        .isEqualTo(
            """
            error[unknown-field]: no such field
              reads.ply:2:1
              | { print(str(data->file)); }
              | ^  one
              = two
              = three
            """);
  }

  @Test
  void tabsAboveAreTabsBelow() {
    assertThat(render(3, 9, 3, 10)).endsWith("  | \tprint(\tx,\n  | \t      \t^\n");
  }

  @Test
  void aSpanOfSeveralLinesIsMarkedToTheEndOfItsFirst() {
    assertThat(render(3, 2, 4, 4)).endsWith("  | \tprint(\tx,\n  | \t^~~~~~~~~\n");
  }

  @Test
  void aPlaceBehindTheLineIsMarkedThere() {
    assertThat(render(4, 6, 4, 9)).endsWith("  |   y);\n  |      ^\n");
  }

  @Test
  void columnsCountCharactersNotCodeUnits() {
    Source source = new Source("a.ply", "BEGIN { print(\"𝄞\", x); }");
    SourceSpan span = new SourceSpan("a.ply", 1, 20, 1, 21);
    Diagnostic diagnostic =
        new Diagnostic(Severity.WARNING, DiagnosticCode.UNKNOWN_NAME, span, "no x", List.of());

    assertThat(DiagnosticRenderer.render(diagnostic, source))
        .isEqualTo(
            """
            warning[unknown-name]: no x
              a.ply:1:20
              | BEGIN { print("𝄞", x); }
              |                    ^
            """);
  }

  @Test
  void ofALongLineThePartAroundThePlaceIsShown() {
    Source source = new Source("a.ply", "x".repeat(100_000) + " bad " + "y".repeat(100_000));
    SourceSpan span = new SourceSpan("a.ply", 1, 100_002, 1, 100_005);
    Diagnostic diagnostic =
        new Diagnostic(Severity.ERROR, DiagnosticCode.UNKNOWN_NAME, span, "no bad", List.of());
    assertThat(DiagnosticRenderer.render(diagnostic, source))
        .isEqualTo(
            "error[unknown-name]: no bad\n  a.ply:1:100002\n  | …%s bad %s…\n  | %s^~~\n"
                .formatted("x".repeat(59), "y".repeat(96), " ".repeat(61)));
  }

  @Test
  void whatWouldMoveACursorIsEscaped() {
    Source source = new Source("a.ply", "\u001b[31m\rbad\r\n");
    SourceSpan span = new SourceSpan("a.ply", 1, 7, 1, 10);
    Diagnostic diagnostic =
        new Diagnostic(Severity.ERROR, DiagnosticCode.UNKNOWN_NAME, span, "no bad", List.of());
    assertThat(DiagnosticRenderer.render(diagnostic, source))
        .endsWith("  | \\x1b[31m\\rbad\n  |           ^~~\n");
  }

  @Test
  void whatAMessageQuotesIsEscaped() {
    SourceSpan span = new SourceSpan("a\u001b.ply", 1, 1, 1, 2);
    Diagnostic diagnostic =
        new Diagnostic(
            Severity.ERROR,
            DiagnosticCode.UNKNOWN_NAME,
            span,
            "no \"\u202e\nb\"",
            List.of("did you mean \"\u0007\"?"));
    assertThat(DiagnosticRenderer.render(diagnostic, new Source("", "")))
        .isEqualTo(
            """
            error[unknown-name]: no "\\xe2\\x80\\xae\\nb"
              a\\x1b.ply:1:1
              = did you mean "\\x07"?
            """);
    assertThat(new CompilationException(List.of(diagnostic)))
        .hasMessage("a\\x1b.ply:1:1: no \"\\xe2\\x80\\xae\\nb\"\n  = did you mean \"\\x07\"?");
  }

  @Test
  void withoutTextThePositionIsNamed() {
    Source none = new Source("File.java", "");
    Diagnostic diagnostic =
        new Diagnostic(
            Severity.NOTE,
            DiagnosticCode.OUT_OF_RANGE,
            new SourceSpan("File.java", 12, 0, 12, 0),
            "too long",
            List.of("shorten it"));
    Diagnostic nowhere =
        new Diagnostic(
            Severity.ERROR, DiagnosticCode.SYNTAX, SourceSpan.NONE, "nothing to run", List.of());

    assertThat(DiagnosticRenderer.render(List.of(diagnostic, nowhere), none))
        .isEqualTo(
            """
            note[out-of-range]: too long
              File.java:12
              = shorten it

            error[syntax]: nothing to run
            """);
  }
}
