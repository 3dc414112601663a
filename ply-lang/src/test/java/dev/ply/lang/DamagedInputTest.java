package dev.ply.lang;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.diagnostic.CompilationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that is cut off or misplaced ends in errors at its positions, not in exceptions. */
class DamagedInputTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fn r(): { } BEGIN { }",
        "fn r($a: ): void { } BEGIN { r(1); }",
        "uprobe:\"a\nb\":f { @ = count(); }",
        "usdt:\"a\nb\":p:n { @ = count(); }",
      })
  void anErrorIsReported(String script) {
    assertThatThrownBy(() -> PlyScript.parse(script)).isInstanceOf(CompilationException.class);
  }
}
