package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each kind of attach point does on this kernel: it works, to the exact count, or the kernel
 * does not offer it and the command says so. The outcomes are written to {@code
 * attach-matrix-RELEASE.tsv}, of which {@code ply-kernel/guest/matrix} makes one table.
 */
@Tag("live")
@Timeout(120)
class AttachMatrixIT {
  private static final String WRITES =
      "exec dd if=/dev/zero of=/dev/null bs=1 count=100 status=none";
  private static final String DD = "/ !strcmp(comm, \"dd\") ";
  private static final String HUNDRED = "(?s).*: 100\n";

  private static final Pattern NOT_OFFERED = Pattern.compile("(?m)^error\\[not-offered\\]: (.*)$");

  private static final Map<Integer, String> OUTCOMES = new TreeMap<>();

  /**
   * A kind of attach point.
   *
   * @param script traces what {@link #WRITES} does, or ends by itself
   * @param output what it prints where it works, a regular expression
   */
  private record Row(int position, String kind, String script, String output) {
    @Override
    public String toString() {
      return kind;
    }
  }

  private static Row row(String kind, String script, String output) {
    return new Row(0, kind, script, output);
  }

  /** The table; a new kind of attach point is a row more. */
  private static final List<Row> TABLE =
      List.of(
          row("BEGIN, END", "BEGIN { exit(0); } END { printf(\"end\\n\"); }", "end\n"),
          row("interval", "interval:10ms { printf(\"on\\n\"); exit(0); }", "(on\n)+"),
          row("profile", "profile:999hz { printf(\"on\\n\"); exit(0); }", "(on\n)+"),
          row(
              "tracepoint",
              "tracepoint:sched:sched_process_exec" + DD + "/ { @[comm] = count(); }",
              "(?s).*: 1\n"),
          row(
              "tracepoint of a system call",
              "tracepoint:syscalls:sys_enter_write"
                  + DD
                  + "&& data->count == 1 / { @[comm] = count(); }",
              HUNDRED),
          row(
              "tracepoints by pattern",
              "tracepoint:syscalls:sys_exit_writ[e]*"
                  + DD
                  + "&& data->ret == 1 / { @[comm] = count(); }",
              HUNDRED),
          row("kprobe", "kprobe:vfs_write" + DD + "&& arg2 == 1 / { @[comm] = count(); }", HUNDRED),
          row(
              "kprobe of a module",
              "kprobe:vmlinux:vfs_write" + DD + "&& arg2 == 1 / { @[comm] = count(); }",
              HUNDRED),
          row(
              "kprobe at an offset",
              "kprobe:vfs_write+0" + DD + "&& arg2 == 1 / { @[comm] = count(); }",
              HUNDRED),
          row(
              "kprobes by pattern",
              "kprobe:vfs_writ[e]" + DD + "&& arg2 == 1 / { @[comm] = count(); }",
              HUNDRED),
          row(
              "kretprobe",
              "kretprobe:vfs_write" + DD + "&& retval == 1 / { @[comm] = count(); }",
              HUNDRED),
          row(
              "kernel stack",
              "tracepoint:syscalls:sys_enter_write"
                  + DD
                  + "&& data->count == 1 / { @[stack] = count(); }",
              HUNDRED));

  static Stream<Row> rows() {
    return Stream.iterate(0, i -> i < TABLE.size(), i -> i + 1)
        .map(i -> new Row(i, TABLE.get(i).kind(), TABLE.get(i).script(), TABLE.get(i).output()));
  }

  @BeforeAll
  static void assumeTracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void worksOrIsNotOffered(Row row) {
    boolean endsItself = row.script().contains("exit(");
    Call call = endsItself ? Call.ply(row.script()) : Call.ply("-c", WRITES, row.script());
    Optional<String> refusal = refusal(call);
    OUTCOMES.put(row.position(), row.kind() + "\t" + refusal.orElse("works"));
    if (refusal.isEmpty()) {
      assertThat(call.errors()).isEmpty();
      assertThat(call.output()).matches(row.output());
      assertThat(call.status()).isZero();
    }
  }

  private static Optional<String> refusal(Call call) {
    Matcher message = NOT_OFFERED.matcher(call.errors());
    return call.status() != 0 && message.find()
        ? Optional.of("not offered: " + message.group(1))
        : Optional.empty();
  }

  @AfterAll
  static void report() throws IOException {
    if (OUTCOMES.size() < TABLE.size()) {
      return;
    }
    Path directory = Files.createDirectories(Path.of(System.getProperty("ply.reports", "target")));
    Files.write(
        directory.resolve("attach-matrix-" + System.getProperty("os.version") + ".tsv"),
        OUTCOMES.values());
  }
}
