package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files and commands of docs/PRODUCTION.md and docs/PROFILES.md are valid on this kernel. */
@Tag("live")
@Tag("any-kernel")
@Timeout(120)
class GuideIT {
  /** A file of a page, whose first line is a comment with its path. */
  private static final Pattern FILE =
      Pattern.compile("(?ms)^```(?:ply|yaml)\n(# /etc/ply/(\\S+?):?(?: [^\n]*)?\n.*?)^```$");

  private static final Pattern COMMAND = Pattern.compile("(?m)^ {4}ply (.*)$");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir private Path directory = Path.of("");

  @BeforeEach
  void start() {
    Live.assumeTracing();
  }

  private static String page(String name) throws IOException {
    return Files.readString(Path.of("..", "docs", name));
  }

  private List<String> words(MatchResult command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command.group(1).replace("/etc/ply", directory.toString()));
    while (word.find()) {
      words.add(word.group(1) == null ? word.group(2) : word.group(1));
    }
    return words;
  }

  private void check(MatchResult command) {
    List<String> words = words(command);
    if (words.get(0).equals("tool")) {
      words.replaceAll(word -> word.equals("10") ? "0.2" : word);
    } else if (!List.of("doctor", "serve").contains(words.get(0)) && !words.contains("-e")) {
      // Checked without being run.
      words.add(0, "-e");
    }
    Call call = Call.ply(words.toArray(String[]::new));
    assertThat(call.status()).describedAs("%s: %s", words, call.errors()).isZero();
  }

  @Test
  void theGuideToProduction() throws Exception {
    String page = page("PRODUCTION.md");
    List<String> files = new ArrayList<>();
    Matcher file = FILE.matcher(page);
    while (file.find()) {
      Files.writeString(directory.resolve(file.group(2)), file.group(1));
      files.add(file.group(2));
    }
    assertThat(files).containsExactly("switches.ply", "ply.yaml");
    List<MatchResult> commands = COMMAND.matcher(page).results().toList();
    assertThat(commands).hasSizeGreaterThan(8);
    commands.forEach(this::check);
  }

  @Test
  void thePageOfProfiles() throws Exception {
    String page = page("PROFILES.md");
    Matcher script = Pattern.compile("(?ms)^```ply\n(.*?)^```$").matcher(page);
    assertThat(script.find()).isTrue();
    Path file = Files.writeString(directory.resolve("cpu.ply"), script.group(1));
    COMMAND.matcher(page.replace(" cpu.ply", " " + file)).results().forEach(this::check);
  }
}
