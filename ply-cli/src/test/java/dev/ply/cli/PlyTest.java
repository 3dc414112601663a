package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.ply.kernel.Privileges;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlyTest {
  private static final String CHECKED = "the program is correct (-e only checks it)\n";

  @TempDir Path directory = Path.of("");

  @Test
  void helpNamesAllOptions() {
    Call call = Call.ply("-h");
    assertThat(call.status()).isZero();
    assertThat(call.errors()).isEmpty();
    assertThat(call.output())
        .startsWith("usage: ply [options] <text|file|-> [parameter...]\n")
        .contains("-c,--command <CMD>", "-d,--debug", "-e,--dry-run", "-h,--help")
        .contains("-k,--keep-going", "-l,--list", "-S,--dump", "-T,--self-test", "-u,--unbuffer")
        .contains("--raw", "-v,--version");
  }

  @Test
  void helpExplainsWordsOfTheLanguage() {
    assertThat(Call.ply("-h").output())
        .contains("\n  aggregations: count sum avg stats min max quantize hist lhist tseries\n");
    assertThat(Call.ply("-h", "execname", "arg3").output())
        .startsWith("comm\n\n    also called execname\n")
        .contains("\n\narg0\narg1\nargN\n\n    unsigned machine word\n");
    assertThat(Call.ply("-h", "quantise"))
        .isEqualTo(
            new Call(1, "", "error: no entry for \"quantise\": did you mean \"quantize\"?\n"));
  }

  @Test
  void commandLinesAreSuggestedToo() {
    assertThat(Call.ply("-h", "kprobe-event").errors())
        .isEqualTo("error: no entry for \"kprobe-event\": did you mean \"kprobe-events\"?\n");
  }

  @Test
  void helpNamesTheOtherCommandLinesAndShowsTheirs() {
    for (String command : List.of("bt", "argdist", "trace", "kprobe-events", "uprobe-events")) {
      assertThat(Call.ply("-h").output()).contains("\n  ply " + command + " ");
      assertThat(Call.ply("-h", command))
          .isEqualTo(new Call(0, Call.ply(command, "-h").output(), ""));
    }
  }

  @Test
  void similarOptionsAreSaid() {
    assertThat(Call.ply("--unsaef", "BEGIN {}").errors())
        .isEqualTo("error: unknown option --unsaef: did you mean \"--unsafe\"?\n");
    assertThat(Call.ply("bt", "--verbos=1", "x").errors()).contains("unknown option --verbos");
    assertThat(Call.ply("argdist", "--scirpt").errors()).contains("did you mean \"--script\"?");
    assertThat(Call.ply("-hlep").errors()).doesNotContain("Exception");
  }

  /** The kernel's headers have {@code #define sk_state __sk_common.skc_state}. */
  @ParameterizedTest
  @CsvSource({
    "sk_state, __sk_common.skc_state",
    "skc_state, __sk_common.skc_state",
    "sk_hash, __sk_common.inner.skc_hash",
    "sk_stmap, sk_stamp",
  })
  void membersOfCsMacrosAreSaid(String member, String path) {
    String structures =
        "struct inner { u32 skc_hash; }; struct common { u32 skc_state; struct inner inner; };"
            + " struct socket_like { struct common __sk_common; u32 sk_stamp; };";
    String program = "BEGIN { print(((struct socket_like *)0)->" + member + "); }";
    assertThat(Call.ply("-e", structures + program).errors())
        .contains("has no member \"" + member + "\"", "did you mean \"" + path + "\"?");
  }

  @Test
  void formsOfVersionOneAreAnsweredWithTodays() {
    assertThat(Call.ply("-e", "BEGIN { print(mem(0, \"128s\")); }").errors())
        .contains("\"128s\" is ply version 1: write the number of bytes, 128");
    assertThat(Call.ply("-e", "BEGIN { print(ret()); }").errors()).contains("write retval");
  }

  @Test
  void versionIsOneLine() {
    assertThat(Call.ply("-v").output())
        .matches("ply \\d+\\.\\d+\\.\\d+\\S* \\(\\S+ .*, Java .*\\)\n");
  }

  @Test
  void wrongCommandLinesEndInOneSentence() {
    assertThat(Call.ply())
        .isEqualTo(
            new Call(
                1,
                "",
                "error: no program: ply [options] <text|file>, and ply -h for the options\n"));
    assertThat(Call.ply("-e", "missing.ply"))
        .isEqualTo(new Call(1, "", "error: no such file: missing.ply\n"));
    assertThat(Call.ply("-e", "kprobe:f", "{", "}").errors())
        .isEqualTo(
            "error: unexpected operand \"{\" after the program: put a program with spaces in"
                + " quotes\n");
    assertThat(Call.ply("--colour", "BEGIN {}").errors())
        .isEqualTo("error: unknown option --colour: ply -h lists them\n");
    assertThat(Call.ply("BEGIN {}", "-c").errors()).isEqualTo("error: -c needs a value: -c CMD\n");
  }

  @Test
  void aDryRunTellsWhatItsAuthorShouldKnow() {
    Call call = Call.ply("-e", "BEGIN { print(strftime(\"%H\", nsecs(tai))); }");
    assertThat(call.status()).isZero();
    assertThat(call.errors()).startsWith("warning[");
  }

  @Test
  void aDryRunOfAGoodProgramSaysThatItDoesNotRun() {
    assertThat(Call.ply("-e", "BEGIN { exit(1); }")).isEqualTo(new Call(0, "", CHECKED));
    assertThat(Call.ply("-q", "-e", "BEGIN { exit(1); }")).isEqualTo(new Call(0, "", ""));
  }

  @Test
  void aDryRunIsPossibleAfterAScriptsFirstLine() throws IOException {
    Path script = directory.resolve("script");
    Files.writeString(script, "#!/usr/local/bin/ply\n\nBEGIN\n{\n  exit(0);\n}\n");
    assertThat(Call.ply("-e", script.toString())).isEqualTo(new Call(0, "", CHECKED));
  }

  @Test
  void everyFaultOfAProgramIsShownInItsPlace() {
    Call call = Call.ply("-e", "BEGIN { print(nothing); print(nobody); }");
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.output()).isEmpty();
    assertThat(call.errors())
        .contains("error[unknown-name]: ", "\"nothing\"", "\"nobody\"", "<input>:1:15")
        .doesNotContain("Exception");
  }

  @Test
  void faultsOfEveryKindAreShownInOneRun() {
    Call call =
        Call.ply("-e", "krpobe:f { print(1 } BEGIN { print(cpu(1)); } t:no/such { exit(comm); }");
    assertThat(call.errors().lines().filter(line -> line.startsWith("error[")))
        .hasSize(5)
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).contains("unknown-provider"),
            line -> assertThat(line).contains("syntax"),
            line -> assertThat(line).contains("argument-count"),
            line -> assertThat(line).contains("unknown-tracepoint"),
            line -> assertThat(line).contains("type-mismatch"));
  }

  @Test
  void ofManyFaultsTheFirstAreShown() {
    Call call = Call.ply("-e", "BEGIN { " + "print(x); ".repeat(60) + "}");
    assertThat(call.errors().lines().filter(line -> line.startsWith("error["))).hasSize(50);
    assertThat(call.errors()).endsWith("\n… and 10 more\n");
  }

  @Test
  void aProgramMayBePipedIn() {
    InputStream input =
        new ByteArrayInputStream("BEGIN {\n  nothing; }".getBytes(StandardCharsets.UTF_8));
    assertThat(Call.ply(input, "-e", "-").errors()).contains("  <stdin>:2:3\n");
  }

  @Test
  void faultsOfAFileBearItsName() throws IOException {
    Path script = directory.resolve("bad.ply");
    Files.writeString(script, "BEGIN {\n  print(nothing);\n}\n");
    assertThat(Call.ply("-e", script.toString()).errors()).contains(script + ":2:9");
  }

  @Test
  void aDumpShowsRepresentationMapsAndBytecodeBesideTheSource() {
    Call call = Call.ply("-e", "-S", "interval:1s { @[pid] = count(); }");
    assertThat(call.status()).isZero();
    assertThat(call.output())
        .contains("-- ir\n(clause interval:1s")
        .containsPattern("-- maps\n@: (per-CPU )?hash, 8-byte keys, ")
        .contains("-- bpf interval:1s, ", "; interval:1s { @[pid] = count(); }\n")
        .contains("call bpf_get_current_pid_tgid");
  }

  @Test
  void debugLinesGoToTheErrorStream() {
    Call call = Call.ply("-d", "-e", "BEGIN { exit(0); }");
    assertThat(call.output()).isEmpty();
    assertThat(call.errors())
        .contains("debug: parsed in ", "debug: compiled and verified in ", "debug: BEGIN: ");
  }

  @Test
  void withoutPrivilegesOneSentenceSaysWhatIsMissing() {
    assumeFalse(Privileges.missing().isEmpty(), "this process may trace");
    Call call = Call.ply("BEGIN { exit(0); }");
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.errors()).startsWith("error: ").contains("-e").hasLineCount(1);
  }

  @Test
  void lostOutputIsAnErrorButAReaderThatLeavesIsNot() {
    assertThat(statusWith("No space left on device")).isEqualTo(1);
    assertThat(statusWith("Broken pipe")).isZero();
  }

  private static int statusWith(String failure) {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(failure);
          }
        };
    return new Ply(InputStream.nullInputStream(), broken, OutputStream.nullOutputStream())
        .run("-v");
  }
}
