package dev.ply.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CaseTest {
  @Test
  void aFileHasNamedCasesWithSections() {
    assertThat(
            Case.parse(
                """
                What they are about.

                === first
                --- status 3
                --- expect
                a line

                and another

                === second
                some text
                --- alone
                """))
        .containsExactly(
            new Case("first", "", Map.of("status", "3", "expect", "a line\n\nand another")),
            new Case("second", "some text", Map.of("alone", "")));
  }

  @Test
  void aCaseWithoutANameHasThatOfItsFirstLine() {
    List<Case> cases = Case.parse("===\nBEGIN {\n}\n===\nEND { }\n");
    assertThat(cases).extracting(Case::name).containsExactly("BEGIN {", "END { }");
    assertThat(cases).extracting(Case::text).containsExactly("BEGIN {\n}", "END { }");
  }

  @Test
  void aSectionIsThereOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Case.parse("=== twice\n--- a\n--- a\n"))
        .withMessageContaining("two sections a");
  }
}
