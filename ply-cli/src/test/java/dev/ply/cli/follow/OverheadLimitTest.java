package dev.ply.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.cli.follow.OverheadLimit.Reaction;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.option.OptionParser;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OverheadLimitTest {
  private static final CommandManual MANUAL =
      CommandManual.of("ply", "", Argument.of("word", Argument.Kind.TEXT), "")
          .with("Options", Followers.options());

  private static Optional<OverheadLimit> limit(String... words) throws UsageException {
    return OverheadLimit.of(OptionParser.parse(MANUAL, words));
  }

  @ParameterizedTest
  @CsvSource({"2%,0.02", "2,0.02", "0.5%,0.005", "100%,1"})
  void aPercentageIsAShareOfACpu(String text, double share) throws UsageException {
    assertThat(limit("--max-overhead", text)).contains(new OverheadLimit(share, Reaction.SAMPLE));
    assertThat(limit("--max-overhead=" + text + ",stop"))
        .contains(new OverheadLimit(share, Reaction.STOP));
    assertThat(limit()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0%", "101%", "-1", "two", "2%,halt", "", "1e1", "2 %"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> limit("--max-overhead=" + text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--max-overhead");
  }
}
