package dev.ply.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SpellingTest {
  private static Optional<String> nearest(String word, String... candidates) {
    return Spelling.nearest(word, Stream.of(candidates));
  }

  @Test
  void theOneWithTheFewestMistakesIsMeant() {
    assertThat(nearest("vfs_raed", "vfs_write", "vfs_ready", "vfs_read")).contains("vfs_read");
    assertThat(nearest("COUNT", "count")).contains("count");
  }

  @Test
  void nothingIsMeantByAWordFarFromAll() {
    assertThat(nearest("entirely", "count", "sum")).isEmpty();
    assertThat(nearest("x")).isEmpty();
  }

  @Test
  void neighboursAreSwappedMoreEasilyThanALetterIsAnother() {
    assertThat(nearest("raed", "rand", "read", "raid")).contains("read");
    assertThat(nearest("raed", "read", "rand")).contains("read");
  }

  @Test
  void amongEquallyNearOnesTheFirstIsMeant() {
    assertThat(nearest("rxad", "read", "road")).contains("read");
  }
}
