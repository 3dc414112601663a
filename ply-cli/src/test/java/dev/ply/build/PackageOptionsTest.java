package dev.ply.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The runtime of a package gets the options that a source tree's launcher gives. */
class PackageOptionsTest {
  private static final Pattern OPTIONS = Pattern.compile("options=\"([^\"]*)\"");

  @Test
  void optionsAreThoseOfTheSourceTree() throws IOException {
    Set<String> options =
        OPTIONS
            .matcher(Files.readString(Path.of("bin/ply")))
            .results()
            .map(MatchResult::group)
            .flatMap(text -> Pattern.compile("[\" ]").splitAsStream(text))
            .filter(option -> option.startsWith("-") && !option.contains("$"))
            .collect(Collectors.toCollection(TreeSet::new));
    // The package's runtime is known to have them all.
    options.remove("-XX:+IgnoreUnrecognizedVMOptions");
    List<String> packaged =
        Files.readAllLines(Path.of("src/dist/image/lib/java.options")).stream()
            .filter(line -> !line.startsWith("#"))
            .sorted()
            .toList();
    assertThat(packaged).containsExactlyElementsOf(options);
  }
}
