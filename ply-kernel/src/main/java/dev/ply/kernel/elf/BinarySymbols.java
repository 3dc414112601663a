package dev.ply.kernel.elf;

import dev.ply.kernel.untrusted.UntrustedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The known functions of a file: from its symbol table or that of its debug file, and its exports.
 *
 * @param isStripped whether only exports are known
 */
public record BinarySymbols(ElfSymbols table, ElfSymbols exports, boolean isStripped) {
  /**
   * Reads the functions of a file.
   *
   * @param name the file's path, relative to which its debug file is found
   * @param root the root of the file system that contains it, where debug files are searched
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
      // An invalid debug link.
      return Optional.empty();
    }
  }

  private static Optional<ElfSymbols> ofDebugFile(UntrustedFile debug) {
    try (ElfFile file = ElfFile.of(debug)) {
      return ElfSymbols.ofTable(file);
    } catch (IOException e) {
      // Too costly or missing: the exports remain.
      debug.allowance().release();
      return Optional.empty();
    }
  }

  /**
   * Returns whether a function starts in the range ({@code after}, {@code last}] of the file's
   * addresses.
   */
  public boolean hasStart(long after, long last) {
    return table.hasStart(after, last) || exports.hasStart(after, last);
  }

  /**
   * Returns the function that contains an address in the file, by its exported name if it has one.
   */
  public Optional<ElfSymbol> at(long address) {
    return exports
        .at(address)
        .filter(symbol -> symbol.size() > 0)
        .or(() -> table.at(address))
        .or(() -> exports.at(address));
  }
}
