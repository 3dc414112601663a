package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools with known answers, which trace what they start. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class ToolIT {
  /** Calls, and a line that the result must have: those that need no probe of kernel functions. */
  static final String KNOWN =
      """
      opensnoop -c 'exec cat /etc/hostname'             | \\d+ +cat +3 +0 /etc/hostname
      opensnoop -x -c 'exec cat /etc/none'              | \\d+ +cat +-1 +2 /etc/none
      opensnoop -eU -c 'exec cat /etc/hostname'         | 0 +\\d+ +cat +3 +0 +0?x?0 /etc/hostname
      statsnoop -c '[ -e /etc/none ]'                   | \\d+ +sh +-1 +2 /etc/none
      exitsnoop -c 'exit 3'                             | sh +\\d+ +\\d+ +\\d+ +\\d+\\.\\d{6} +3 0
      exitsnoop -c 'kill -9 $$'                         | sh +\\d+ +\\d+ +\\d+ +\\d+\\.\\d{6} +0 SIGKILL
      killsnoop -c 'kill -0 $$'                         | \\d+ +sh +0 +\\d+ +0
      syscount -T 1 -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none' | read +300\\d
      syscount -x -c '[ -e /etc/none ]'                 | \\w+ +\\d+
      funccount t:syscalls:sys_enter_read -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none' | \\S*read +300\\d
      funccount c:malloc -c 'exec cat /etc/hostname'    | malloc +\\d+
      funclatency c:malloc -c 'exec cat /etc/hostname'  | .*\\)\\s+\\d+ .*
      stackcount c:malloc -U -c 'exec cat /etc/hostname' | malloc
      memleak -c 'exec cat /etc/hostname'               | .*: [1-9]\\d*
      profile -U -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done' | .*sh \\}: \\d+
      killsnoop -T -s SIGCONT -c 'kill -CONT $$'        | \\d\\d:\\d\\d:\\d\\d \\d+ +sh +18 +\\d+ +0
      bindsnoop -h                                      | -T,--timestamp .*
      syscount -x -e ENOENT -c '[ -e /etc/none ]'       | \\w+ +\\d+
      biotop -h                                         | KBYTES .*
      """;

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  static Stream<Arguments> known() {
    return KNOWN
        .lines()
        .map(
            line -> {
              int bar = line.lastIndexOf(" | ");
              return Arguments.of(line.substring(0, bar).strip(), line.substring(bar + 3));
            });
  }

  @ParameterizedTest
  @MethodSource("known")
  void answersAreRight(String words, String line) {
    Call call = call(words);
    // Processes that have just started are walked by frame pointers until their tables are read.
    assertThat(call.errors().replaceAll("warning: \\d+ user stacks? cut short: .*\n", ""))
        .isEmpty();
    assertThat(call.output().lines()).anyMatch(each -> each.strip().matches(line.strip()));
    assertThat(call.status()).isZero();
  }

  @Test
  void rowsAreObjectsOfJson() {
    assertThat(call("opensnoop -j -c 'exec cat /etc/hostname'").output())
        .containsPattern(
            "(?m)^\\{\"pid\": \\d+, \"comm\": \"cat\", \"fd\": 3, \"err\": 0, \"path\":"
                + " \"/etc/hostname\"\\}$");
  }

  @Test
  void numbersOfJsonHaveTheUnitsOfTheKernel() {
    assertThat(call("exitsnoop -j -c 'exit 3'").output())
        .containsPattern("\"age_ns\": \\d+, \"code\": 3, \"signal\": \"0\"\\}");
  }

  @Test
  void rowsAreCommaSeparated() {
    assertThat(call("opensnoop -f csv -c 'exec cat /etc/hostname'").output())
        .startsWith("event,pid,comm,fd,err,path\n")
        .containsPattern("(?m)^print,\\d+,cat,3,0,/etc/hostname$");
  }

  @Test
  void mapsAreTablesFromTheLargestDown() {
    List<String> lines =
        call("syscount -c 'exec dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none'")
            .output()
            .lines()
            .toList();
    assertThat(lines.get(0)).matches("SYSCALL {15} {4}COUNT");
    assertThat(lines.get(1)).matches("read +300\\d");
    assertThat(lines.get(2)).matches("write +3000");
  }

  @Test
  void headingsAreLeftOut() {
    assertThat(call("opensnoop -q -c 'exec cat /etc/hostname'").output())
        .doesNotContain("PID")
        .contains("/etc/hostname");
  }

  /** The number of the filter is in the kernel: nothing else is seen. */
  @ParameterizedTest
  @ValueSource(strings = {"-u 12345", "-t 1", "-n nobodyhasit"})
  void filtersLeaveOthersOut(String filter) {
    assertThat(call("opensnoop " + filter + " -c 'exec cat /etc/hostname'").output())
        .doesNotContain("hostname");
  }

  @Test
  void filtersLetTheirsThrough() {
    assertThat(call("opensnoop -u 0 -n cat -c 'exec cat /etc/hostname'").output())
        .contains("/etc/hostname");
  }

  private static Call call(String words) {
    return Call.ply(
        Stream.concat(Stream.of("tool"), Arrays.stream(split(words))).toArray(String[]::new));
  }

  /** Returns words, of which those in single quotes are one. */
  private static String[] split(String words) {
    String[] parts = words.split("'", -1);
    if (parts.length < 3) {
      return words.split(" ", -1);
    }
    return Stream.concat(Arrays.stream(parts[0].strip().split(" ", -1)), Stream.of(parts[1]))
        .toArray(String[]::new);
  }
}
