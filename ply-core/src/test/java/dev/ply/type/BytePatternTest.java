package dev.ply.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BytePatternTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "abc | abc | true",
        "abc | abcd | false",
        "a?c | abc | true",
        "a?c | ac | false",
        "* | \"\" | true",
        "? | \"\" | false",
        "a*c | ac | true",
        "a*b*c | aXbYbZc | true",
        "a*b*c | aXcYb | false",
        "[a-c]x | bx | true",
        "[!a-c]x | bx | false",
        "[]a]x | ]x | true",
        "[!]a]x | ]x | false",
        "[a-]x | -x | true",
        "[ax | [ax | true",
        "[]x | []x | true",
        "[^a]x | ^x | true",
        "a\\*c | a*c | true",
        "a\\*c | abc | false",
        "é? | éx | true"
      })
  void matches(String pattern, String string, boolean isMatch) {
    assertThat(BytePattern.of(pattern).matches(TextBytes.encode(string))).isEqualTo(isMatch);
  }

  @ParameterizedTest
  @CsvSource({"63, true", "64, false"})
  void hasAStateForEachElement(int elements, boolean fits) {
    assertThat(BytePattern.of("?".repeat(elements)).elements() <= BytePattern.MOST_ELEMENTS)
        .isEqualTo(fits);
  }

  @Property
  void patternsOfStarsAndQuestionMarksMatchAsExpressions(
      @ForAll("patterns") String pattern, @ForAll("strings") String string) {
    String expression =
        pattern
            .chars()
            .mapToObj(c -> c == '*' ? ".*" : c == '?' ? "." : Pattern.quote("" + (char) c))
            .collect(Collectors.joining());
    assertThat(BytePattern.of(pattern).matches(TextBytes.encode(string)))
        .isEqualTo(string.matches(expression));
  }

  @Provide
  Arbitrary<String> patterns() {
    return Arbitraries.strings().withChars("ab*?").ofMaxLength(10);
  }

  @Provide
  Arbitrary<String> strings() {
    return Arbitraries.strings().withChars("ab").ofMaxLength(12);
  }
}
