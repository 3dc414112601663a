package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.bcc.Argdist;
import dev.ply.cli.bcc.ArgdistOptions;
import dev.ply.cli.bpftrace.Bpftrace;
import dev.ply.cli.bpftrace.BpftraceOptions;
import dev.ply.cli.events.Events;
import dev.ply.cli.events.EventsOptions;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.TraceRequest;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.listing.Detail;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptOptionsTest {
  private static final FrontEnd FRONT_END = new Scripts();

  private static ScriptOptions parse(String... arguments) throws UsageException {
    return ScriptOptions.parse(FRONT_END, arguments);
  }

  @Test
  void nothingIsAskedForByDefault() throws UsageException {
    ScriptOptions options = parse("BEGIN { exit(0); }");
    assertThat(options.operands()).containsExactly("BEGIN { exit(0); }");
    assertThat(options.request().command()).isEmpty();
    assertThat(options.remarks()).containsExactly(Console.Remark.WARNING);
    assertThat(options.action()).isEqualTo(ScriptOptions.Action.RUN);
    assertThat(options.request().onLoss()).isEqualTo(TraceRequest.OnLoss.STOP);
    assertThat(options.request().dump()).isEmpty();
    assertThat(options.buffering()).isEqualTo(Output.Buffering.FULL);
    assertThat(options.detail()).isEqualTo(Detail.NAMES);
  }

  @Test
  void shortAndLongNamesMeanTheSame() throws UsageException {
    assertThat(parse("-d", "-e", "-h", "-k", "-S", "-T", "-u", "-v", "-c", "true"))
        .usingRecursiveComparison()
        .isEqualTo(
            parse(
                "--debug",
                "--dry-run",
                "--help",
                "--keep-going",
                "--dump",
                "--self-test",
                "--unbuffer",
                "--version",
                "--command",
                "true"));
  }

  @Test
  void theBeginningOfALongNameIsEnoughIfItIsTheOnlyOne() throws UsageException {
    assertThat(parse("--comm=true", "--unbuf", "x"))
        .usingRecursiveComparison()
        .isEqualTo(parse("--command", "true", "--unbuffer", "x"));
    assertThatThrownBy(() -> parse("--d", "x"))
        .hasMessage("--d can be --debug or --drop-privileges or --dry-run or --dump or --duration");
  }

  @Test
  void namesOfOtherCommandsAreUnderstood() throws UsageException {
    assertThat(parse("--verbose", "--cmd", "true", "x"))
        .usingRecursiveComparison()
        .isEqualTo(parse("--debug", "--command=true", "x"));
    assertThat(parse("--verb", "--cmd=true", "--format=json", "--output=f", "x").output())
        .contains(Path.of("f"));
  }

  @ParameterizedTest
  @CsvSource({
    "-d 5, PT5S",
    "-d5, PT5S",
    "-d=5, PT5S",
    "-ed 5, PT5S",
    "-ed5s, PT5S",
    "--duration=500ms, PT0.5S",
    "--duration 1.5m, PT1M30S",
    "--dur .25, PT0.25S",
    "-d 1h, PT1H"
  })
  void aLetterBeforeANumberIsADuration(String words, Duration duration) throws UsageException {
    String[] arguments = (words + " BEGIN{}").split(" ", -1);
    ScriptOptions options = parse(arguments);
    assertThat(options.request().duration()).contains(duration);
    assertThat(options.remarks()).doesNotContain(Console.Remark.DEBUG);
    assertThat(options.operands()).containsExactly("BEGIN{}");
    assertThat(EventsOptions.parse(Events.OF_KERNEL, arguments).request().duration())
        .contains(duration);
    if (!words.startsWith("-ed")) {
      assertThat(BpftraceOptions.parse(new Bpftrace(), arguments).request().duration())
          .contains(duration);
    }
  }

  @Test
  void aLetterBeforeAScriptAsksForDebugLines() throws UsageException {
    for (String script : List.of("BEGIN { }", "5.ply", "01-reads", "1st file", "./5")) {
      ScriptOptions options = parse("-d", script);
      assertThat(options.request().duration()).isEmpty();
      assertThat(options.remarks()).contains(Console.Remark.DEBUG);
      assertThat(options.operands()).containsExactly(script);
    }
    assertThat(parse("-d", "--", "5").operands()).containsExactly("5");
    assertThat(
            BpftraceOptions.parse(new Bpftrace(), "-d", "ast", "-d", "2", "x").request().duration())
        .contains(Duration.ofSeconds(2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-d 0             | --duration is a time above 0, not \"0\"",
        "-d 5x            | --duration takes seconds, or a time such as 500ms, 5m or 1h, not"
            + " \"5x\"",
        "--duration=-1    | --duration takes seconds, or a time such as 500ms, 5m or 1h, not"
            + " \"-1\"",
        "--duration=      | --duration takes seconds, or a time such as 500ms, 5m or 1h, not \"\"",
        "--duration=1e9   | --duration takes seconds, or a time such as 500ms, 5m or 1h, not"
            + " \"1e9\"",
        "-d 999999h       | --duration is at most 87600h, not \"999999h\""
      })
  void aDurationThatCannotBeIsToldWithWhatCan(String option, String message) {
    assertThatThrownBy(() -> parse((option + " x").split(" ", -1)))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--hlep x | unknown option --hlep: did you mean \"--help\"?",
        "-V x     | unknown option -V: did you mean \"-v\"?",
        "-hlpe    | -p takes the PID of a process, not \"e\"",
        "-hlep    | -p needs a value: -p PID; did you mean \"--help\"?",
        "-lisst   | unknown option -lisst: did you mean \"--list\"?",
        "--cmmand=a | unknown option --cmmand=a: did you mean \"--command\"?",
        "--xyzzy  | unknown option --xyzzy: ply -h lists them"
      })
  void theNearestOptionIsSuggested(String words, String message) {
    assertThatThrownBy(() -> parse(words.split(" ", -1)))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
  }

  @Test
  void optionsMayFollowTheProgramAndShareOneDash() throws UsageException {
    ScriptOptions options = parse("BEGIN {}", "-kue", "--command=sleep 1");
    assertThat(options.request().onLoss()).isEqualTo(TraceRequest.OnLoss.GO_ON);
    assertThat(options.buffering()).isEqualTo(Output.Buffering.NONE);
    assertThat(options.action()).isEqualTo(ScriptOptions.Action.CHECK);
    assertThat(options.request().command()).contains(ChildCommand.shell("sleep 1"));
    assertThat(options.operands()).containsExactly("BEGIN {}");
  }

  @Test
  void aCommandKeepsItsQuotesAndMayFollowItsLetterAtOnce() throws UsageException {
    assertThat(parse("-c", "\"echo\"", "x").request().command())
        .contains(ChildCommand.shell("\"echo\""));
    assertThat(parse("-ctrue", "x").request().command()).contains(ChildCommand.shell("true"));
  }

  @Test
  void twoDashesEndTheOptions() throws UsageException {
    assertThat(parse("-e", "--", "-k").operands()).containsExactly("-k");
  }

  @Test
  void anUnknownOptionIsNamed() {
    assertThatThrownBy(() -> parse("-x", "BEGIN {}"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("-x");
  }

  @Test
  void aMissingCommandIsAnError() {
    assertThatThrownBy(() -> parse("-c"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("c");
  }

  @Test
  void sizesMayHaveSuffixes() throws UsageException {
    ScriptOptions options =
        parse("--map-entries", "64K", "--buffer=3m", "--stack-depth=100", "BEGIN {}");
    assertThat(options.request().sizes())
        .isEqualTo(
            CompilerOptions.DEFAULT
                .withMapEntries(65536)
                .withRingBufferBytes(4 << 20)
                .withStackDepth(100));
    assertThat(parse("BEGIN {}").request().sizes()).isEqualTo(CompilerOptions.DEFAULT);
  }

  @Test
  void symbolsHaveTheirMemory() throws UsageException {
    assertThat(parse("--symbol-memory=4M", "BEGIN {}").request().symbolMemory()).hasValue(4 << 20);
    assertThat(
            BpftraceOptions.parse(new Bpftrace(), "--symbol-memory", "2048k", "-e", "BEGIN {}")
                .request()
                .symbolMemory())
        .hasValue(2 << 20);
    assertThat(
            ArgdistOptions.parse(new Argdist(), "--symbol-memory=1M", "-C", "t:x:y()")
                .plain()
                .symbolMemory())
        .hasValue(1 << 20);
    assertThat(parse("BEGIN {}").request().symbolMemory()).isEmpty();
    assertThatThrownBy(() -> parse("--symbol-memory=1000G", "BEGIN {}"))
        .isInstanceOf(UsageException.class)
        .hasMessageMatching(
            "--symbol-memory is at most half of the heap, [0-9]+M: set PLY_HEAP to raise it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--symbol-memory=4  | --symbol-memory is at least 1M, not \"4\"",
        "--symbol-memory=1T | --symbol-memory takes a number of bytes such as 64M or 1G, not"
            + " \"1T\"",
        "--symbol-memory=-1 | --symbol-memory is at least 1M, not \"-1\"",
        "--map-entries=many | --map-entries takes a number such as 4096, 64K or 1M, not \"many\"",
        "--map-entries=16G  | --map-entries takes a number such as 4096, 64K or 1M, not \"16G\"",
        "--map-entries=0    | --map-entries: a map holds at least 1 key, not 0",
        "--buffer=1k        | --buffer: a ring buffer has 4096 to 1073741824 bytes, not 1024",
        "--buffer=          | --buffer takes a number such as 4096, 64K or 1M, not \"\"",
        "--stack-depth=128  | --stack-depth: a stack trace has 1 to 127 frames, not 128"
      })
  void aSizeThatCannotBeIsToldWithWhatCan(String option, String message) {
    assertThatThrownBy(() -> parse(option, "BEGIN {}"))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
  }
}
