package dev.ply.kernel.untrusted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.kernel.sys.FileCalls;
import dev.ply.kernel.sys.FileDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RootedPathTest {
  @TempDir Path directory = Path.of("");

  private Path root = Path.of("");

  /** A file of the root, and one of the same name outside, where links must not lead. */
  @BeforeEach
  void build() throws IOException {
    root = Files.createDirectories(directory.resolve("root"));
    Files.createDirectories(root.resolve("usr/lib"));
    Files.writeString(root.resolve("usr/lib/file"), "inside");
    Files.writeString(directory.resolve("file"), "outside");
    link("lib", "/usr/lib");
    link("up", "../../../file");
    link("usr/relative", "lib/./file");
    link("usr/lib/absolute", "/lib/file");
    link("chain", "usr/lib/absolute");
    link("loop", "loop");
    link("gone", directory.resolve("file").toString());
  }

  private void link(String name, String target) throws IOException {
    Files.createSymbolicLink(root.resolve(name), Path.of(target));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "usr/lib/file",
        "lib/file",
        "usr/relative",
        "usr/lib/absolute",
        "chain",
        "lib/../lib/file",
        "../../usr/./lib//file"
      })
  void linksLeadBelowTheRoot(String path) throws IOException {
    RootedPath rooted = new RootedPath(root, path);
    assertThat(rooted.withoutLinks()).isEqualTo(root.resolve("usr/lib/file"));
    try (FileDescriptor opened = rooted.open(/* follows= */ true)) {
      assertThat(FileCalls.path(opened)).hasContent("inside");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"up", "gone", "no", "usr/lib/file/x", "../file"})
  void nothingOutsideIsFound(String path) {
    assertThatThrownBy(() -> new RootedPath(root, path).open(/* follows= */ true))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aCircleOfLinksEnds() {
    assertThatThrownBy(() -> new RootedPath(root, "loop").open(/* follows= */ true))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("links");
  }

  @Test
  void aLinkAtTheEndCanBeOpenedItself() throws IOException {
    try (FileDescriptor opened = new RootedPath(root, "lib").open(/* follows= */ false)) {
      assertThat(FileFacts.of(FileCalls.statx(opened)).isLink()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/proc/12/root/a/b, /proc/12/root, a/b",
    "/proc/self/root/a, /proc/self/root, a",
  })
  void pathsThroughTheRootOfAProcessAreRooted(Path path, Path expected, String below) {
    assertThat(RootedPath.of(path)).contains(new RootedPath(expected, below));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/proc/12/root", "/proc/12/exe", "/proc/x/root/a", "a/proc/1/root/b"})
  void othersAreNot(Path path) {
    assertThat(RootedPath.of(path)).isEmpty();
  }
}
