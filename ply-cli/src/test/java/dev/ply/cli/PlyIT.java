package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole runs that trace only what they start. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class PlyIT {
  /** How often what goes wrong rarely is tried. */
  private static final int RUNS = 100;

  /** Processes of the same name, of which a machine may have others, are not counted with it. */
  private static final String DD = "exec dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none";

  private static final String MANY_READS =
      "exec dd if=/dev/zero of=/dev/null bs=1 count=5000 status=none";

  private static final String KEY_BY_TIME =
      "tracepoint:syscalls/sys_enter_read / pid == $target / { @[time] = count(); }";

  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @Tag("runtime")
  @Test
  void beginAndEndPrintAndTheStatusIsTheScripts() {
    assertThat(Call.ply("BEGIN { printf(\"hi\\n\"); exit(300); } END { printf(\"bye\\n\"); }"))
        .isEqualTo(new Call(44, "hi\nbye\n", ""));
  }

  @ParameterizedTest
  @CsvSource({"print(1);", "@a[1] = 2;", "@a[kstack] = count(); clear(@a);"})
  void foldedStacksWithoutStacksAreAWarning(String statements) {
    Call call = Call.ply("-f", "folded", "BEGIN { " + statements + " exit(0); }");
    assertThat(call.status()).isZero();
    assertThat(call.output()).isEmpty();
    assertThat(call.errors())
        .isEqualTo(
            (statements.contains("print") ? "1\n" : "")
                + (statements.contains("kstack")
                    ? ""
                    : "warning: -f folded shows maps with a stack in their key, and this program"
                        + " has none; such a map is @[kstack] = count()\n"));
  }

  @Test
  void whatHasNoPlaceAmongFoldedStacksIsPrintedAsErrorsAre() {
    Call call =
        Call.ply(
            "-f",
            "folded",
            "BEGIN { @a[kstack] = count(); @n = count(); printf(\"%d\\n"
                + "\", 7); print(@n); print(@a); exit(0); }");
    assertThat(call.status()).isZero();
    assertThat(call.output()).matches("([^ ]+ 1\n){2}");
    assertThat(call.errors()).isEqualTo("7\n\n@n: 1\n\n");
  }

  @Tag("runtime")
  @Test
  void aCommandsSystemCallsAreCounted() {
    Call call =
        Call.ply(
            "-c",
            DD,
            "tracepoint:raw_syscalls/sys_enter / pid == $target && !strcmp(comm, \"dd\") /"
                + " { @[comm] = count(); }");
    assertThat(call.status()).isZero();
    assertThat(call.errors()).isEmpty();
    assertThat(call.output()).matches("\n@:\n\\{ dd +\\}: 2\\d\\d\\d\n");
  }

  /**
   * The call that starts dd is the shell's, and strace does not count the one that ends it, since
   * it does not come back: one less, one more.
   */
  @Test
  void straceCountsTheSame() throws Exception {
    Path report = directory.resolve("strace");
    Process strace =
        new ProcessBuilder("sh", "-c", "exec strace -f -c -o " + report + " " + DD.substring(5))
            .redirectErrorStream(true)
            .start();
    String complaint = new String(strace.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeTrue(strace.waitFor() == 0, () -> "strace cannot trace here: " + complaint);
    Matcher total =
        Pattern.compile("(?m)^ *[\\d.]+ +[\\d.]+ +\\d+ +(\\d+) .*total$")
            .matcher(Files.readString(report));
    assertThat(total.find()).isTrue();
    Call call =
        Call.ply(
            "-c",
            DD,
            "tracepoint:raw_syscalls/sys_enter / pid == $target && comm == \"dd\" /"
                + " { @[comm] = count(); }");
    assertThat(call.output()).endsWith(": " + total.group(1) + "\n");
  }

  @Test
  void readsOfOneByteAreCountedExactly() {
    Call call =
        Call.ply(
            "-c",
            DD,
            "tracepoint:syscalls/sys_enter_read / pid == $target && comm == \"dd\" && data->count"
                + " == 1 / { @[comm] = count(); }");
    assertThat(call.output()).matches("\n@:\n\\{ dd +\\}: 1000\n");
  }

  @Test
  void aPatternOfTracepointsIsCountedExactly() {
    Call call =
        Call.ply(
            "-c",
            DD,
            "t:syscalls/sys_exit_@(read|write) / pid == $target && comm == \"dd\" && data->ret == 1"
                + " / { @[comm] = count(); } t:sched:sched_process_e* / pid == $target && comm =="
                + " \"dd\" / { @seen[comm] = count(); }");
    assertThat(call.errors()).isEmpty();
    assertThat(call.output()).matches("\n@:\n\\{ dd +\\}: 2000\n\n@seen:\n\\{ dd +\\}: 2\n");
  }

  /**
   * Of the command alone, once it is dd: others of that name may run at the same time. Results that
   * differ from run to run, as set_tid_address's TID does, are left out.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "raw-syscalls # t:syscalls:sys_* OWN { @[probe] = count(); }",
        "raw-syscalls # t:syscalls:sys_enter_write OWN { @[probe, data->fd, data->count,"
            + " data->__syscall_nr, data->common_type] = count(); }",
        "raw-syscalls # t:syscalls:sys_enter_openat OWN { @[data->dfd, data->flags, data->mode]"
            + " = count(); }",
        "raw-syscalls # t:syscalls:sys_exit_[!s]* OWN { @[probe] = quantize(data->ret); }",
        "raw-tracepoint # t:sched:sched_process_@(exec|exit) OWN { @[probe, comm] = count(); }"
      })
  void tracepointsShowTheSameHoweverTheyAreAttached(String how, String places) {
    String script = places.replace("OWN", "/ pid == $target && comm == \"dd\" /");
    Call plain = Call.ply("--attach=tracepoint", "-c", DD, script);
    assertThat(plain.errors()).isEmpty();
    assertThat(plain.output()).isNotEmpty();
    assertThat(Call.ply("--attach=" + how, "-c", DD, script).output()).isEqualTo(plain.output());
    assertThat(Call.ply("-c", DD, script).output()).isEqualTo(plain.output());
  }

  @Test
  void aMechanismThatCannotBeUsedIsAnError() {
    Call call =
        Call.ply("--attach=raw-tracepoint", "t:sched:sched_switch { print(data->prev_pid); }");
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.errors())
        .contains("tracepoint:sched:sched_switch cannot be attached by raw-tracepoint");
    assertThat(Call.ply("--attach=magic", "BEGIN {}").errors())
        .contains("unknown mechanism \"magic\"; known are fentry, kprobe-multi, kprobe,");
  }

  @Test
  void manyTracepointsAreOneProgram() {
    Call call = Call.ply("-e", "-S", "t:syscalls:sys_enter_* { @ = count(); }");
    assertThat(call.status()).isZero();
    assertThat(call.output()).containsOnlyOnce("-- bpf ");
  }

  @Test
  void whatARecordHasBehindItsFieldsIsRead() {
    Call call =
        Call.ply(
            "-c",
            "/bin/true",
            "tracepoint:sched/sched_process_exec { if (strcmp(comm, \"true\")) return;"
                + " print(data->filename, str(data->filename, 16), dyn(data->filename, 6));"
                + " @[dyn(data->filename)] = count(); }");
    assertThat(call.errors())
        .startsWith("note[")
        .contains("str(…) of the field is the string there");
    assertThat(call.output())
        .matches(
            """
            dynamic\\(10 bytes, offset 0x\\p{XDigit}+\\), /bin/true, /bin/

            @:
            \\{ /bin/true \\}: 1
            """);
  }

  @Test
  void aMapIsEmptiedBetweenTwoPrints() {
    assertThat(
            Call.ply(
                "BEGIN { m[1] = 1; @ = count(); print(m); clear(m); clear(@); print(m, @); exit(0);"
                    + " }"))
        .isEqualTo(new Call(0, "\nm:\n{ 1 }: 1\n\n, \n", ""));
  }

  @Tag("runtime")
  @Test
  void beginSeesThisProcess() {
    Call call = Call.ply("BEGIN { print(comm, pid); exit(0); }");
    assertThat(call.output()).isEqualTo("ply, " + ProcessHandle.current().pid() + "\n");
    assertThat(Call.ply("--compat", "BEGIN { print(comm, pid); exit(0); }").output())
        .isEqualTo(
            String.format(Locale.ROOT, "%-15s, %5d%n", "ply", ProcessHandle.current().pid()));
  }

  @Tag("runtime")
  @Test
  void theTimeOfDayIsThatOfTheClock() {
    ZonedDateTime before = ZonedDateTime.now(ZoneId.systemDefault());
    Call call = Call.ply("BEGIN { print(walltime); exit(0); }");
    ZonedDateTime after = ZonedDateTime.now(ZoneId.systemDefault());
    ZonedDateTime told = before.with(LocalTime.parse(call.output().strip()));
    // Midnight may pass meanwhile.
    assertThat(told.isBefore(before) ? told.plusDays(1) : told).isBetween(before, after);
  }

  @Test
  void anIntervalEndsATrace() {
    assertThat(Call.ply("interval:10ms { exit(3); }")).isEqualTo(new Call(3, "", ""));
  }

  @Tag("runtime")
  @Test
  void aCommandsStatusIsNotThatOfTheTrace() {
    assertThat(Call.ply("-c", "exit 7", "END { print(1); }")).isEqualTo(new Call(0, "1\n", ""));
  }

  @Test
  void aCommandDoesNotRunIfTheProgramIsWrong() {
    Path file = directory.resolve("ran");
    Call call = Call.ply("-c", "touch " + file, "BEGIN { print(nothing); }");
    assertThat(call.status()).isEqualTo(1);
    assertThat(Files.exists(file)).isFalse();
  }

  @Test
  void aDumpIsFollowedByTheRun() {
    Call call = Call.ply("-S", "BEGIN { print(7); exit(0); }");
    assertThat(call.status()).isZero();
    assertThat(call.output()).startsWith("-- ir\n").contains("-- bpf BEGIN, ").endsWith("\n7\n");
  }

  @Test
  void lostUpdatesOfAFullMapAreAnError() {
    Call call = Call.ply("-c", MANY_READS, KEY_BY_TIME);
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.output()).startsWith("\n@:\n{ ");
    assertThat(call.errors())
        .matches(
            "error: \\d+ updates lost: map \"@\" is full at 4096 keys"
                + " \\(raise it with --map-entries N; -k continues\\)\n");
  }

  @Test
  void lostUpdatesAreAWarningToThoseWhoGoOnRegardless() {
    Call call = Call.ply("-k", "-c", MANY_READS, KEY_BY_TIME);
    assertThat(call.status()).isZero();
    assertThat(call.errors())
        .matches(
            "warning: \\d+ updates lost: map \"@\" is full at 4096 keys"
                + " \\(raise it with --map-entries N\\)\n");
  }

  /** What fails as standard output is written to is thrown on the thread that reads events. */
  @Tag("runtime")
  @Test
  void anErrorEndsTheTraceWithResultsAndAMessage() {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    OutputStream failing =
        new OutputStream() {
          private boolean hasFailed;

          @Override
          public void write(int value) {
            if (!hasFailed) {
              hasFailed = true;
              throw new LinkageError("no such method");
            }
            output.write(value);
          }
        };
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int status =
        new Ply(InputStream.nullInputStream(), failing, errors)
            .run("-u", "i:1ms { @ = count(); print(1); } END { print(7); }");
    assertThat(status).isEqualTo(1);
    assertThat(output.toString(StandardCharsets.UTF_8)).matches("(?s).*7\n\n@: \\d+\n");
    assertThat(errors.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "error: unexpected java.lang.LinkageError: no such method: this is a bug in ply, please"
                + " report it\n");
  }

  @Tag("runtime")
  @Test
  void beginAndEndRunInAThreadCalledPly() {
    assertThat(Call.ply("BEGIN { print(comm); exit(0); } END { print(comm == \"ply\"); }"))
        .isEqualTo(new Call(0, "ply\n1\n", ""));
  }

  @Tag("runtime")
  @Test
  void theTargetIsTheCommandsProcess() {
    Call call =
        Call.ply(
            "-c",
            "echo $$; exec dd if=/dev/zero of=/dev/null bs=1 count=7 status=none >&2",
            "tracepoint:syscalls/sys_enter_write / pid == $target && data->fd == 1 /"
                + " { @[$target] = count(); }");
    assertThat(call.errors()).isEmpty();
    assertThat(call.output()).matches("\n@:\n\\{ \\d+ \\}: \\d+\n");
  }

  /** What the command writes does not pass through here, so it writes to a file. */
  @Tag("runtime")
  @Test
  void theCommandsSignalsAreThoseOfAnyProcess() throws Exception {
    Path traced = directory.resolve("traced");
    Path plain = directory.resolve("plain");
    String command = "grep -E 'SigBlk|SigIgn|SigCgt' /proc/self/status >";
    assertThat(Call.ply("-c", command + traced, "END { }").status()).isZero();
    new ProcessBuilder("sh", "-c", command + plain).start().waitFor();
    assertThat(traced).hasSameTextualContentAs(plain);
  }

  /** The command's end must not be missed while events come in. */
  @Test
  @Timeout(1800)
  void theTraceEndsWithItsCommandHoweverMuchIsPrinted() {
    for (int run = 1; run <= RUNS; run++) {
      Call call =
          Call.ply(
              "-k",
              "-c",
              "exec dd if=/dev/zero of=/dev/null bs=1 count=300 status=none",
              "tracepoint:raw_syscalls/sys_enter / pid == $target / { print(comm, data->id); }");
      assertThat(call.status()).as("status of run " + run).isZero();
      assertThat(call.output()).as("output of run " + run).contains("dd");
    }
  }

  @Tag("runtime")
  @Test
  void theSelfTestPasses() {
    Call call = Call.ply("-T");
    assertThat(call.output())
        .contains("Verifying kernel configuration... ", "Verifying privileges... OK\n")
        .contains("Verifying interval... OK\n")
        .contains("Verifying tracepoint... OK\n")
        .doesNotContain("ERROR");
    assertThat(call.status()).isZero();
  }
}
