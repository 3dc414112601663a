package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * The answers of the page of tasks: each command is run as it is, and prints the lines of the page,
 * but for their numbers.
 */
@Tag("live")
@Tag("any-kernel")
@Timeout(600)
class TasksIT {
  private static final Path PAGE = Path.of("..", "docs", "TASKS.md");

  private static final Pattern TASK =
      Pattern.compile("(?m)^## (.*)\n(?:(?!^##).*\n)*?```\n\\$ ply (.*)\n((?:(?!```).*\n)*)```");

  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern PIECE = Pattern.compile("(\\d[\\d.]*)|(\\s+)|([^\\d\\s]+)");

  @TestFactory
  Stream<DynamicTest> answersAreThoseOfThePage() throws IOException {
    Live.assumeTracing();
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/uprobe")),
        "this kernel was built without CONFIG_UPROBE_EVENTS");
    List<MatchResult> tasks = TASK.matcher(Files.readString(PAGE)).results().toList();
    assertThat(tasks).hasSize(20);
    return tasks.stream()
        .map(
            task ->
                DynamicTest.dynamicTest(
                    task.group(1), () -> check(words(task.group(2)), task.group(3))));
  }

  private static void check(String[] words, String answer) {
    Call call = Call.ply(words);
    assertThat(call.errors().lines()).noneMatch(line -> line.startsWith("error"));
    assertThat(call.status()).isZero();
    List<String> printed = call.output().lines().toList();
    for (String line : answer.lines().toList()) {
      // How times are distributed is never the same.
      boolean isCompared = !line.equals("…") && !line.contains("┤") && !line.contains(";");
      if (isCompared) {
        assertThat(printed).as(line).anyMatch(shape(line).asMatchPredicate());
      }
    }
  }

  /** Returns what matches lines with other numbers and blanks. */
  private static Pattern shape(String line) {
    StringBuilder shape = new StringBuilder();
    Matcher piece = PIECE.matcher(line);
    while (piece.find()) {
      shape.append(
          piece.group(1) != null
              ? "\\d[\\d.]*"
              : piece.group(2) != null ? "\\s+" : Pattern.quote(piece.group(3)));
    }
    return Pattern.compile(shape.append("\\s*").toString());
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
