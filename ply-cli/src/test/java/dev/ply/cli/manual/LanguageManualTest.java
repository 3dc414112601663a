package dev.ply.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import org.junit.jupiter.api.Test;

class LanguageManualTest {
  @Test
  void thePageHasEveryFormAndExample() {
    String page = LanguageManual.page(new ManualPage.Edition("1.2", "2026-01-31")).text();
    for (Topic topic : LanguageReference.topics()) {
      topic.forms().forEach(form -> assertThat(page.contains(Roff.bold(form))).as(form).isTrue());
      assertThat(page.contains(new Roff().verbatim(topic.example()).toString()))
          .as(topic.example())
          .isTrue();
    }
  }
}
