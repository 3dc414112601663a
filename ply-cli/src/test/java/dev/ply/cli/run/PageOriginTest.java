package dev.ply.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line at the head of a page, as a shell reads it. */
class PageOriginTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "java|-cp|x|dev.ply.cli.Ply|-d|5|a.ply, ply -d 5 a.ply",
        "java|dev.ply.cli.Ply|kprobe:f { @ = count(); }, ply 'kprobe:f { @ = count(); }'",
        "java|dev.ply.cli.Ply|it's|, ply 'it'\\''s'",
        "java|Other|a, \"\"",
      })
  void wordsAreQuoted(String words, String shown) {
    assertThat(PageOrigin.command(words.replace('|', '\0'))).isEqualTo(shown);
  }
}
