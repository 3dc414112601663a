package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.io.Command;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A line in {@link Ply} is all that a command needs besides its class. */
class CommandLinesTest {
  static Stream<String> names() {
    return Commands.all().stream().map(Command::name);
  }

  @Test
  void namesAreUnique() {
    assertThat(names()).doesNotHaveDuplicates().containsExactlyElementsOf(Commands.NAMES);
  }

  @ParameterizedTest
  @CsvSource({
    "arglist -C x, arglist, argdist",
    "kprobe-event p, kprobe-event, kprobe-events",
    "completon bash, completon, completion",
    "docter, docter, doctor"
  })
  void aMisspelledCommandIsAnsweredWithTheNearest(String words, String given, String meant) {
    assertThat(Call.ply(words.split(" ", -1)))
        .isEqualTo(
            new Call(
                1,
                "",
                "error: no command and no file \"%s\": did you mean \"ply %s\"?%n"
                    .formatted(given, meant)));
  }

  @Test
  void otherWordsAreProgramsOrFiles() {
    assertThat(Call.ply("-e", "nothing").errors()).doesNotContain("did you mean \"ply ");
    assertThat(Call.ply("nothing").errors()).doesNotContain("did you mean \"ply ");
  }

  @ParameterizedTest
  @MethodSource("names")
  void helpShowsTheCommandAndItsOptions(String name) {
    assertThat(Call.ply("-h").output()).contains("\n  ply " + name + " ");
    assertThat(Call.ply("-h", name)).isEqualTo(Call.ply(name, "-h"));
    assertThat(Call.ply(name, "-h").output()).contains("ply " + name).contains("-h,--help");
  }

  @ParameterizedTest
  @MethodSource("names")
  void anUnknownOptionIsRefusedWithTheCommandThatListsThem(String name) {
    assertThat(Call.ply(name, "-7").errors()).contains("ply " + name + " -h");
  }

  @Test
  void whatIsNoCommandIsAProgram() {
    assertThat(Call.ply("-e", "BEGIN { exit(0); }").status()).isZero();
  }
}
