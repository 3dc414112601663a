package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.golden.Case;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.util.List;
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

  static List<Case> programs() throws IOException {
    return Case.ofResource("/bpftrace/one-liners.cases");
  }

  @ParameterizedTest
  @MethodSource("programs")
  void compiles(Case program) {
    Call call = Call.ply("bt", "--unsafe", "--dry-run", "-e", program.text(), "world");
    // A kernel may lack kinds of probes; what is wrong besides is said all the same.
    assertThat(call.errors().replace("error[not-offered]", "")).doesNotContain("error[", "warning");
  }
}
