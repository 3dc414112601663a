package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.manual.HelpText;
import dev.ply.cli.manual.LanguageManual;
import dev.ply.cli.manual.ManualPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Help and manual say what the parser takes. */
@Tag("any-java")
class ManualTest {
  private static final ManualPage.Edition EDITION = new ManualPage.Edition("1.2", "2026-01-31");

  @TempDir Path directory = Path.of("");

  static Stream<CommandManual> manuals() {
    return Ply.manuals().stream();
  }

  static List<ManualPage> pages() {
    return Stream.concat(
            manuals().map(manual -> ManualPage.of(manual, EDITION)),
            Stream.of(LanguageManual.page(EDITION)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("manuals")
  void everyOptionIsInHelpAndManual(CommandManual manual) {
    String help = HelpText.of(manual);
    String page = ManualPage.of(manual, EDITION).text();
    for (CommandOption option : manual.allOptions().toList()) {
      for (String spelling : option.spellings()) {
        assertThat(help).containsPattern("(?<![-\\w])" + spelling + "(?![-\\w])");
        assertThat(page.contains("\\fB" + spelling.replace("-", "\\-") + "\\fR"))
            .as(spelling)
            .isTrue();
      }
    }
    assertThat(help.lines()).allMatch(line -> line.length() <= 80);
  }

  /** A letter of two options is one of a duration. */
  @ParameterizedTest
  @MethodSource("manuals")
  void namesOfOptionsAreUnique(CommandManual manual) {
    assertThat(
            manual
                .allOptions()
                .flatMap(option -> option.spellings().stream())
                .filter(name -> !name.equals("-d")))
        .doesNotHaveDuplicates();
    assertThat(manual.allOptions().filter(one -> one.letter().equals("d") && !one.takesDuration()))
        .hasSizeLessThan(2);
  }

  @ParameterizedTest
  @MethodSource("manuals")
  void referencesAreToPages(CommandManual manual) {
    assertThat(pages().stream().map(page -> page.name() + "(" + page.section() + ")"))
        .containsAll(manual.seeAlso());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "groff -man -Tutf8 -ww -z",
        "mandoc -Tlint -W warning",
        "man --warnings -E UTF-8 -l"
      })
  void formattersHaveNothingToSay(String command) throws Exception {
    String program = command.substring(0, command.indexOf(' '));
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, program))),
        program + " is not installed");
    List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
    for (ManualPage page : pages()) {
      Path file = directory.resolve(page.file());
      Files.writeString(file, page.text());
      words.add(file.toString());
    }
    Path said = directory.resolve("said");
    Path errors = directory.resolve("errors");
    Process formatter =
        new ProcessBuilder(words)
            .redirectOutput(
                program.equals("mandoc")
                    ? ProcessBuilder.Redirect.to(said.toFile())
                    : ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile())
            .start();
    formatter.waitFor();
    assertThat(errors).hasContent("");
    if (program.equals("mandoc")) {
      assertThat(said).hasContent("");
    }
  }

  @Test
  void pagesAreWrittenWithTheSameBytesEachTime() throws IOException {
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    assertThat(Call.ply("manual", "-o", first.toString())).isEqualTo(new Call(0, "", ""));
    assertThat(Call.ply("manual", "--output", second.toString())).isEqualTo(new Call(0, "", ""));
    for (ManualPage page : pages()) {
      String file = page.file() + ".gz";
      assertThat(first.resolve(file)).hasSameBinaryContentAs(second.resolve(file));
      try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(first.resolve(file)))) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .isEqualTo(Call.ply("manual", page.name()).output());
      }
    }
  }

  @Test
  void aPageIsNamedInSeveralWays() {
    String page = Call.ply("manual", "bt").output();
    assertThat(page).contains("\n.SH \"NAME\"\nply\\-bt \\- ");
    for (String name : List.of("ply-bt", "ply-bt.1", "ply-bt(1)")) {
      assertThat(Call.ply("manual", name).output()).isEqualTo(page);
    }
    assertThat(Call.ply("manual").output()).isEqualTo(Call.ply("manual", "ply").output());
    assertThat(Call.ply("manual", "langauge").errors()).contains("no page \"langauge\": ");
    assertThat(Call.ply("manual", "-o", "/proc/none").errors())
        .startsWith("error: -o: /proc/none cannot be written: ");
  }
}
