package dev.ply.kernel.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.target.ProbeSiteNotFoundException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-java")
final class BinaryFinderTest {
  private final BinaryFinder finder = new BinaryFinder(List.of());

  @Test
  void aNameThatNoFileCanHaveIsNotFound() {
    for (String name : List.of("/tmp/a\0b", "a\0b")) {
      assertThatExceptionOfType(ProbeSiteNotFoundException.class)
          .isThrownBy(() -> finder.find(name))
          .withMessage("no file has a zero byte in its name");
    }
  }

  @Test
  void ofALibraryThatIsElsewhereTheErrorSaysWhere() {
    assumeThat(LibraryCache.read()).anyMatch(library -> library.name().startsWith("libc.so."));
    for (String name : List.of("/no/libc.so.6", "/no/libc-2.23.so", "/no/libc.so")) {
      assertThat(hints(name)).singleElement().asString().contains("/libc.so.");
    }
    assertThat(hints("/no/such-program")).isEmpty();
  }

  private List<String> hints(String name) {
    return catchThrowableOfType(ProbeSiteNotFoundException.class, () -> finder.find(name)).hints();
  }
}
