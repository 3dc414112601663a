package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** The calls that a page of the documentation shows with what they print. */
public final class PageExamples {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private PageExamples() {}

  /** Returns a test for each call of a command in a page that prints always the same. */
  public static Stream<DynamicTest> of(Path page, String command) throws IOException {
    Pattern example =
        Pattern.compile(
            "```\n\\$ ply-cli/bin/ply " + command + " ([^\n]*)\n(.*?)```", Pattern.DOTALL);
    List<MatchResult> examples = example.matcher(Files.readString(page)).results().toList();
    assertThat(examples).isNotEmpty();
    return examples.stream()
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.group(1),
                    () -> {
                      Call call = Call.ply(words(command + " " + one.group(1)));
                      assertThat(call.output() + call.errors()).isEqualTo(one.group(2));
                    }));
  }

  private static String[] words(String command) {
    List<String> words = new ArrayList<>();
    WORD.matcher(command)
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .forEach(words::add);
    return words.toArray(String[]::new);
  }
}
