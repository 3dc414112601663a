package dev.ply.kernel.tracefs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StaleEventsTest {
  private static final long NAMESPACE = 0xf0000001L;

  @TempDir Path directory;
  private Path proc = Path.of("");
  private Path control = Path.of("");

  @BeforeEach
  void machine() throws IOException {
    proc = Files.createDirectories(directory.resolve("proc"));
    Files.createDirectories(proc.resolve("self/ns"));
    Files.createSymbolicLink(proc.resolve("self/ns/pid"), Path.of("pid:[" + NAMESPACE + "]"));
    process(100, 5000);
    control = directory.resolve("kprobe_events");
  }

  private void process(long pid, long started) throws IOException {
    Path own = Files.createDirectories(proc.resolve(Long.toString(pid)));
    Files.writeString(
        own.resolve("stat"),
        pid + " (a) b) R 1 1 1 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 " + started + " 1 1\n");
  }

  private static String event(long namespace, long pid, long started) {
    return new ProcessIdentity(namespace, pid, started).newName() + "/probe";
  }

  @Test
  void whatAnEndedProcessLeftIsRemovedAndNothingElse() throws IOException {
    String gone = event(NAMESPACE, 99, 5000);
    String sameNumber = event(NAMESPACE, 100, 4999);
    String alive = event(NAMESPACE, 100, 5000);
    String unknown = event(NAMESPACE + 1, 99, 5000);
    List<String> definitions =
        List.of(
            "p:" + gone + " vfs_read",
            "r8:" + sameNumber + " vfs_read",
            "p:" + alive + " vfs_read",
            "p:" + unknown + " vfs_read",
            "p:kprobes/mine vfs_read",
            "p:ply_0123456789abcdef/probe vfs_read");
    Files.write(control, definitions);

    assertThat(StaleEvents.remove(Tracefs.at(directory), proc)).containsExactly(gone, sameNumber);
    assertThat(Files.readAllLines(control))
        .startsWith(definitions.toArray(String[]::new))
        .endsWith("-:" + gone, "-:" + sameNumber)
        .hasSize(definitions.size() + 2);
  }

  @Test
  void aKernelWithoutSuchEventsHasNoneToRemove() {
    assertThat(StaleEvents.remove(Tracefs.at(directory), proc)).isEmpty();
  }

  @Test
  void thisProcessIsNotGone() {
    Path real = Path.of("/proc");
    ProcessIdentity self = ProcessIdentity.self(real);
    assertThat(self.isGone(real)).isFalse();
    assertThat(ProcessIdentity.of(self.newName())).contains(self);
    assertThat(self.newName()).isNotEqualTo(self.newName()).hasSizeLessThan(64);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "theirs",
        "ply_",
        "ply_1_2_3",
        "ply_1_2_3_4",
        "ply_1_2_3_0000000g",
        "ply_01_2_3_00000004",
        "ply_1_+2_3_00000004",
        "ply_1_2_3_00000004_5",
        "xply_1_2_3_00000004"
      })
  void namesThatAreNotOfOursTellNoOwner(String name) {
    assertThat(ProcessIdentity.of("ply_1_2_3_00000004")).contains(new ProcessIdentity(1, 2, 3));
    assertThat(ProcessIdentity.of(name)).isEmpty();
  }
}
