package dev.ply.lang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.lang.argument.ScriptArguments;
import org.junit.jupiter.api.Test;

class PlyScriptTest {
  private static final Source THREE_ERRORS =
      new Source(
          "x.ply",
          """
          BEGIN { $x = ; }
          BEGIN { print("a" - 1); }
          END { print(none); }
          """);

  @Test
  void withoutAMachineErrorsOfSyntaxAreReported() {
    assertThatThrownBy(() -> PlyScript.parse(THREE_ERRORS))
        .isInstanceOfSatisfying(
            CompilationException.class,
            thrown -> assertThat(thrown.diagnostics()).hasSizeLessThan(3));
  }

  @Test
  void withOneThoseOfAnalysisAreReportedBesides() {
    CompilationException thrown =
        catchThrowableOfType(
            CompilationException.class,
            () -> PlyScript.parse(THREE_ERRORS, ScriptArguments.NONE, BareTarget.INSTANCE));
    assertThat(thrown.diagnostics().stream().map(Diagnostic::span).map(span -> span.line()))
        .containsExactly(1, 2, 3);
  }

  @Test
  void aScriptWithoutErrorsOfSyntaxIsParsed() {
    String unknown = "kprobe:none { print(\"a\" - 1); }";
    Source source = new Source("x.ply", unknown);
    assertThat(PlyScript.parse(source, ScriptArguments.NONE, BareTarget.INSTANCE))
        .isEqualTo(PlyScript.parse(source));
  }
}
