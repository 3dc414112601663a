package dev.ply.lang;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConformanceTest {
  @ParameterizedTest
  @MethodSource
  void accepted(String program) {
    Parsing.assertRoundTrip(PlyScript.parse(program));
  }

  @ParameterizedTest
  @MethodSource
  void rejected(String program) {
    assertThat(Parsing.errors(program)).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void bpftrace(String program) {
    Parsing.assertRoundTrip(PlyScript.parse(program));
  }

  static List<String> bpftrace() throws IOException {
    return programs("/conformance/bpftrace.txt");
  }

  static List<String> accepted() throws IOException {
    return programs("/conformance/accepted.txt");
  }

  static List<String> rejected() throws IOException {
    return programs("/conformance/rejected.txt");
  }

  private static List<String> programs(String resource) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(ConformanceTest.class.getResourceAsStream(resource))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Splitter.on("----\n").splitToList(text);
    }
  }
}
