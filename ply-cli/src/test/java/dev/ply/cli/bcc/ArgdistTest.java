package dev.ply.cli.bcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.cli.Call;
import dev.ply.cli.PageExamples;
import dev.ply.cli.io.UsageException;
import dev.ply.lang.bcc.ArgdistScript.Request;
import dev.ply.lang.bcc.Collect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgdistTest {
  private static final String COUNT = "p:c:write(int fd):int:fd";

  /** Surefire runs the tests in the module's directory. */
  private static final Path PAGE = Path.of("..", "docs", "ARGDIST.md");

  @TempDir Path directory = Path.of("");

  @Test
  void specifiersKeepTheirOrder() throws UsageException {
    ArgdistOptions options =
        ArgdistOptions.parse(
            new Argdist(), "-H", "a", "-C", "b", "c", "-i", "3", "--histogram", "d", "--count=e");
    assertThat(options.requests())
        .containsExactly(
            new Request(Collect.HISTOGRAM, "a"),
            new Request(Collect.COUNTS, "b"),
            new Request(Collect.COUNTS, "c"),
            new Request(Collect.HISTOGRAM, "d"),
            new Request(Collect.COUNTS, "e"));
    assertThat(options.settings().seconds()).isEqualTo(3);
  }

  @Test
  void ofAnOptionGivenTwiceTheLastCounts() throws UsageException {
    ArgdistOptions options =
        ArgdistOptions.parse(
            new Argdist(), "-T", "2", "-i", "3", "--top", "1", "--interval=5", "-C", "a");
    assertThat(options.settings().top()).hasValue(1);
    assertThat(options.settings().seconds()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "-n 5, 5",
    "--number 5 -d 100, 5",
    "-d 7 -i 2, 4",
    "--duration 8 --interval 2, 4",
    "-d 1 -i 10, 1",
    "-i 2, "
  })
  void aDurationIsWholeIntervals(String options, Integer outputs) throws UsageException {
    assertThat(
            ArgdistOptions.parse(new Argdist(), options.split(" ", -1))
                .settings()
                .outputs()
                .stream()
                .boxed())
        .isEqualTo(outputs == null ? List.of() : List.of(outputs));
  }

  @ParameterizedTest
  @CsvSource({
    "-i,0,'-i takes a number from 1 (seconds), not \"0\"'",
    "-n,x,'-n takes a number from 1 (outputs), not \"x\"'",
    "-T,-3,'-T takes a number from 1 (rows), not \"-3\"'",
    "-z,512,'-z takes at most 511 characters, not 512'",
    "-p,999999999,'-p: no process 999999999'"
  })
  void whatAnOptionTakesIsSaid(String option, String value, String message) {
    assertThatThrownBy(() -> ArgdistOptions.parse(new Argdist(), "-C", COUNT, option, value))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
  }

  @Test
  void aSpecifierIsRequired() {
    assertThat(Call.ply("argdist"))
        .isEqualTo(
            new Call(
                1,
                "",
                "error: at least one specifier is required: -C or -H; ply argdist -h shows"
                    + " examples\n"));
    assertThat(Call.ply("argdist", "-n", "1", COUNT).errors())
        .isEqualTo("error: unexpected operand \"" + COUNT + "\": -C and -H take specifiers\n");
  }

  @Test
  void errorsHaveStatusOne() {
    Call call = Call.ply("argdist", "-C", COUNT + "x", "-H", "p:c:write(int fd)");
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.errors()).contains("<specifier>:1:23", "<specifier>:2:1");
  }

  @Test
  void headersDefineStructures() throws Exception {
    Path header = directory.resolve("pair.h");
    Files.writeString(header, "struct pair { int first; unsigned char second; };\n");
    String specifier = "p:c:f(struct pair *p):u8:p->second";
    assertThat(Call.ply("argdist", "-S", "-I", header.toString(), "-C", specifier).output())
        .contains("struct pair {", "@f[(u8)uptr((struct pair *)arg0)->second] = count();");
    Files.writeString(header, "int f(void);\nint 3;\n");
    assertThat(Call.ply("argdist", "-S", "-I", header.toString(), "-C", COUNT).errors())
        .isEqualTo(
            "warning: -I "
                + header
                + " is not used: it has more than C's declarations; types come from the kernel"
                + " (BTF)\n");
    assertThat(Call.ply("argdist", "-S", "-I", "linux/fs.h", "-C", COUNT).errors())
        .isEqualTo("warning: -I linux/fs.h: file not found; types come from the kernel (BTF)\n");
  }

  @Test
  void helpListsTheOptions() {
    assertThat(Call.ply("argdist", "-h").output())
        .startsWith("usage: ply argdist ")
        .contains("--string-size", "--cumulative", "$entry(parameter)");
  }

  /** The examples of the page that print a program, or what is wrong with it. */
  @TestFactory
  Stream<DynamicTest> thePageShowsWhatIsPrinted() throws Exception {
    return PageExamples.of(PAGE, "argdist");
  }
}
