package dev.ply.cli.bpftrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Each program on bpftrace's page compiles, and the kernel takes it. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class BpftracePageIT {
  private static final Path PAGE = Path.of("..", "docs", "BPFTRACE.md");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @TestFactory
  Stream<DynamicTest> programsCompile() throws IOException {
    assumeTrue(Files.exists(PAGE), "the page is not on this machine");
    return programs().stream()
        .map(program -> DynamicTest.dynamicTest(program, () -> compiles(program)));
  }

  private static List<String> programs() throws IOException {
    List<String> programs = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("```")) {
        inside = line.equals("```bpftrace");
      } else if (inside) {
        programs.add(line);
      }
    }
    return programs;
  }

  private static void compiles(String program) {
    Call call = Call.ply("bt", "--unsafe", "--dry-run", "--no-warnings", "-e", program);
    // A kernel may lack kinds of probes; what is wrong besides is said all the same.
    assertThat(call.errors().replace("error[not-offered]", "")).doesNotContain("error[");
  }
}
