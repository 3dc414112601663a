package dev.ply.kernel.tracefs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DynamicEventTest {
  @TempDir Path root;

  @Test
  void aKernelWithoutKprobesIsTold() {
    assertThatThrownBy(() -> DynamicEvent.entry(Tracefs.at(root), "vfs_read"))
        .isInstanceOf(UnreadableTargetException.class)
        .hasMessageContaining("CONFIG_KPROBE_EVENTS");
  }

  @Test
  void anEventThatDoesNotAppearIsRemovedAgain() throws IOException {
    Path control = Files.createFile(root.resolve("kprobe_events"));
    assertThatThrownBy(() -> DynamicEvent.exit(Tracefs.at(root), "vfs_read", OptionalInt.of(64)))
        .isInstanceOf(UnreadableTargetException.class)
        .hasMessageMatching("the number of ply_[0-9a-f_]+/probe cannot be read");
    assertThat(Files.readString(control)).matches("r64:(ply_[0-9a-f_]+/probe) vfs_read\n-:\\1\n");
  }
}
