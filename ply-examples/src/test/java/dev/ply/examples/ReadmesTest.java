package dev.ply.examples;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java code in the READMEs and in the page on embedding compiles. */
@Tag("any-java")
class ReadmesTest {
  private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final String FRAME =
      """
      import static dev.ply.Values.*;
      import static dev.ply.value.ClockValues.*;
      import static dev.ply.value.ErrorValues.*;
      import static dev.ply.value.MemoryValues.*;
      import static dev.ply.value.NetworkValues.*;
      import static dev.ply.value.ProbeValues.*;
      import static dev.ply.value.StringValues.*;
      import static dev.ply.value.SymbolValues.*;
      import static dev.ply.value.ThreadValues.*;
      import static dev.ply.value.TypeValues.*;
      import static org.assertj.core.api.Assertions.assertThat;
      import dev.ply.*;
      import dev.ply.bpf.simulate.*;
      import dev.ply.diagnostic.*;
      import dev.ply.examples.*;
      import dev.ply.ir.*;
      import dev.ply.kernel.*;
      import dev.ply.lang.*;
      import dev.ply.layout.*;
      import dev.ply.listing.*;
      import dev.ply.name.*;
      import dev.ply.result.*;
      import dev.ply.table.*;
      import java.net.InetAddress;
      import java.nio.file.Path;
      import java.time.Duration;
      import java.time.Instant;
      import java.util.List;
      class Readme {
        void example() throws Exception {
      %s
        }
      }
      """;

  @TempDir private Path classes;

  /** Surefire runs the tests in the module's directory. */
  static List<Path> readmes() throws IOException {
    Path root = Path.of("..").toRealPath();
    try (Stream<Path> modules = Files.list(root)) {
      Stream<Path> places =
          modules.filter(module -> module.getFileName().toString().startsWith("ply-"));
      return Stream.concat(
              Stream.concat(Stream.of(root), places).map(place -> place.resolve("README.md")),
              Stream.of(root.resolve("docs/EMBEDDING.md")))
          .filter(Files::exists)
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("readmes")
  void compile(Path readme) throws IOException {
    assumeTrue(SourceCompiler.isAvailable(), "this Java runtime has no compiler");
    for (String example :
        CODE.matcher(Files.readString(readme)).results().map(ReadmesTest::code).toList()) {
      SourceCompiler.compile("Readme", FRAME.formatted(example), classes);
    }
  }

  private static String code(MatchResult block) {
    return block.group(1);
  }
}
