package dev.ply.cli.bcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whole runs of {@code ply trace} on a command with a name of its own, whose calls are known: of
 * tracepoints, functions of the C library and system calls, which need no kprobes.
 */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class TraceIT {
  /** A name that no other process has. */
  private static final String OWN = "plytraced";

  private static final String RENAMED =
      "exec perl -e '$0 = \""
          + OWN
          + "\"; open(F, \"</etc/hostname\"); read(F, $x, 7); kill 0, $$;'";

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
    assumeTrue(Files.exists(Path.of("/usr/bin/perl")), "there is no perl");
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "sys_openat \"%s\", arg2@user                       | sys_openat       /etc/hostname",
        "__x64_sys_openat \"%s\", arg2                      | __x64_sys_openat /etc/hostname",
        "sys_kill (arg2 == 0) \"signal %d\", arg2           | sys_kill         signal 0",
        "r::sys_kill \"%d\", retval                         | sys_kill         0",
        "t:syscalls:sys_enter_kill \"%ld\", args->sig       | sys_enter_kill   0",
        "c:kill \"%d\", arg2                                | kill             0",
        "r:c:kill (retval == 0) \"%d %s\", retval, $comm    | kill             0 plytraced",
        "c:kill(int pid, int sig) (sig < 1) \"%d\", sig     | kill             0",
        "c:kill \"%d\", $pid == $tgid                       | kill             1",
        "c:kill (STRCMP(\"plytraced\", $comm)) \"%c\", 'x'  | kill             x",
        "t:syscalls:sys_enter_kill \"%s\", $task->comm      | sys_enter_kill   plytraced"
      })
  void valuesAreThoseOfTheProcess(String specifier, String end) {
    Call call = trace(specifier.strip());
    assertThat(call.errors().lines().filter(line -> line.startsWith("error"))).isEmpty();
    assertThat(call.output().lines().findFirst())
        .hasValue("PID     TID     COMM            FUNC             -");
    assertThat(call.output().lines())
        .anyMatch(line -> line.matches("(\\d+) +\\1 +" + OWN + " +\\Q" + end.strip() + "\\E"));
    assertThat(call.status()).isZero();
  }

  @Test
  void linesAreChosenByTheirMessages() {
    String opens = "sys_openat \"%s\", arg2@user";
    assertThat(rows(trace("-f", "hostname", opens))).hasSize(1);
    assertThat(rows(trace("-f", "sys_openat", opens))).isEmpty();
  }

  @Test
  void theTraceEndsAfterSomeLines() {
    assertThat(rows(trace("-M", "1", "sys_openat", "c:kill"))).hasSize(1);
  }

  @Test
  void equalLinesAreCounted() {
    assertThat(rows(trace("-A", "-M", "2", "sys_kill \"one\"", "c:kill \"one\"")))
        .filteredOn(line -> line.startsWith("-->"))
        .containsExactly("-->COUNT 1", "-->COUNT 1");
  }

  @ParameterizedTest
  @CsvSource({
    "-T, \\d\\d:\\d\\d:\\d\\d \\d+ .*",
    "-t, ' +\\d+\\.\\d{6} \\d+ .*'",
    "-tu, \\d{10}\\.\\d{6} \\d+ .*",
    "-C, \\d+ +\\d+ .*"
  })
  void columnsComeFirst(String option, String line) {
    Call call = trace(option, "c:kill");
    assertThat(rows(call)).hasSize(1).allMatch(row -> row.matches(line));
    // Headings begin where values do.
    String heading = call.output().lines().findFirst().orElseThrow();
    assertThat(rows(call).get(0).indexOf(OWN)).isEqualTo(heading.indexOf("COMM"));
  }

  @Test
  void stacksFollow() {
    List<String> lines = trace("-U", "c:kill \"here\"").output().lines().toList();
    assertThat(lines.get(1)).endsWith("kill             here");
    assertThat(lines.get(2)).matches("\\t(__)?kill.*");
    assertThat(lines.get(lines.size() - 1)).isEmpty();
  }

  private static List<String> rows(Call call) {
    assertThat(call.status()).as(call.errors()).isZero();
    return call.output().lines().skip(1).filter(line -> !line.isEmpty()).toList();
  }

  private static Call trace(String... words) {
    return Call.ply(
        Stream.concat(Stream.of("trace", "-n", OWN, "--command", RENAMED), Arrays.stream(words))
            .toArray(String[]::new));
  }
}
