package dev.ply.cli.bcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.cli.PageExamples;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                | at least one probe is required; ply trace -h shows examples",
        "-M 0 c:malloc   | -M takes a number from 1 (lines), not \"0\"",
        "-Z 512 c:malloc | -Z takes at most 511 characters, not 512",
        "-A c:malloc     | -A needs -M: the number of lines that are counted",
        "-u c:malloc     | -u needs -t: it shows seconds since 1970 instead of the start",
        "-p 1 -L 1 f     | -p and -L both choose what is traced: give one of them",
        "-L x c:malloc   | --tid takes a number, not \"x\"",
        "--uid nobodyis f | --uid: no user \"nobodyis\" in /etc/passwd",
        "-c no/such f    | --cgroup: no cgroup no/such below /sys/fs/cgroup",
        "-b 262145 f     | -b takes at most 262144 pages, not 262145",
        "-b x f          | -b takes a number from 1 (pages), not \"x\"",
        "--msgfilter f   | unknown option --msgfilter: did you mean \"--msg-filter\"?"
      })
  void wrongCallsAreErrors(String words, String message) {
    Call call = trace(words == null ? new String[0] : words.strip().split(" +", -1));
    assertThat(call.errors()).startsWith("error: " + message);
    assertThat(call.status()).isEqualTo(1);
  }

  @Test
  void allErrorsOfAllSpecifiersAreReported() {
    Call call = trace("c:malloc \"%d\"", "q::x", "c:free \"%d\", arg9x");
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.errors()).contains("<specifier>:1:10", "<specifier>:2:1", "<specifier>:3:14");
  }

  @Test
  void optionsWithUnderscoresAreThoseOfBcc() {
    assertThat(trace("--script", "--print_cpu", "--bin_cmp", "c:malloc").output())
        .isEqualTo(
            """
            uprobe:c:malloc {
              printf("%-3d %-7d %-7d %-15s %-16s \\n", cpu, pid, kpid, comm, "malloc");
            }
            """);
  }

  /** A tool is a script, or a command. */
  @Test
  void itIsATool() {
    assertThat(Call.ply("tool").output()).contains("trace  ").contains("argdist  ");
    assertThat(Call.ply("tool", "trace", "--script", "c:malloc"))
        .isEqualTo(trace("--script", "c:malloc"));
    assertThat(Call.ply("tool", "trce").errors()).contains("did you mean \"trace\"?");
  }

  @TestFactory
  Stream<DynamicTest> thePageShowsWhatIsPrinted() throws Exception {
    return PageExamples.of(Path.of("..", "docs", "TRACE.md"), "trace");
  }

  private static Call trace(String... words) {
    return Call.ply(Stream.concat(Stream.of("trace"), Arrays.stream(words)).toArray(String[]::new));
  }
}
