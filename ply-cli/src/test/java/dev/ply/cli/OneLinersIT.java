package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What people type for bpftrace compiles as they type it. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class OneLinersIT {
  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  static Stream<String> programs() throws IOException {
    try (InputStream file = OneLinersIT.class.getResourceAsStream("/bpftrace/one-liners.txt")) {
      String all = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return Stream.of(all.split("\n----\n", -1));
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void compiles(String program) {
    Call call = Call.ply("bt", "--unsafe", "--dry-run", "-e", program, "world");
    // A kernel may lack kinds of probes; what is wrong besides is said all the same.
    assertThat(call.errors().replace("error[not-offered]", "")).doesNotContain("error[", "warning");
  }
}
