package dev.ply.kernel.tracefs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.target.TracepointFormat;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TracefsCatalogTest {
  @TempDir Path root;

  @Test
  void aFormatIsFoundByCategoryAndEvent() throws IOException {
    Path event = Files.createDirectories(root.resolve("events/sched/sched_switch"));
    Files.writeString(
        event.resolve("format"),
        "name: sched_switch\nID: 5\nformat:\n\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n");
    assertThat(catalog().find("sched", "sched_switch")).map(TracepointFormat::id).contains(5);
    assertThat(catalog().find("sched", "sched_twitch")).isEmpty();
    assertThat(catalog().find("shed", "sched_switch")).isEmpty();
  }

  @Test
  void namesDoNotLeadOutOfTheDirectory() {
    assertThat(catalog().find("..", "x")).isEmpty();
    assertThat(catalog().find("sched/sched_switch", "")).isEmpty();
  }

  @Test
  void namesAreSorted() throws IOException {
    Files.writeString(root.resolve("available_events"), "sched:b\nblock:z\nsched:a\n");
    assertThat(catalog().names()).containsExactly("block:z", "sched:a", "sched:b");
  }

  @Test
  void anUnreadableListIsTold() {
    assertThatThrownBy(() -> catalog().names())
        .isInstanceOf(UnreadableTargetException.class)
        .hasMessageContaining("available_events cannot be read");
  }

  private TracefsCatalog catalog() {
    return new TracefsCatalog(() -> Tracefs.at(root));
  }
}
