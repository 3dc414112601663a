package dev.ply.kernel.tracefs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TracefsTest {
  @TempDir Path directory;

  @Test
  void anUnusualPlaceIsFoundInTheListOfMounts() throws IOException {
    Path place = Files.createDirectories(directory.resolve("trace/events")).getParent();
    Path mounts = directory.resolve("mounts");
    Files.write(
        mounts,
        List.of(
            "proc /proc proc rw 0 0",
            "tracefs " + directory.resolve("gone") + " tracefs rw 0 0",
            "tracefs " + place + " tracefs rw,nosuid 0 0"));
    assertThat(Tracefs.mounted(mounts)).contains(place);
  }

  @Test
  void noMountIsNoPlace() throws IOException {
    Path mounts = Files.writeString(directory.resolve("mounts"), "proc /proc proc rw 0 0\n");
    assertThat(Tracefs.mounted(mounts)).isEmpty();
    assertThat(Tracefs.mounted(directory.resolve("none"))).isEmpty();
  }
}
