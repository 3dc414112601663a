package dev.ply.kernel.tracefs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TracingInstanceTest {
  @TempDir Path directory;

  @Test
  void anInstanceIsThereUntilItIsClosed() throws IOException {
    Path instances = Files.createDirectory(directory.resolve("instances"));
    TracingInstance instance = TracingInstance.create(Tracefs.at(directory));
    assertThat(instances).isDirectoryContaining(path -> path.endsWith(instance.file("")));
    instance.close();
    instance.close();
    assertThat(instances).isEmptyDirectory();
  }

  @Test
  void onlyWhatAnEndedProcessLeftIsRemoved() throws IOException {
    Path instances = Files.createDirectory(directory.resolve("instances"));
    ProcessIdentity self = ProcessIdentity.self(Path.of("/proc"));
    ProcessIdentity gone = new ProcessIdentity(self.namespace(), self.pid(), self.started() + 1);
    Path ours = Files.createDirectory(instances.resolve(self.newName()));
    Path theirs = Files.createDirectory(instances.resolve("theirs"));
    Files.createDirectory(instances.resolve(gone.newName()));
    TracingInstance.create(Tracefs.at(directory)).close();
    assertThat(instances.toFile().list())
        .containsExactlyInAnyOrder(ours.getFileName().toString(), theirs.getFileName().toString());
  }

  @Test
  void aKernelWithoutInstancesMakesNone() {
    assertThatThrownBy(() -> TracingInstance.create(Tracefs.at(directory)))
        .isInstanceOf(NoSuchFileException.class);
  }
}
