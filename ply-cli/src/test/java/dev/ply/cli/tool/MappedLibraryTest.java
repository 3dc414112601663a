package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.io.UsageException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedLibraryTest {
  private static final OptionalLong SELF = OptionalLong.of(ProcessHandle.current().pid());

  @TempDir private Path directory;

  @BeforeEach
  void assumeProc() {
    assumeTrue(Files.exists(Path.of("/proc/self/maps")), "processes have no /proc/PID/maps here");
  }

  @Test
  void aProcessHasItsLibraries() throws UsageException {
    assertThat(MappedLibrary.of(SELF, "libjvm.so")).isRegularFile().endsWith(Path.of("libjvm.so"));
  }

  @Test
  void missingOnesAreErrors() {
    assertThatThrownBy(() -> MappedLibrary.of(SELF, "libnone.so"))
        .isInstanceOf(UsageException.class)
        .hasMessageEndingWith(" has no libnone.so");
    assertThatThrownBy(() -> MappedLibrary.of(OptionalLong.empty(), "libjvm.so"))
        .hasMessage("-p PID is needed: the process whose libjvm.so is traced");
  }

  @Test
  void pathsThatCouldBePartOfAScriptAreErrors() throws Exception {
    Path odd = Files.createDirectory(directory.resolve("x:y { exit(); }"));
    Path library = Files.writeString(odd.resolve("libodd.so"), "content");
    try (FileChannel channel = FileChannel.open(library)) {
      MappedByteBuffer mapped =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, Files.size(library)).load();
      assertThatThrownBy(() -> MappedLibrary.of(SELF, "libodd.so"))
          .hasMessageContaining("has an unusual path")
          .hasMessageContaining(library.toString());
      assertThat(mapped.get(0)).isEqualTo((byte) 'c');
    }
  }
}
