package dev.ply.kernel.user;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LibraryCacheTest {
  @TempDir Path directory;

  @Test
  void aCacheListsLibraries() throws IOException {
    assertThat(LibraryCache.read(cache(0)))
        .containsExactly(new LibraryCache.Library("libc.so.6", Path.of("/lib/libc.so.6")));
  }

  @Test
  void anOlderListMayComeFirst() throws IOException {
    assertThat(LibraryCache.read(cache(64))).hasSize(1);
  }

  @Test
  void aSystemMayHaveNone() throws IOException {
    assertThat(LibraryCache.read(directory.resolve("none"))).isEmpty();
    assertThat(LibraryCache.read(Files.createFile(directory.resolve("empty")))).isEmpty();
  }

  private Path cache(int before) throws IOException {
    byte[] text = "libc.so.6\0/lib/libc.so.6\0".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes =
        ByteBuffer.allocate(before + 48 + 24 + text.length).order(ByteOrder.nativeOrder());
    bytes.put(before, "glibc-ld.so.cache1.1".getBytes(StandardCharsets.US_ASCII));
    bytes.putInt(before + 20, 1);
    bytes.putInt(before + 48 + 4, 72).putInt(before + 48 + 8, 72 + 10);
    bytes.put(before + 72, text);
    return Files.write(directory.resolve("ld.so.cache"), bytes.array());
  }
}
