package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Paragraphs and list items of the pages are short enough to be read; code and tables are not. */
@Tag("any-java")
class ParagraphsTest {
  private static final int MOST_CHARACTERS = 600;
  private static final Pattern CODE =
      Pattern.compile("^```.*?^```$|^(?: {4}|\\|)[^\n]*$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern END = Pattern.compile("\n\\s*\n|\n(?=\\s*(?:-|\\d+\\.) )");

  /** Surefire runs the tests in the module's directory. */
  static List<Path> pages() throws IOException {
    Path root = Path.of("..").toRealPath();
    try (Stream<Path> files =
        Files.find(
            root,
            3,
            (file, attributes) ->
                file.toString().endsWith(".md") && !file.toString().contains("/target/"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void areShort(Path page) throws IOException {
    String prose = CODE.matcher(Files.readString(page)).replaceAll("\n");
    assertThat(
            Arrays.stream(END.split(prose, -1)).map(text -> text.strip().replaceAll("\\s+", " ")))
        .allSatisfy(text -> assertThat(text).hasSizeLessThanOrEqualTo(MOST_CHARACTERS));
  }
}
