package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

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
}
