package dev.ply.kernel.user;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ply.target.ProbeSiteNotFoundException;
import java.util.List;
import org.junit.jupiter.api.Test;

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
}
