package dev.ply.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.run.Follower;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FollowersTest {
  private static final CommandManual MANUAL =
      CommandManual.of("ply", "", Argument.of("word", Argument.Kind.TEXT), "")
          .with("Options", Followers.options());

  private static List<Follower.Maker> followers(String... words) throws UsageException {
    return Followers.of(OptionParser.parse(MANUAL, words));
  }

  @Test
  void eachOptionIsAFollower() throws UsageException {
    assertThat(followers()).isEmpty();
    assertThat(followers("--cost", "--max-overhead", "2%", "--live", "--web", "0")).hasSize(4);
    assertThat(followers("--prometheus", "0", "--max-series=9", "--series-ttl=1m")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--max-series=9", "--series-ttl=1m", "--thread-labels"})
  void limitsOfMetricsThatNobodyExportsAreRefused(String option) {
    assertThatThrownBy(() -> followers(option))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            option.replaceFirst("=.*", "")
                + " is for exported metrics, and there are none; --prometheus PORT or --otlp URL"
                + " exports them");
  }

  @Test
  void aWebConfigurationIsForAServer() {
    assertThatThrownBy(() -> followers("--otlp", "-", "--web-config-file", "web.yml"))
        .isInstanceOf(UsageException.class)
        .hasMessage("--web-config-file is for the server of --prometheus PORT, which is not given");
  }
}
