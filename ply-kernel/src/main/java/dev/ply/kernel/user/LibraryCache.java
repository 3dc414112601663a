package dev.ply.kernel.user;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The dynamic linker's list of libraries, {@code /etc/ld.so.cache}. Its layout is that of {@code
 * sysdeps/generic/dl-cache.h} in the GNU C library.
 */
final class LibraryCache {
  private static final Path CACHE = Path.of("/etc/ld.so.cache");
  private static final byte[] MAGIC = "glibc-ld.so.cache1.1".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER = 48;
  private static final int ENTRY = 24;

  private LibraryCache() {}

  /**
   * A library.
   *
   * @param name its soname: {@code libc.so.6}
   */
  record Library(String name, Path path) {}

  /** Returns the libraries in the dynamic linker's order; empty without its cache. */
  static List<Library> read() {
    return read(CACHE);
  }

  static List<Library> read(Path cache) {
    try {
      return parse(Files.readAllBytes(cache));
    } catch (IOException e) {
      // Systems with another C library have no such cache.
      return List.of();
    }
  }

  /** The cache can follow one in an older format, which ends with the same magic string. */
  private static List<Library> parse(byte[] bytes) {
    int start = find(bytes);
    List<Library> libraries = new ArrayList<>();
    if (start < 0 || start + HEADER > bytes.length) {
      return libraries;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    int count = buffer.getInt(start + MAGIC.length);
    for (int i = 0; i < count; i++) {
      int entry = start + HEADER + i * ENTRY;
      if (entry + ENTRY > bytes.length) {
        break;
      }
      String name = text(bytes, start + buffer.getInt(entry + 4));
      String path = text(bytes, start + buffer.getInt(entry + 8));
      if (!name.isEmpty() && path.startsWith("/")) {
        BinaryFinder.decodable(path).ifPresent(file -> libraries.add(new Library(name, file)));
      }
    }
    return libraries;
  }

  private static int find(byte[] bytes) {
    for (int at = 0; at + MAGIC.length <= bytes.length; at += 4) {
      if (java.util.Arrays.equals(bytes, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
        return at;
      }
    }
    return -1;
  }

  private static String text(byte[] bytes, int start) {
    int end = start;
    while (end >= 0 && end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return start < 0 || end >= bytes.length
        ? ""
        : new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }
}
