package dev.ply.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.golden.Case;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConformanceTest {
  @ParameterizedTest
  @MethodSource
  void accepted(Case program) {
    Parsing.assertRoundTrip(PlyScript.parse(program.text()));
  }

  @ParameterizedTest
  @MethodSource
  void rejected(Case program) {
    assertThat(Parsing.errors(program.text())).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void bpftrace(Case program) {
    Parsing.assertRoundTrip(PlyScript.parse(program.text()));
  }

  static List<Case> bpftrace() throws IOException {
    return Case.ofResource("/conformance/bpftrace.cases");
  }

  static List<Case> accepted() throws IOException {
    return Case.ofResource("/conformance/accepted.cases");
  }

  static List<Case> rejected() throws IOException {
    return Case.ofResource("/conformance/rejected.cases");
  }
}
