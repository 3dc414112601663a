package dev.ply.cli.bpftrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.cli.CommandProcess;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole runs of {@code ply bt} that trace only what they start. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class BpftraceIT {
  private static final String READS = "dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none";

  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @Tag("runtime")
  @Test
  void resultsAndMessagesAreThoseOfBpftrace() {
    assertThat(Call.ply("bt", "-e", "BEGIN { printf(\"%s\\n\", comm); @[1] = 2; exit(); } END { }"))
        .isEqualTo(new Call(0, "bpftrace\n\n\n@[1]: 2\n", "Attached 2 probes\n"));
  }

  @Test
  void whatTheScriptComputesIsReportedUnlessWarningsAreOff() {
    String script = "BEGIN { @ = *(uint8 *)uptr(1); printf(\"%d\\n\", 1 / @); exit(); }";
    assertThat(Call.ply("bt", "-q", "-e", script).errors())
        .isEqualTo(
            """
            warning[reported]: division by zero: the result is 0
              <input>:1:47
              | BEGIN { @ = *(uint8 *)uptr(1); printf("%d\\n", 1 / @); exit(); }
              |                                               ^~~~~
            """);
    assertThat(Call.ply("bt", "-q", "--no-warnings", "-e", script).errors()).isEmpty();
  }

  @Test
  void whatFailsInProgramsIsReportedIfAskedFor() {
    String script = "BEGIN { @ = *(uint8 *)uptr(1); printf(\"%d\\n\", 1 / @); exit(); }";
    assertThat(Call.ply("bt", "-q", "-k", "-e", script))
        .isEqualTo(
            new Call(
                0,
                "0\n\n\n@: 0\n",
                """
                warning[reported]: Failed to probe_read_user: Bad address (-14)
                  <input>:1:13
                  | BEGIN { @ = *(uint8 *)uptr(1); printf("%d\\n", 1 / @); exit(); }
                  |             ^~~~~~~~~~~~~~~~~
                warning[reported]: division by zero: the result is 0
                  <input>:1:47
                  | BEGIN { @ = *(uint8 *)uptr(1); printf("%d\\n", 1 / @); exit(); }
                  |                                               ^~~~~
                """));
    assertThat(Call.ply("bt", "-q", "-k", "-f", "json", "-e", script).output())
        .startsWith(
            "{\"type\": \"helper_error\", \"msg\": \"Bad address\", \"helper\":"
                + " \"probe_read_user\", \"retcode\": -14, \"filename\": \"<input>\", \"line\": 1,"
                + " \"col\": 13, \"count\": 1}\n");
    assertThat(Call.ply("bt", "-q", "-e", script))
        .isEqualTo(
            new Call(
                0,
                "0\n\n\n@: 0\n",
                """
                warning[reported]: division by zero: the result is 0
                  <input>:1:47
                  | BEGIN { @ = *(uint8 *)uptr(1); printf("%d\\n", 1 / @); exit(); }
                  |                                               ^~~~~
                """));
  }

  /** Passes memory of its own to a system call, then shows it. */
  private static final String PASSES =
      """
      import ctypes
      c = ctypes.CDLL(None)
      text = ctypes.create_string_buffer(b"before")
      c.access(text, 0)
      print(text.value.decode(), flush=True)
      """;

  @Test
  void memoryOfAProcessIsWritten() throws IOException {
    assumePython();
    Path program = Files.writeString(directory.resolve("passes.py"), PASSES);
    Call call =
        Call.ply(
            "bt",
            "-q",
            "--unsafe",
            "-c",
            "python3 " + program,
            "-e",
            "t:syscalls:sys_enter_access / pid == cpid && str(args.filename) == \"before\" /"
                + " { @ = write_user(args.filename, \"after\", 6); }");
    assumeFalse(
        call.errors().contains("allows no program to call bpf_probe_write_user"),
        "this kernel lets no program write to a process's memory");
    assertThat(call).isEqualTo(new Call(0, "after\n\n\n@: 1\n", ""));
  }

  @Test
  void theContextIsReadAsAnyStructure() {
    Call call =
        Call.ply(
            "bt",
            "-q",
            "-e",
            "struct first { unsigned long word; }"
                + " uprobe:libc:malloc / pid == cpid / { $r = (struct first *)ctx;"
                + " printf(\"%d %d\\n\", $r->word == *(uint64 *)(uint64)ctx,"
                + " $r->word == reg(\"r15\")); exit(); }",
            "-c",
            "dd if=/dev/zero of=/dev/null bs=1 count=1 status=none");
    assertThat(call.output()).startsWith("1 1\n");
  }

  @Test
  void theKernelsTraceBufferIsWritten() throws IOException {
    long token = System.nanoTime();
    Call.ply("bt", "-e", "BEGIN { debugf(\"ply %s %lld\", comm, " + token + "); exit(); }");
    try (Stream<String> lines = Files.lines(Path.of("/sys/kernel/tracing/trace"))) {
      assertThat(lines).anyMatch(line -> line.endsWith("ply bpftrace " + token));
    }
  }

  @Test
  void otherThreadsHaveNames() throws IOException {
    long self = ProcessHandle.current().pid();
    String name = Files.readString(Path.of("/proc/self/comm")).strip();
    assertThat(Call.ply("bt", "-q", "-e", "BEGIN { print(comm(" + self + ")); exit(); }").output())
        .isEqualTo(name + "\n\n\n");
  }

  private static void assumePython() {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "python3"))),
        "there is no python3 here");
  }

  @Test
  void enumerationsOfARecordAreNamed() {
    String mode =
        "t:timer:hrtimer_start / pid == cpid / { printf(\"%d %s\", args.mode, args.mode); }";
    assertThat(Call.ply("bt", "-q", "-c", "sleep 0.01", "-e", mode).output())
        .contains("1 HRTIMER_MODE_REL");
    assertThat(
            Call.ply("-c", "sleep 0.01", mode.replace("cpid", "$target").replace("%s", "%v"))
                .output())
        .contains("1 1");
  }

  @Test
  void namesOfProbesAreCompared() {
    Call call =
        Call.ply(
            "bt",
            "-q",
            "-c",
            "true",
            "-e",
            "t:syscalls:sys_enter_exit_group,t:syscalls:sys_enter_execve / pid == cpid / {"
                + " if (probe == \"tracepoint:syscalls:sys_enter_exit_group\") { @exit = 1; }"
                + " if (func != \"sys_enter_exit_group\") { @other = probe; }"
                + " if (strcontains(probe, \"exit\")) { @s = str_concat(\"a \", func); } }"
                + " BEGIN { @v = strlen(probe); @w = strncmp(probe, \"begin\", 10); }");
    assertThat(call.output())
        .contains("@exit: 1\n@other: tracepoint:syscalls:sys_enter_execve\n")
        .contains("@s: a sys_enter_exit_group\n@v: 5\n@w: 0\n");
  }

  @Test
  void aSourceLineIsNoPlaceYet() {
    assertThat(Call.ply("bt", "--dry-run", "-e", "uprobe:/bin/sh@main.c:7 { exit(); }").errors())
        .startsWith("error[unknown-binary]: no file /bin/sh@main.c\n")
        .contains("a source line, program@file.c:12, cannot be probed yet");
  }

  @Test
  void aMissingProbeIsTheOnlyErrorThatFollowsFromIt() {
    String usdt = "usdt:/nosuch:p:x { @a[tid] = str(arg0); } BEGIN { print(@a[1]); }";
    assertThat(Call.ply("bt", "--dry-run", "-e", usdt).errors())
        .containsOnlyOnce("error[")
        .startsWith("error[unknown-binary]: no file /nosuch\n");
    String tolerated =
        "config = { missing_probes = \"ignore\" } t:no:such { @z = args.y; } BEGIN { $x = @z; }";
    assertThat(Call.ply("bt", "--dry-run", "-e", tolerated).errors())
        .contains("map \"@z\" has no type: the probes that assign to it are missing");
  }

  @Test
  void testsOfAScriptRunInItsOrder() {
    String script =
        "BEGIN { @n = 1; } test:good { print(\"hidden\"); assert(@n == 1, \"no\"); @n = 2; }"
            + " test:bad { print(\"shown\"); assert(@n == 1, \"changed\"); }"
            + " test:last { exit(0); } bench:left_out { @n = 3; } END { print(@n); }";
    Call call = Call.ply("bt", "--test", "-e", script);
    assertThat(call.status()).isEqualTo(1);
    assertThat(
            call.output().replaceAll("\\(\\d+\\.\\d+ ms\\)", "(t)").replaceAll("(?m)^  .*\\n", ""))
        .isEqualTo(
            """
            [==========] Running 3 tests.
            [ RUN      ] good
            [       OK ] good (t)
            [ RUN      ] bad
            shown
            error[reported]: assert failed: changed
            [  FAILED  ] bad (t)
            [ RUN      ] last
            [       OK ] last (t)
            [==========] 3 tests ran.
            [  PASSED  ] 2 tests.
            [  FAILED  ] 1 test, listed below:
            [  FAILED  ] bad
            @n: 2
            """);
    assertThat(Call.ply("bt", "--test", "-f", "json", "-e", "test:one { print(1); }").output())
        .matches(
            "\\{\"type\": \"test_result\", \"data\": \\{\"one\": \\{\"duration\": \\d+,"
                + " \"passed\": true, \"output\": \".*\"}}}\n");
    assertThat(Call.ply("bt", "--mode", "test", "-e", "BEGIN { }"))
        .isEqualTo(new Call(1, "", "error: the script has no tests: test:name { … }\n"));
  }

  @Test
  void theNumberOfProbesHasALimit() {
    String script = "software:faults:100,software:cs:100 { } hardware:cycles: { }";
    assertThat(Call.ply("bt", "-l", "-e", "config = { max_probes = 2 } " + script).errors())
        .startsWith("error[too-many-places]: hardware:cpu-cycles:")
        .contains("a script may have 2: narrow the pattern, or set max_probes");
    assertThat(Call.ply("bt", "-l", "-e", "config = { max_probes = 3 } " + script).output().lines())
        .hasSize(3);
  }

  @Test
  void benchmarksOfAScriptAreMeasured() {
    String script = "bench:counting { @ = count(); } test:left_out { } END { print(@); clear(@); }";
    Call call = Call.ply("bt", "--bench", "-e", script);
    assertThat(call.errors()).isEmpty();
    assertThat(call.output())
        .matches(
            """
            Benchmark {32}Time\\(ns\\) {7}Iterations
            -{66}
            counting {33}[1-9]\\d* +[1-9]\\d*
            @: [1-9]\\d*
            """);
    assertThat(Call.ply("bt", "--mode", "bench", "-f", "json", "-e", "bench:a { }").output())
        .matches(
            "\\{\"type\": \"benchmark_result\", \"data\": \\{\"a\": \\{\"average\": \\d+,"
                + " \"iters\": \\d+}}}\n");
    assertThat(Call.ply("bt", "-q", "-e", script + " BEGIN { print(1); }").output())
        .isEqualTo("1\n@: 0\n\n\n");
  }

  @Test
  void whatCanOnlyBeginAndEndDoesSo() {
    assertThat(Call.ply("bt", "-q", "-e", "BEGIN { @x = 5; } END { @y = 6; }"))
        .isEqualTo(new Call(0, "\n\n@x: 5\n@y: 6\n", ""));
  }

  /** Test suites for bpftrace wait for this line. */
  @Tag("runtime")
  @Test
  void anEnvironmentVariableHasAttachmentNotified() throws Exception {
    Process process =
        CommandProcess.startUnder(
            List.of("env", "__BPFTRACE_NOTIFY_PROBES_ATTACHED=1"),
            "bt",
            "-q",
            "-e",
            "BEGIN { printf(\"first\\n\"); }");
    assertThat(process.inputReader().lines())
        .containsExactly("__BPFTRACE_NOTIFY_PROBES_ATTACHED", "first", "", "");
  }

  @Test
  void theTopHistogramsHaveTheMostValues() {
    assertThat(
            Call.ply(
                    "bt",
                    "-q",
                    "-f",
                    "json",
                    "-e",
                    "BEGIN { @[1] = hist(10); @[2] = hist(20); @[3] = hist(30); @[0] = hist(9);"
                        + " @[0] = hist(9); print(@, 2); clear(@); }")
                .output())
        .matches("\\{\"type\": \"hist\", \"data\": \\{\"@\": \\{\"3\": .*, \"0\": .*\n");
  }

  @Test
  void aMapDeclaredAsLruMakesRoomForNewKeysAndLosesNoUpdate() {
    Call call =
        Call.ply(
            "bt",
            "-q",
            "-e",
            "let @few = lruhash(2); BEGIN { for ($i : 0..100) { @few[$i] = $i; } exit(); }");
    assertThat(call.errors()).isEmpty();
    assertThat(call.output()).contains("@few[99]: 99\n");
  }

  @Test
  void optionsForWhatTheKernelDoesAnywayAreAccepted() {
    assertThat(
            Call.ply(
                "bt", "-q", "--usdt-file-activation", "-k", "-e", "BEGIN { print(1); exit(); }"))
        .isEqualTo(new Call(0, "1\n\n\n", ""));
  }

  @Test
  void aMapThatASettingMadeSmallIsReportedWithItsSize() {
    String script = "config = { max_map_keys = 2 } BEGIN { @[1]=1; @[2]=1; @[3]=1; exit(); }";
    assertThat(Call.ply("bt", "-q", "-e", script).errors())
        .isEqualTo("warning: 1 update lost: map \"@\" is full at 2 keys (raise max_map_keys)\n");
  }

  @Test
  void aFullMapIsNamedWithItsSize() {
    assertThat(
            Call.ply("bt", "-q", "-e", "let @a = hash(1); BEGIN { @a[1] = 1; @a[2] = 2; }")
                .errors())
        .isEqualTo(
            "warning: 1 update lost: map \"@a\" is full at 1 key (raise the number in its"
                + " declaration)\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "print(10 * 1024 * 1024 * 1024)              | 10737418240",
        "print(2147483647 + 1)                       | 2147483648",
        "print(1 << 40)                              | 1099511627776",
        "print((uint32)4294967295 + 1)               | 4294967296",
        "print((uint32)4294967295 * (uint32)2)       | 8589934590",
        "print(-(uint32)1)                           | 4294967295",
        "print(~(uint8)1)                            | 254",
        "print((uint8)1 - 2)                         | 18446744073709551615",
        "print((uint8)255 + (uint8)255)              | 510",
        "print((int32)-1 / (int32)2)                 | 0",
        "$x = (uint32)4294967295; print($x + $x)     | 8589934590",
        "@a = (uint32)4294967295; print(@a * 2)      | 8589934590",
        "print(cpu * 0 + 4294967295 * 2)             | 8589934590",
      })
  void integersAreComputedInSixtyFourBits(String statements, String expected) {
    assertThat(
            Call.ply("bt", "-q", "-e", "BEGIN { " + statements + "; clear(@a); @a = 0; }").output())
        .startsWith(expected + "\n");
  }

  @Test
  void aTimeAloneIsPrinted() {
    assertThat(Call.ply("bt", "-q", "-e", "BEGIN { time(); print(usym(1)); }").output())
        .matches("[0-2]\\d:[0-5]\\d:[0-6]\\d\n0x1\n\n\n");
  }

  @Tag("runtime")
  @Test
  void theEnvironmentTakesPrecedenceOverTheScript() throws Exception {
    Process process =
        CommandProcess.startUnder(
            List.of("env", "BPFTRACE_PRINT_MAPS_ON_EXIT=0"),
            "bt",
            "--quiet",
            "-e",
            "config = { print_maps_on_exit = true } BEGIN { @a = 1; }");
    assertThat(process.inputReader().lines()).isEmpty();
  }

  @Test
  void theVersionIsThatOfTheLanguage() {
    assertThat(Call.ply("bt", "--version").output()).matches("bpftrace v0\\.\\d+.* \\(ply .*\\)\n");
  }

  @Test
  void quietRunsReportNoProbes() {
    assertThat(Call.ply("bt", "-q", "-e", "BEGIN { exit(7); }")).isEqualTo(new Call(7, "\n\n", ""));
  }

  @Test
  void aCommandsReadsAreCounted() {
    Call call =
        Call.ply(
            "bt",
            "-f",
            "json",
            "-c",
            READS,
            "-e",
            "tracepoint:syscalls:sys_enter_read / comm == \"dd\" && args.count == 1 /"
                + " { @reads = hist(args.count); }");
    assertThat(call.output())
        .startsWith("{\"type\": \"attached_probes\", \"count\": 1, \"data\": {\"probes\": 1}}\n")
        .contains("{\"type\": \"hist\", \"data\": {\"@reads\": [{\"min\": ");
  }

  /** The program's process executes one file: the program. */
  @Tag("runtime")
  @Test
  void aCommandIsExecutedOnce() {
    Call call =
        Call.ply(
            "bt",
            "-q",
            "-c",
            "true $HOME",
            "-e",
            "t:sched:sched_process_exec / pid == $target / { @[comm] = count(); }");
    assertThat(call)
        .isEqualTo(
            new Call(
                0,
                "\n\n@[true]: 1\n",
                "warning: -c runs a program without a shell, as bpftrace does: the program receives"
                    + " $HOME unchanged; put the command into an executable script instead\n"));
  }

  @Tag("runtime")
  @Test
  void oneProcessIsTracedUntilItEnds() throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", "read line; exec dd if=/dev/zero of=/dev/null bs=7 count=50")
            .redirectErrorStream(true)
            .start();
    Path output = directory.resolve("results");
    try {
      Thread starter = new Thread(() -> release(process, output));
      starter.start();
      Call call =
          Call.ply(
              "bt",
              "-o",
              output.toString(),
              "-B",
              "line",
              "-p",
              Long.toString(process.pid()),
              "-e",
              "tracepoint:raw_syscalls:sys_enter { @pids[pid] = count(); }"
                  + " t:syscalls:sys_enter_read / args.count == 7 / { @reads = count(); }"
                  + " interval:ms:10 { printf(\"attached\\n\"); }");
      starter.join();
      assertThat(call.output()).isEmpty();
      assertThat(call.errors()).isEqualTo("Attached 3 probes\n");
    } finally {
      process.destroyForcibly();
    }
    assertThat(output)
        .content()
        .matches("(attached\n)+\n\n@pids\\[" + process.pid() + "\\]: \\d+\n@reads: 50\n");
  }

  /** Lets the process run once the trace has written that it is attached. */
  private static void release(Process process, Path output) {
    try {
      while (process.isAlive() && (!Files.exists(output) || Files.size(output) == 0)) {
        Thread.onSpinWait();
      }
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void plyHasTheSameWithItsOwnLetters() throws Exception {
    Path output = directory.resolve("results");
    Call call =
        Call.ply("-q", "-f", "json", "-o", output.toString(), "BEGIN { @[1] = 2; exit(0); }");
    assertThat(call).isEqualTo(new Call(0, "", ""));
    assertThat(output)
        .hasContent("{\"type\": \"map\", \"data\": {\"@\": [{\"key\": [1], \"value\": 2}]}}");
  }
}
