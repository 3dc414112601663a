package dev.ply.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class GoldenFileTest {
  @Test
  void commentsAndSectionsAreRead() {
    GoldenFile file = GoldenFile.parse("# what\n\n--- a\none\n\n--- b\n--- c\ntwo");

    assertThat(file.comment()).isEqualTo("# what\n\n");
    assertThat(file.sections())
        .containsExactly(Map.entry("a", "one\n\n"), Map.entry("b", ""), Map.entry("c", "two\n"));
    assertThat(file.section("d")).isEmpty();
  }

  @Test
  void textBeforeTheFirstSectionMustBeAComment() {
    assertThatThrownBy(() -> GoldenFile.parse("stray\n--- a\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stray");
  }

  @Test
  void sectionsHaveDifferentNames() {
    assertThatThrownBy(() -> GoldenFile.parse("--- a\n--- a\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"a\"");
  }

  @Test
  void aMissingNewlineAndAHeadingInATextAreEscaped() {
    GoldenFile file = GoldenFile.parse("# c\n").with("a", "--- b\n\\ no newline\nend");

    assertThat(file.toString())
        .isEqualTo("# c\n--- a\n\\--- b\n\\\\ no newline\nend\n\\ no newline\n");
  }

  @Property
  void anyTextSurvives(
      @ForAll @StringLength(max = 12) @Chars({'-', ' ', '\\', '\n', '\r', 'a', '#'}) String one,
      @ForAll @StringLength(max = 12) String two) {
    GoldenFile file = GoldenFile.parse("# c\n").with("one", one).with("two", two);

    assertThat(GoldenFile.parse(file.toString())).isEqualTo(file);
  }

  @Test
  void differencesShowAsHunksWithContext() {
    assertThat(UnifiedDiff.of("a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf"))
        .isEqualTo("@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n-f\n+E\n+f\n\\ no newline\n");
    assertThat(UnifiedDiff.of("", "a\n")).isEqualTo("@@ -0,0 +1,1 @@\n+a\n");
    assertThat(UnifiedDiff.of("a\n", "a\n")).isEmpty();
  }
}
