package dev.ply.cli.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lines for the journal. */
@Tag("any-java")
class JournalLinesTest {
  @Test
  void eachLineHasItsPriority() {
    ByteArrayOutputStream journal = new ByteArrayOutputStream();
    Console console =
        new Console(
            new Output(OutputStream.nullOutputStream()),
            new ErrorStream(new JournalLines(journal)),
            Set.of(Console.Remark.WARNING, Console.Remark.DEBUG),
            Terminal.NONE);
    console.error("script a: \u001b[31m\n<0>hostile");
    console.warning("wörds");
    console.message("ready");
    console.debug("step");
    assertThat(journal.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
            <3>error: script a: \\x1b[31m\\n<0>hostile
            <4>warning: wörds
            <6>ready
            <7>debug: step
            """);
  }

  @Test
  void withoutAJournalLinesAreAsTheyAre() {
    OutputStream errors = OutputStream.nullOutputStream();
    assertThat(JournalLines.of(errors, Map.of())).isSameAs(errors);
    assertThat(JournalLines.of(errors, Map.of("JOURNAL_STREAM", "1:2"))).isSameAs(errors);
  }
}
