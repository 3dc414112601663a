package dev.ply.kernel.elf;

import dev.ply.kernel.untrusted.UntrustedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * All functions that are known of a file: from its symbol table, else from the one that was split
 * from it, and what it exports.
 *
 * @param isStripped whether there are no others than those it exports
 */
public record BinarySymbols(ElfSymbols table, ElfSymbols exports, boolean isStripped) {
  /**
   * Reads the functions of a file.
   *
   * @param name the file's path, to which its debug file's is relative
   * @param root the file system in which the file is, for where to look for its debug file
   */
  public static BinarySymbols of(ElfFile file, Path name, Path root) throws IOException {
    ElfSymbols exports = ElfSymbols.ofExports(file);
    Optional<ElfSymbols> own = ElfSymbols.ofTable(file);
    if (own.isEmpty()) {
      own = debugFile(file, name, root).flatMap(BinarySymbols::ofDebugFile);
    }
    return new BinarySymbols(own.orElse(ElfSymbols.NONE), exports, own.isEmpty());
  }

  private static Optional<UntrustedFile> debugFile(ElfFile file, Path name, Path root)
      throws IOException {
    try {
      return DebugFile.of(file, name, root);
    } catch (BadElfException e) {
      // A link that is none.
      return Optional.empty();
    }
  }

  private static Optional<ElfSymbols> ofDebugFile(UntrustedFile debug) {
    try (ElfFile file = ElfFile.of(debug)) {
      return ElfSymbols.ofTable(file);
    } catch (IOException e) {
      // Too costly, or no such file: the exports are there all the same.
      debug.allowance().release();
      return Optional.empty();
    }
  }

  /**
   * Tells whether a function begins behind one address of the file's own and not behind another.
   */
  public boolean hasStart(long after, long last) {
    return table.hasStart(after, last) || exports.hasStart(after, last);
  }

  /**
   * Returns the function that has an address of the file's own; by the name that others know it by,
   * if it has one.
   */
  public Optional<ElfSymbol> at(long address) {
    return exports
        .at(address)
        .filter(symbol -> symbol.size() > 0)
        .or(() -> table.at(address))
        .or(() -> exports.at(address));
  }
}
