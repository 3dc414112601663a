package dev.ply.kernel.elf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Finds the file that was split from a stripped one and has its symbol table: by the id of the
 * build, or by the name that the stripped file keeps, where debuggers look for them.
 */
final class DebugFile {
  private static final Path DEBUG = Path.of("/usr/lib/debug");
  private static final int BUILD_ID = 3;
  private static final int CHUNK = 1 << 16;

  private DebugFile() {}

  /**
   * Returns the file.
   *
   * @param root the file system in which {@code file} is: {@code /} or a process's own
   */
  static Optional<Path> of(ElfFile file, Path root) throws IOException {
    Path debug = root.resolve(DEBUG.toString().substring(1));
    Optional<Path> byId =
        buildId(file)
            .filter(id -> id.length() > 2)
            .map(id -> ".build-id/" + id.substring(0, 2) + "/" + id.substring(2) + ".debug")
            .map(debug::resolve)
            .filter(Files::isRegularFile);
    return byId.isPresent() ? byId : byName(file, root, debug);
  }

  /** Returns the id of a build in hexadecimal. */
  static Optional<String> buildId(ElfFile file) throws IOException {
    Optional<ElfSection> section = file.section(".note.gnu.build-id");
    return section.isEmpty()
        ? Optional.empty()
        : ElfNote.all(file, section.get()).stream()
            .filter(note -> note.owner().equals("GNU") && note.type() == BUILD_ID)
            .map(note -> hexadecimal(note.description()))
            .findFirst();
  }

  private static String hexadecimal(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.limit()];
    bytes.get(0, copy);
    return HexFormat.of().formatHex(copy);
  }

  private static Optional<Path> byName(ElfFile file, Path root, Path debug) throws IOException {
    Optional<ElfSection> section = file.section(".gnu_debuglink");
    if (section.isEmpty()) {
      return Optional.empty();
    }
    ByteBuffer link = file.contents(section.get());
    String name = ElfFile.text(link, 0);
    if (name.isEmpty() || link.limit() < 4 || name.indexOf('/') >= 0) {
      return Optional.empty();
    }
    int crc = link.getInt(link.limit() - 4);
    Path directory = file.path().toAbsolutePath().getParent();
    if (directory == null) {
      return Optional.empty();
    }
    Path inRoot = directory.startsWith(root) ? root.relativize(directory) : directory;
    for (Path candidate :
        Stream.of(
                directory.resolve(name),
                directory.resolve(".debug").resolve(name),
                debug.resolve(inRoot).resolve(name))
            .filter(Files::isRegularFile)
            .toList()) {
      if (crc(candidate) == crc) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  private static int crc(Path file) throws IOException {
    CRC32 crc = new CRC32();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] chunk = new byte[CHUNK];
      for (int read = in.read(chunk); read > 0; read = in.read(chunk)) {
        crc.update(chunk, 0, read);
      }
    }
    return (int) crc.getValue();
  }
}
