package dev.ply.kernel.elf;

import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Finds the debug file of a stripped file, by its build id or debug link, in the directories that
 * debuggers search. A file found by name is read only if root or the stripped file's owner owns it.
 */
public final class DebugFile {
  private static final Path DEBUG = Path.of("/usr/lib/debug");
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_LINK = 1 << 12;
  private static final int CHUNK = 1 << 16;

  /** The maximum size for comparing checksums. */
  private static final long LARGEST = 1L << 32;

  private DebugFile() {}

  /**
   * Opens the debug file.
   *
   * @param name the path of {@code file}
   * @param root the root of the file system that contains {@code file}: {@code /} or that of a
   *     process
   * @throws BadElfException if the file's build ID or debug link is invalid
   */
  public static Optional<UntrustedFile> of(ElfFile file, Path name, Path root) throws IOException {
    Path debug = root.resolve(DEBUG.toString().substring(1));
    Optional<UntrustedFile> byId =
        BuildId.of(file)
            .map(id -> ".build-id/" + id.substring(0, 2) + "/" + id.substring(2) + ".debug")
            .flatMap(path -> open(file, debug.resolve(path)));
    return byId.isPresent() ? byId : byName(file, name, root, debug);
  }

  private static Optional<UntrustedFile> open(ElfFile file, Path candidate) {
    try {
      return Optional.of(file.file().openNamed(candidate, Links.FOLLOWED));
    } catch (IOException e) {
      // Most files have no debug file.
      return Optional.empty();
    }
  }

  private static Optional<UntrustedFile> byName(ElfFile file, Path path, Path root, Path debug)
      throws IOException {
    Optional<ElfSection> section = file.section(".gnu_debuglink");
    Path directory = path.toAbsolutePath().getParent();
    if (section.isEmpty() || directory == null) {
      return Optional.empty();
    }
    ByteBuffer link = file.contents(section.get(), LONGEST_LINK);
    String name = ElfFile.text(link, 0, LONGEST_NAME);
    if (name.isEmpty() || link.limit() < 4 || name.indexOf('/') >= 0) {
      return Optional.empty();
    }
    int crc = link.getInt(link.limit() - 4);
    file.allowance().release(link.limit());
    Path inRoot = directory.startsWith(root) ? root.relativize(directory) : directory;
    for (Path candidate :
        candidates(List.of(directory, directory.resolve(".debug"), debug.resolve(inRoot)), name)) {
      Optional<UntrustedFile> opened = open(file, candidate);
      if (opened.isPresent()) {
        if (isMeant(file, opened.get(), crc)) {
          return opened;
        }
        opened.get().close();
      }
    }
    return Optional.empty();
  }

  private static List<Path> candidates(List<Path> directories, String name) {
    try {
      return directories.stream().map(directory -> directory.resolve(name)).toList();
    } catch (InvalidPathException e) {
      // Bytes that cannot be decoded name no file.
      return List.of();
    }
  }

  private static boolean isMeant(ElfFile file, UntrustedFile candidate, int crc) {
    boolean isOwned =
        candidate.facts().isOfRoot() || candidate.facts().owner() == file.file().facts().owner();
    try {
      return isOwned && candidate.facts().size() <= LARGEST && crc(candidate) == crc;
    } catch (IOException e) {
      // A checksum that takes too long is not compared.
      return false;
    }
  }

  private static int crc(UntrustedFile file) throws IOException {
    CRC32 crc = new CRC32();
    long size = file.facts().size();
    for (long at = 0; at < size; at += CHUNK) {
      crc.update(file.read(at, (int) Math.min(CHUNK, size - at)));
    }
    return (int) crc.getValue();
  }
}
