package dev.ply.cli.live.draw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.live.draw.Look.Depth;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a terminal can show, by its description and the environment. */
final class LookTest {
  private static Depth depth(int colours, String... environment) {
    return Look.of(variables(environment), colours).depth();
  }

  private static boolean isUnicode(String... environment) {
    return Look.of(variables(environment), 8).isUnicode();
  }

  private static Map<String, String> variables(String... environment) {
    return environment.length == 0
        ? Map.of()
        : environment.length == 2
            ? Map.of(environment[0], environment[1])
            : Map.of(environment[0], environment[1], environment[2], environment[3]);
  }

  @Test
  void coloursAreThoseOfTheTerminal() {
    assertThat(depth(0)).isEqualTo(Depth.NONE);
    assertThat(depth(8)).isEqualTo(Depth.FEW);
    assertThat(depth(16)).isEqualTo(Depth.FEW);
    assertThat(depth(256)).isEqualTo(Depth.PALETTE);
    assertThat(depth(256, "COLORTERM", "truecolor")).isEqualTo(Depth.TRUE);
    assertThat(depth(1 << 24)).isEqualTo(Depth.TRUE);
  }

  @Test
  void noColourIsWanted() {
    assertThat(depth(256, "NO_COLOR", "1", "COLORTERM", "truecolor")).isEqualTo(Depth.NONE);
    assertThat(depth(256, "NO_COLOR", "")).isEqualTo(Depth.PALETTE);
  }

  @Test
  void charactersAreThoseOfTheLocale() {
    assertThat(isUnicode()).isFalse();
    assertThat(isUnicode("LANG", "en_US.UTF-8")).isTrue();
    assertThat(isUnicode("LANG", "en_US.UTF-8", "LC_ALL", "C")).isFalse();
    assertThat(isUnicode("LC_CTYPE", "C.utf8")).isTrue();
  }
}
