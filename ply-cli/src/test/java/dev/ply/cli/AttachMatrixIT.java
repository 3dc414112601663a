package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private static final String DD = "/ pid == $target && !strcmp(comm, \"dd\") ";
  private static final String HUNDRED = "(?s).*: 100\n";

  private static final String JAVA = System.getProperty("java.home");

  private static final Pattern NOT_OFFERED = Pattern.compile("(?m)^error\\[not-offered\\]: (.*)$");

  private static final Map<Integer, String> OUTCOMES = new TreeMap<>();

  /**
   * A kind of attach point.
   *
   * @param option an option of the command, or none
   * @param work what is run while tracing; none where the script ends by itself
   * @param output what is printed where it works, a regular expression
   */
  private record Row(
      String kind, Optional<String> option, Optional<String> work, String script, String output) {
    Row with(String option) {
      return new Row(kind, Optional.of(option), work, script, output);
    }

    Row during(String work) {
      return new Row(kind, option, Optional.of(work), script, output);
    }

    Call call() {
      List<String> words = new ArrayList<>();
      option.ifPresent(words::add);
      work.ifPresent(command -> words.addAll(List.of("-c", command)));
      words.add(script);
      return Call.ply(words.toArray(String[]::new));
    }

    @Override
    public String toString() {
      return kind;
    }
  }

  private static Row row(String kind, String script, String output) {
    Optional<String> work = script.contains("exit(") ? Optional.empty() : Optional.of(WRITES);
    return new Row(kind, Optional.empty(), work, script, output);
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
                  "system call by its function",
                  "tracepoint:syscalls:sys_enter_write"
                      + DD
                      + "&& data->count == 1 / { @[comm] = count(); }",
                  HUNDRED)
              .with("--attach=fentry-syscall"),
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
                  "kprobe by kprobe_events",
                  "kprobe:vfs_write" + DD + "&& arg2 == 1 / { @[comm] = count(); }",
                  HUNDRED)
              .with("--attach=kprobe-events"),
          row(
              "kretprobe of so many calls",
              "kretprobe:vfs_write:64" + DD + "&& retval == 1 / { @[comm] = count(); }",
              HUNDRED),
          row(
                  "kprobes by one link",
                  "kprobe:vfs_writ[e]" + DD + "&& arg2 == 1 / { @[comm] = count(); }",
                  HUNDRED)
              .with("--attach=kprobe-multi"),
          row(
                  "kretprobes by one link",
                  "kretprobe:vfs_writ[e]" + DD + "&& retval == 1 / { @[comm] = count(); }",
                  HUNDRED)
              .with("--attach=kprobe-multi"),
          row("fentry", "fentry:vfs_write" + DD + "&& arg2 == 1 / { @[comm] = count(); }", HUNDRED),
          row("fexit", "fexit:vfs_write" + DD + "&& retval == 1 / { @[comm] = count(); }", HUNDRED),
          row(
              "raw tracepoint",
              "rawtracepoint:sched_process_exec" + DD + "&& arg0 != 0 / { @[comm] = count(); }",
              "(?s).*: 1\n"),
          row(
              "raw tracepoint with types",
              "rawtracepoint:sched_process_exec"
                  + DD
                  + "&& args->p->tgid == pid / { @[comm] = count(); }",
              "(?s).*: 1\n"),
          row("uprobe", "uprobe:c:write" + DD + "&& arg2 == 1 / { @[comm] = count(); }", HUNDRED),
          row(
              "uretprobe",
              "uretprobe:c:write" + DD + "&& retval == 1 / { @[comm] = count(); }",
              HUNDRED),
          row(
                  "usdt",
                  "usdt:"
                      + JAVA
                      + "/lib/server/libjvm.so:hotspot:vm__init__end"
                      + " / pid == $target / { @ = count(); }",
                  "(?s).*@: 1\n")
              .during("exec " + JAVA + "/bin/java -version 2>/dev/null"),
          row(
              "software event",
              "software:page-faults:1" + DD + "/ { @[comm] = count(); }",
              "(?s).*: [0-9]+\n"),
          row(
              "hardware event",
              "hardware:cpu-cycles:10000" + DD + "/ { @[comm] = count(); }",
              "(?s).*: [0-9]+\n"),
          row(
              "kernel stack",
              "tracepoint:syscalls:sys_enter_write"
                  + DD
                  + "&& data->count == 1 / { @[stack] = count(); }",
              HUNDRED));

  static Stream<Row> rows() {
    return TABLE.stream();
  }

  @BeforeAll
  static void assumeTracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void worksOrIsNotOffered(Row row) {
    Call call = row.call();
    Optional<String> refusal = refusal(call);
    OUTCOMES.put(TABLE.indexOf(row), row.kind() + "\t" + refusal.orElse("works"));
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
