package dev.ply.kernel.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where JNA's library is unpacked if its usual directory cannot be used. */
class NativeDirectoryTest {
  private static String mount(Path point, String options) {
    return "36 35 98:0 / "
        + point.toString().replace(" ", "\\040")
        + " "
        + options
        + ",relatime shared:1 - tmpfs tmpfs rw\n";
  }

  private static MountFlags mounts(String... lines) {
    return MountFlags.of("1 1 8:1 / / rw - ext4 /dev/sda rw\n" + String.join("", lines));
  }

  @Test
  void directoriesHaveTheFlagsOfTheirMount(@TempDir Path directory) throws IOException {
    Path top = directory.toRealPath();
    Path inner = Files.createDirectories(top.resolve("in ner"));
    Path deep = Files.createDirectories(inner.resolve("deep"));
    MountFlags flags = mounts(mount(inner, "rw,nosuid,noexec"));
    assertThat(flags.isNoExec(top)).isFalse();
    assertThat(flags.isNoExec(inner)).isTrue();
    assertThat(flags.isNoExec(deep)).isTrue();
    assertThat(flags.isNoExec(Files.createSymbolicLink(top.resolve("link"), deep))).isTrue();
    assertThat(mounts(mount(inner, "noexec"), mount(deep, "rw")).isNoExec(deep)).isFalse();
    assertThat(mounts(mount(inner, "noexec"), mount(inner, "rw")).isNoExec(inner)).isFalse();
    assertThat(mounts(mount(deep, "rw"), mount(inner, "noexec")).isNoExec(deep)).isTrue();
    assertThat(MountFlags.of("\nnonsense\n").isNoExec(top)).isFalse();
  }

  @Test
  void anotherDirectoryIsPrivate(@TempDir Path directory) throws IOException {
    Path preferred = Files.createDirectory(directory.resolve("preferred"));
    Path other = Files.createDirectory(directory.resolve("other"));
    NativeDirectory search =
        new NativeDirectory(
            mounts(mount(preferred.toRealPath(), "rw,noexec")),
            preferred,
            List.of(directory.resolve("missing"), preferred, other));
    assertThat(search.isPreferredUsable()).isFalse();
    Path created = search.create().orElseThrow();
    assertThat(created.getParent()).isEqualTo(other);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(created)))
        .isEqualTo("rwx------");
    assertThat(search.reasons()).containsExactly(preferred + " is mounted noexec");
  }

  @Test
  void theUsualDirectoryIsUsedIfItCanBe(@TempDir Path directory) {
    assertThat(new NativeDirectory(mounts(), directory, List.of()).isPreferredUsable()).isTrue();
  }
}
