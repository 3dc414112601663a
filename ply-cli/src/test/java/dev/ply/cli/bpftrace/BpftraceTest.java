package dev.ply.cli.bpftrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.codegen.Reporting;
import dev.ply.cli.Call;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.run.Dump;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.TraceRequest;
import dev.ply.layout.Layout;
import dev.ply.listing.Detail;
import dev.ply.target.Mechanism;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BpftraceTest {
  private static final FrontEnd BPFTRACE = new Bpftrace();

  @TempDir Path directory = Path.of("");

  @Test
  void reportsOfErrorsAreOnOrOff() throws UsageException {
    assertThat(BpftraceOptions.parse(BPFTRACE, "-k", "-e", "x").compiler().reporting())
        .isEqualTo(Reporting.ALL);
    assertThat(BpftraceOptions.parse(BPFTRACE, "-e", "x").compiler().reporting())
        .isEqualTo(Reporting.COMPUTATIONS);
    assertThat(BpftraceOptions.parse(BPFTRACE, "--no-warnings", "-e", "x").compiler().reporting())
        .isEqualTo(Reporting.NONE);
    assertThatThrownBy(() -> BpftraceOptions.parse(BPFTRACE, "-kk", "-e", "x"))
        .hasMessage("-kk: a single -k reports all errors of programs");
    assertThatThrownBy(() -> BpftraceOptions.parse(BPFTRACE, "-k", "--no-warnings", "-e", "x"))
        .hasMessage("-k and --no-warnings exclude each other");
  }

  @Test
  void optionsMayFollowTheProgramAndItsParameters() throws UsageException {
    BpftraceOptions options =
        BpftraceOptions.parse(
            BPFTRACE, "-e", "BEGIN { }", "1", "-f", "json", "two", "-q", "--", "-p");
    assertThat(options.program()).contains("BEGIN { }");
    assertThat(options.operands()).containsExactly("1", "two", "-p");
    assertThat(options.request().layout()).isEqualTo(Layout.BPFTRACE_JSON);
    assertThat(options.request().notices()).isEqualTo(TraceRequest.Notices.LEFT_OUT);
    assertThat(options.action()).isEqualTo(BpftraceOptions.Action.RUN);
  }

  @Test
  void stagesMayBeSeveral() throws UsageException {
    assertThat(
            BpftraceOptions.parse(BPFTRACE, "-d", "ast,dis", "-d", "verifier", "-e", "BEGIN { }")
                .request()
                .dump())
        .containsExactlyInAnyOrder(
            Dump.Section.IR, Dump.Section.MAPS, Dump.Section.CODE, Dump.Section.STATES);
  }

  @Test
  void bpftracesOtherOptionsAreAcceptedOrRefusedWithAReason() throws UsageException {
    BpftraceOptions options =
        BpftraceOptions.parse(
            BPFTRACE,
            "--btf",
            "--verify-llvm-ir",
            "--warnings",
            "--quiet",
            "--debuginfo=/x",
            "--no-feature",
            "uprobe_multi,kprobe_multi",
            "--mode=codegen",
            "-e",
            "BEGIN { }");
    assertThat(options.action()).isEqualTo(BpftraceOptions.Action.CHECK);
    assertThat(options.compiler().mechanism()).contains(Mechanism.KPROBE);
    for (String refused : List.of("--aot", "--emit-elf", "--emit-llvm", "--dwarf-pid")) {
      assertThatThrownBy(() -> BpftraceOptions.parse(BPFTRACE, refused, "x"))
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith(refused + ": ");
    }
    assertThatThrownBy(() -> BpftraceOptions.parse(BPFTRACE, "--test", "--bench"))
        .hasMessage("--mode, --fmt, --test and --bench exclude each other");
    assertThatThrownBy(() -> BpftraceOptions.parse(BPFTRACE, "--traceable-functions", "/no/such"))
        .hasMessage("--traceable-functions: /no/such cannot be read");
  }

  @Test
  void aFileSaysWhichFunctionsPatternsSelect() throws IOException {
    Path list = Files.writeString(directory.resolve("functions"), "vfs_read\nvfs_writev [fs]\n");
    assertThat(
            Call.ply("bt", "--traceable-functions", list.toString(), "-l", "kprobe:vfs_r*")
                .output())
        .isEqualTo("kprobe:vfs_read\n");
  }

  @Test
  void timersAndCountersOfAProgramAreListedWithoutTheirNumbers() {
    assertThat(
            Call.ply("bt", "-l", "-e", "interval:2000000 { } p:5000000 { } s:faults:10 { }")
                .output())
        .isEqualTo(
            """
            interval:hz:
            interval:ms:
            interval:s:
            interval:us:
            profile:hz:
            profile:ms:
            profile:s:
            profile:us:
            software:faults:
            """);
  }

  @Test
  void probesMayHaveNames() {
    assertThat(
            Call.ply(
                    "bt",
                    "-l",
                    "-e",
                    "first = interval:1s { } a=i:2s,b = profile:hz:9 { } c=begin { }")
                .output())
        .isEqualTo(
            """
            interval:hz:
            interval:ms:
            interval:s:
            interval:us:
            profile:hz:
            profile:ms:
            profile:s:
            profile:us:
            """);
  }

  @Test
  void lettersMayBeJoined() throws UsageException {
    BpftraceOptions options = BpftraceOptions.parse(BPFTRACE, "-lv", "t:sched:*");
    assertThat(options.action()).isEqualTo(BpftraceOptions.Action.LIST);
    assertThat(options.detail()).isEqualTo(Detail.FIELDS);
    assertThat(options.operands()).containsExactly("t:sched:*");
    BpftraceOptions run = BpftraceOptions.parse(BPFTRACE, "-ve", "BEGIN { }");
    assertThat(run.remarks()).contains(Console.Remark.DEBUG);
    assertThat(run.program()).contains("BEGIN { }");
  }

  @ParameterizedTest
  @CsvSource({
    "-f,yaml,'-f takes text, json, csv, folded, speedscope, pprof, firefox, perfetto,"
        + " openmetrics, prometheus, jfr or html, not \"yaml\"'",
    "-B,some,'-B takes line, full or none, not \"some\"'",
    "-p,self,'-p takes the PID of a process, not \"self\"'",
    "-p,999999999,'-p: no process 999999999'",
    "-d,llvm,'-d takes ast, codegen, codegen-opt, dis, libbpf, verifier or all, not \"llvm\"'"
  })
  void whatAnOptionTakesIsSaid(String option, String value, String message) {
    assertThatThrownBy(() -> BpftraceOptions.parse(BPFTRACE, option, value, "-e", "BEGIN { }"))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
  }

  @Test
  void theFirstOperandIsAFile() throws Exception {
    Path script = directory.resolve("a.bt");
    Files.writeString(script, "#!/usr/bin/env bpftrace\nBEGIN { print($1); }\n");
    assertThat(Call.ply("bt", "--dry-run", script.toString(), "5")).isEqualTo(new Call(0, "", ""));
    assertThat(Call.ply("bt", "--dry-run", "BEGIN { }").errors())
        .isEqualTo("error: no such file: BEGIN { } (-e takes a program)\n");
    assertThat(Call.ply("bt").errors()).contains("no program: ply bt [options] <file>");
  }

  @Test
  void aProgramMayBePipedIn() {
    byte[] program = "BEGIN { nothing; }".getBytes(StandardCharsets.UTF_8);
    assertThat(Call.ply(new ByteArrayInputStream(program), "bt", "--dry-run", "-").errors())
        .contains("<stdin>:1:9");
  }

  @Test
  void variablesOfTheEnvironmentAreNoneOfBpftrace() {
    assertThat(Call.ply("-e", "BEGIN { print($PATH); }").status()).isZero();
    assertThat(Call.ply("bt", "--dry-run", "-e", "BEGIN { print($PATH); }").errors())
        .contains("$PATH");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "printf(\"%d\", 1, 2)",
        "printf(\"%*d\", 1)",
        "printf(\"%s\")",
        "errorf(\"%s\", comm, 1)",
        "system(\"kill %d\")",
        "cat(\"/proc/%d/maps\")",
      })
  void formatsHaveAValueForEachConversion(String statement) {
    String program = "BEGIN { " + statement + "; }";
    String error = "error[bad-format]: the format has 1 conversion";
    assertThat(Call.ply("bt", "--dry-run", "--unsafe", "-e", program).errors()).startsWith(error);
    Call call = Call.ply("--unsafe", "-e", program);
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.errors()).startsWith(error);
  }

  @Test
  void aDryRunNamesAllErrorsAtOnce() {
    Call call =
        Call.ply("bt", "--dry-run", "-e", "BEGIN { print(nothing); } t:syscalls:sys_entr_read { }");
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.errors()).contains("<input>:1:15").contains("<input>:1:27");
  }

  @Test
  void aDryRunFindsFunctionsThatTheKernelDoesNotHave() {
    String script = "kprobe:no_such_function { } kretprobe:vfs_read { @ = nothing; }";
    for (String[] front : new String[][] {{"bt", "--dry-run", "-e", script}, {"-e", script}}) {
      Call call = Call.ply(front);
      assertThat(call.status()).isEqualTo(1);
      assertThat(call.errors())
          .contains("error[unknown-function]: this kernel has no function \"no_such_function\"")
          .contains("\"nothing\" is not defined");
    }
    assertAccepted(Call.ply("-q", "-e", "kprobe:vfs_read+4 { }"));
  }

  /** A kernel without kprobes is told of, but of no other error. */
  private static void assertAccepted(Call call) {
    assertThat(call.errors().lines().filter(line -> line.startsWith("error")).toList())
        .allMatch(line -> line.contains("cannot be attached: this kernel was built without"));
    assertThat(call.status()).isEqualTo(call.errors().isEmpty() ? 0 : 1);
  }

  @Test
  void aDryRunFindsModulesThatDoNotHaveTheFunction() {
    assertThat(Call.ply("bt", "--dry-run", "-e", "kprobe:no_module:vfs_read { }").errors())
        .startsWith(
            "error[unknown-function]: this kernel has no function \"vfs_read\" in a module"
                + " \"no_module\"")
        .contains("it is elsewhere: leave out the module");
    assertAccepted(Call.ply("bt", "--dry-run", "-e", "kprobe:vmlinux:vfs_read { }"));
  }

  @Test
  void aProgramIsFormatted() throws IOException {
    String formatted = "// one\nBEGIN\n{\n  @ = 1;\n}\n";
    assertThat(Call.ply("bt", "--fmt", "-e", "// one\nBEGIN{@=1;}"))
        .isEqualTo(new Call(0, formatted, ""));
    Path file = Files.writeString(directory.resolve("a.bt"), "// one\nBEGIN { @=1; }");
    assertThat(Call.ply("bt", "--mode", "format", "-o", file.toString(), file.toString()))
        .isEqualTo(new Call(0, "", ""));
    assertThat(file).hasContent(formatted);
    Call wrong = Call.ply("bt", "--fmt", "-e", "BEGIN { @ = ; }");
    assertThat(wrong.status()).isEqualTo(1);
    assertThat(wrong.output()).isEmpty();
    assertThat(wrong.errors()).startsWith("error[syntax]");
    assertThat(Call.ply("bt", "--fmt", "-e", "uprobe:$1:main { nosuch(); }").status()).isZero();
  }

  @Test
  void headersOfTheKernelAreNotNeeded() {
    assertThat(
            Call.ply("bt", "--dry-run", "-I", "x", "--include", "linux/sched.h", "-e", "BEGIN { }"))
        .isEqualTo(new Call(0, "", ""));
    assertThat(Call.ply("bt", "--dry-run", "--include", "none.h", "-e", "BEGIN { }").errors())
        .startsWith("error[syntax]: no such file: none.h\n  <command line>:1:1\n");
    assertThat(Call.ply("bt", "--dry-run", "--include", "a\"b", "-e", "BEGIN { }").errors())
        .contains("cannot be a header's name");
  }

  @Test
  void stagesOfTheCompilationAreShown() {
    Call call = Call.ply("bt", "--dry-run", "-d", "ast", "-e", "BEGIN { @ = count(); }");
    assertThat(call.output()).startsWith("-- ir\n(clause BEGIN (update @ (count)))\n");
  }

  @Test
  void aCommandIsRunWithoutAShell() {
    assertThat(CommandWords.words("  dd  if=/dev/zero it's $HOME "))
        .containsExactly("dd", "if=/dev/zero", "it's", "$HOME");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '~',
      value = {
        "python3 -c 'f(1)'! 'f(1)'",
        "sh -c \"ls\"! \"ls\"",
        "sleep 1; true! 1;",
        "a | b! |",
        "a && b! &&",
        "ls >/dev/null! >/dev/null",
        "ls 2>&1! 2>&1",
        "ls $HOME! $HOME",
        "ls -l a*! none",
        "dd if=/dev/zero of=/dev/null! none",
        "awk {print($1)}! none",
      })
  void wordsThatOnlyAShellUnderstandsAreFound(String command, String word) {
    assertThat(CommandWords.shellWord(command).orElse("none")).isEqualTo(word);
  }

  @Test
  void aVariableIsNoProgram() {
    assertThat(Call.ply("bt", "-c", "FOO=1 /bin/true x", "-e", "BEGIN { }").errors())
        .contains("program \"FOO=1\" not found")
        .contains("-c 'env FOO=1 …'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/nosuch", "/etc", "no-such-program x", "/etc/passwd", ""})
  void aCommandThatCannotBeExecutedIsToldBeforeAnythingIsAttached(String command) {
    Call call = Call.ply("bt", "-c", command, "-e", "BEGIN { print(1); }");
    assertThat(call.errors()).contains("-c " + command + ": program \"");
    assertThat(call.output()).isEmpty();
    assertThat(call.status()).isNotZero();
  }

  @Test
  void theKernelsFeaturesAreListed() {
    String info = Call.ply("bt", "--info").output();
    assertThat(info)
        .contains("System\n  OS: ", "\nKernel features\n", "\nMechanisms to attach by\n");
    // What the kernel lacks is no mechanism.
    String probes =
        info.replaceAll("(?s).*?probes of kernel functions [^:\\n]*: ([^\n]*)\n.*", "$1");
    assertThat(info)
        .contains("\n  kprobe: " + probes + "\n", "\n  kprobe-events: " + probes + "\n");
    assertThat(info).startsWith(Call.ply("--info").output());
  }

  /** Scripts search for these words; what the kernel has is asked by the program's own trials. */
  @Test
  void theLinesOfBpftracesInfoFollow() {
    assertThat(Call.ply("bt", "--info").output())
        .contains("\n  libdw (DWARF support): yes\n")
        .contains("\n  bcc library path resolution: yes\n")
        .containsPattern("\n  Instruction limit: (\\d+|unknown)\n")
        .containsPattern("\n  btf: (yes|no)\n")
        .containsPattern("\n  lookup_percpu_elem: (yes|no)\n")
        .containsPattern("\n  get_func_ip: (yes|no)\n")
        .containsPattern("\n  kprobe_multi: (yes|no)\n")
        .containsPattern("\n  uprobe_multi: (yes|no)\n")
        .containsPattern("\n  kprobe_session: (yes|no)\n")
        .containsPattern("\n  iter: (yes|no)\n")
        .containsPattern("\n  dpath: (yes|no)\n");
  }

  @Test
  void helpListsTheOptions() {
    assertThat(Call.ply("bt", "-h").output())
        .startsWith("USAGE:\n    ply bt [options] ")
        .contains("--dry-run", "--no-warnings", "-B");
  }
}
