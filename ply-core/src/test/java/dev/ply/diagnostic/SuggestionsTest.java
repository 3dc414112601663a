package dev.ply.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class SuggestionsTest {
  private static Optional<String> nearest(String word, String... candidates) {
    return Suggestions.nearest(word, Stream.of(candidates));
  }

  @Test
  void theOneWithTheFewestMistakesIsMeant() {
    assertThat(nearest("vfs_raed", "vfs_write", "vfs_ready", "vfs_read")).contains("vfs_read");
    assertThat(nearest("COUNT", "count")).contains("count");
  }

  @Test
  void underscoresAroundANameAreTheSmallestDifference() {
    assertThat(nearest("state", "stats", "__state")).contains("__state");
    assertThat(nearest("__vfs_read", "__vfs_ready", "vfs_read")).contains("vfs_read");
    assertThat(nearest("end_", "and_", "end")).contains("end");
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

  /** Giving up early must not change what is found: held against the plain recursion. */
  @Property
  void isTheFirstOfTheLightest(
      @ForAll @StringLength(max = 7) @CharRange(from = 'a', to = 'c') String word,
      @ForAll @Size(max = 6)
          List<@StringLength(max = 7) @CharRange(from = 'a', to = 'c') String> candidates) {
    int limit = 4 * Math.max(1, word.length() / 3);
    Optional<String> expected =
        candidates.stream()
            .filter(candidate -> weight(word, candidate) <= limit)
            .min(Comparator.comparingInt(candidate -> weight(word, candidate)));
    assertThat(Suggestions.nearest(word, candidates.stream())).isEqualTo(expected);
  }

  private static int weight(String a, String b) {
    if (a.isEmpty() || b.isEmpty()) {
      return 4 * (a.length() + b.length());
    }
    String shorterA = a.substring(1);
    String shorterB = b.substring(1);
    if (a.charAt(0) == b.charAt(0)) {
      return weight(shorterA, shorterB);
    }
    int edited =
        4
            + Math.min(
                weight(shorterA, shorterB), Math.min(weight(shorterA, b), weight(a, shorterB)));
    boolean swapped =
        a.length() > 1
            && b.length() > 1
            && a.charAt(0) == b.charAt(1)
            && a.charAt(1) == b.charAt(0);
    return swapped ? Math.min(edited, 3 + weight(a.substring(2), b.substring(2))) : edited;
  }

  @Test
  void amongEquallyNearOnesTheFirstIsMeant() {
    assertThat(nearest("rxad", "read", "road")).contains("read");
  }
}
