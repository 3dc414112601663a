package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.codegen.CompilerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
  @Test
  void nothingIsAskedForByDefault() throws UsageException {
    Options options = Options.parse("BEGIN { exit(0); }");
    assertThat(options.operands()).containsExactly("BEGIN { exit(0); }");
    assertThat(options.command()).isEmpty();
    assertThat(options.debug() || options.dryRun() || options.help()).isFalse();
    assertThat(options.keepGoing() || options.dump() || options.selfTest()).isFalse();
    assertThat(options.unbuffer() || options.version()).isFalse();
  }

  @Test
  void shortAndLongNamesMeanTheSame() throws UsageException {
    assertThat(Options.parse("-d", "-e", "-h", "-k", "-S", "-T", "-u", "-v", "-c", "true"))
        .isEqualTo(
            Options.parse(
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
    assertThat(Options.parse("--comm=true", "--unbuf", "x"))
        .isEqualTo(Options.parse("--command", "true", "--unbuffer", "x"));
    assertThatThrownBy(() -> Options.parse("--d", "x"))
        .hasMessage("--d can be --debug or --dry-run or --dump");
  }

  @Test
  void optionsMayFollowTheProgramAndShareOneDash() throws UsageException {
    Options options = Options.parse("BEGIN {}", "-kue", "--command=sleep 1");
    assertThat(options.keepGoing() && options.unbuffer() && options.dryRun()).isTrue();
    assertThat(options.command()).contains("sleep 1");
    assertThat(options.operands()).containsExactly("BEGIN {}");
  }

  @Test
  void aCommandKeepsItsQuotesAndMayFollowItsLetterAtOnce() throws UsageException {
    assertThat(Options.parse("-c", "\"echo\"", "x").command()).contains("\"echo\"");
    assertThat(Options.parse("-ctrue", "x").command()).contains("true");
  }

  @Test
  void twoDashesEndTheOptions() throws UsageException {
    assertThat(Options.parse("-e", "--", "-k").operands()).containsExactly("-k");
  }

  @Test
  void anUnknownOptionIsNamed() {
    assertThatThrownBy(() -> Options.parse("-x", "BEGIN {}"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("-x");
  }

  @Test
  void aMissingCommandIsAnError() {
    assertThatThrownBy(() -> Options.parse("-c"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("c");
  }

  @Test
  void sizesMayHaveSuffixes() throws UsageException {
    Options options =
        Options.parse("--map-entries", "64K", "--buffer=3m", "--stack-depth=100", "BEGIN {}");
    assertThat(options.sizes())
        .isEqualTo(
            CompilerOptions.DEFAULT
                .withMapEntries(65536)
                .withRingBufferBytes(4 << 20)
                .withStackDepth(100));
    assertThat(Options.parse("BEGIN {}").sizes()).isEqualTo(CompilerOptions.DEFAULT);
  }

  @Test
  void symbolsHaveTheirMemory() throws UsageException {
    assertThat(Options.parse("--symbol-memory=4M", "BEGIN {}").request().symbolMemory())
        .hasValue(4 << 20);
    assertThat(BpftraceOptions.parse("--symbol-memory", "2048k", "-e", "BEGIN {}").symbolMemory())
        .hasValue(2 << 20);
    assertThat(ArgdistOptions.parse("--symbol-memory=1M", "-C", "t:x:y()").symbolMemory())
        .hasValue(1 << 20);
    assertThat(Options.parse("BEGIN {}").symbolMemory()).isEmpty();
    assertThatThrownBy(() -> Options.parse("--symbol-memory=1000G", "BEGIN {}"))
        .isInstanceOf(UsageException.class)
        .hasMessageMatching(
            "--symbol-memory: symbols get half of the heap at most, which is [0-9]+M: set"
                + " PLY_HEAP to raise it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--symbol-memory=4  | --symbol-memory: symbols take 1M at least, not \"4\"",
        "--symbol-memory=1T | --symbol-memory takes a number of bytes such as 64M or 1G, not"
            + " \"1T\"",
        "--symbol-memory=-1 | --symbol-memory: symbols take 1M at least, not \"-1\"",
        "--map-entries=many | --map-entries takes a number such as 4096, 64K or 1M, not \"many\"",
        "--map-entries=16G  | --map-entries takes a number such as 4096, 64K or 1M, not \"16G\"",
        "--map-entries=0    | --map-entries: a map holds at least 1 key, not 0",
        "--buffer=1k        | --buffer: a ring buffer has 4096 to 1073741824 bytes, not 1024",
        "--buffer=          | --buffer takes a number such as 4096, 64K or 1M, not \"\"",
        "--stack-depth=128  | --stack-depth: a stack trace has 1 to 127 functions, not 128"
      })
  void aSizeThatCannotBeIsToldWithWhatCan(String option, String message) {
    assertThatThrownBy(() -> Options.parse(option, "BEGIN {}"))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
  }
}
