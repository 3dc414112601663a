package dev.ply.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.golden.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page about the live view. */
final class LivePageTest {
  @Test
  void itsScreenIsDrawnByTheView() throws IOException {
    GoldenFile frames =
        GoldenFile.parse(Files.readString(Path.of("src/test/resources/golden/live/events.golden")));
    assertThat(Files.readString(Path.of("../docs/LIVE.md")))
        .contains("```text\n" + frames.text("80x24") + "```\n");
  }
}
