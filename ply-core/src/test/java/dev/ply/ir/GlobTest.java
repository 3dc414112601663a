package dev.ply.ir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.selector.Glob;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "vfs_*              | vfs_read       | true",
        "vfs_*              | vfs_           | true",
        "vfs_*              | xvfs_read      | false",
        "*read              | vfs_read       | true",
        "vfs_?ead           | vfs_read       | true",
        "vfs_?ead           | vfs_ead        | false",
        "vfs_*r[ei][at][de] | vfs_read       | true",
        "vfs_*r[ei][at][de] | vfs_write      | true",
        "vfs_*r[ei][at][de] | vfs_fsync      | false",
        "[a-c]x             | bx             | true",
        "[!a-c]x            | bx             | false",
        "[^a-c]x            | dx             | true",
        "[[:digit:]_]x      | 7x             | true",
        "[[:digit:]_]x      | _x             | true",
        "[[:digit:]_]x      | ax             | false",
        "[]a]x              | ]x             | true",
        "[!]a]x             | ]x             | false",
        "[a-]x              | -x             | true",
        "[ax                | [ax            | true",
        "[[:nosuch:]]       | :]             | true",
        "a\\*b              | a*b            | true",
        "a\\*b              | axb            | false",
        "[\\]]x             | ]x             | true",
        "@(ab               | @(ab           | true",
        "+5                 | +5             | true",
        "\"vfs_@(read|write)\"   | vfs_read   | true",
        "\"vfs_@(read|write)\"   | vfs_reads  | false",
        "\"vfs_?(i)read\"        | vfs_iread  | true",
        "\"vfs_?(i)read\"        | vfs_iiread | false",
        "\"vfs_*(i|_)read\"      | vfs_i_iread | true",
        "\"vfs_+(i)read\"        | vfs_read   | false",
        "\"!(vfs_*)\"            | vfs_read   | false",
        "\"!(vfs_*)\"            | sys_read   | true",
        "\"vfs_!(read|write)\"   | vfs_reads  | true",
        "\"vfs_!(read|write)\"   | vfs_read   | false",
        "\"@(a|@(b|c)d)e\"       | cde        | true",
      })
  void matches(String glob, String name, boolean expected) {
    assertThat(new Glob(glob).matches(name)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "vfs_read, false",
    "vfs_read+5, false",
    "f.isra.0, false",
    "vfs_*, true",
    "a?b, true",
    "[ab], true",
    "@(a|b), true",
    "!(a), true",
    "+(a), true"
  })
  void knowsANameFromAPattern(String text, boolean expected) {
    assertThat(Glob.isGlob(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "vfs_read     | vfs_read | vfs_read",
        "vfs_*        | vfs_     | vfs_",
        "a*read?b     | a        | read",
        "*[ab]?       | ''       | ''",
        "a\\*b*c      | a*b      | a*b",
        "@(read)x*    | ''       | x",
      })
  void knowsWhatIsPlain(String glob, String prefix, String literal) {
    assertThat(new Glob(glob).prefix()).isEqualTo(prefix);
    assertThat(new Glob(glob).literal()).isEqualTo(literal);
  }

  @Test
  void isNotSlowedDownByAmbiguity() {
    Glob glob = new Glob("*(*(a|aa)|*a*)*(a*a|*)*a*a*a*a*a*ab");
    assertThat(glob.matches("a".repeat(500))).isFalse();
  }

  @Property
  void matchesWhatItsPartsSay(
      @ForAll("patterns") List<Part> pattern, @ForAll("names") String name) {
    assertThat(new Glob(text(pattern)).matches(name)).isEqualTo(matches(pattern, name));
  }

  /** A part of a pattern that says by itself which texts it is. */
  private interface Part {
    boolean is(String text);
  }

  private record Word(String text) implements Part {
    @Override
    public boolean is(String other) {
      return text.equals(other);
    }

    @Override
    public String toString() {
      return text.replaceAll("([?*\\[\\\\@!+(|)])", "\\\\$1");
    }
  }

  private record Wild(String text, String regex) implements Part {
    @Override
    public boolean is(String other) {
      return other.matches(regex);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private record Choice(char kind, List<List<Part>> alternatives) implements Part {
    @Override
    public boolean is(String text) {
      boolean one = alternatives.stream().anyMatch(alternative -> matches(alternative, text));
      return switch (kind) {
        case '@' -> one;
        case '?' -> one || text.isEmpty();
        case '!' -> !one;
        case '+' -> one || isRepeated(text);
        default -> text.isEmpty() || one || isRepeated(text);
      };
    }

    private boolean isRepeated(String text) {
      for (int i = 1; i < text.length(); i++) {
        String head = text.substring(0, i);
        if (alternatives.stream().anyMatch(alternative -> matches(alternative, head))
            && new Choice('+', alternatives).is(text.substring(i))) {
          return true;
        }
      }
      return false;
    }

    @Override
    public String toString() {
      return kind
          + "("
          + String.join("|", alternatives.stream().map(GlobTest::text).toList())
          + ")";
    }
  }

  private static String text(List<Part> parts) {
    return String.join("", parts.stream().map(Part::toString).toList());
  }

  /** Tries all ways to cut a name into parts. */
  private static boolean matches(List<Part> parts, String name) {
    if (parts.isEmpty()) {
      return name.isEmpty();
    }
    for (int end = 0; end <= name.length(); end++) {
      if (parts.get(0).is(name.substring(0, end))
          && matches(parts.subList(1, parts.size()), name.substring(end))) {
        return true;
      }
    }
    return false;
  }

  @Provide
  Arbitrary<List<Part>> patterns() {
    return parts(2);
  }

  private static Arbitrary<List<Part>> parts(int depth) {
    Arbitrary<Part> words =
        Arbitraries.strings().withChars("ab_@!(").ofMinLength(1).ofMaxLength(3).map(Word::new);
    Arbitrary<Part> wild =
        Arbitraries.of(
            new Wild("?", "."),
            new Wild("*", ".*"),
            new Wild("[ab]", "[ab]"),
            new Wild("[!a]", "[^a]"),
            new Wild("[[:alpha:]]", "[a-z]"),
            new Wild("[^_-b]", "[^_-b]"));
    Arbitrary<Part> part = Arbitraries.oneOf(words, wild);
    if (depth > 0) {
      part = Arbitraries.oneOf(words, wild, Arbitraries.lazy(() -> choices(depth - 1)));
    }
    return part.list().ofMaxSize(4);
  }

  private static Arbitrary<Part> choices(int depth) {
    return Combinators.combine(
            Arbitraries.of('@', '?', '*', '+', '!'), parts(depth).list().ofMinSize(1).ofMaxSize(3))
        .as(Choice::new);
  }

  @Provide
  Arbitrary<String> names() {
    return Arbitraries.strings().withChars("ab_@!(").ofMaxLength(7);
  }
}
