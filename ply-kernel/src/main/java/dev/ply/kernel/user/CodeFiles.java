package dev.ply.kernel.user;

import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.BuildId;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.target.KernelSymbols.Symbol;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The symbols of ELF files, each read once, by any path. For one thread. */
final class CodeFiles {
  /** The heap size of a file without its symbols. */
  private static final int FILE_BYTES = 512;

  private final Map<FileFacts, Optional<Code>> files = new HashMap<>();

  /**
   * An ELF file with code.
   *
   * @param buildId in hexadecimal
   */
  record Code(ElfFile file, BinarySymbols symbols, Optional<String> buildId) {

    /**
     * Returns the symbol of an instruction.
     *
     * @param offset of the instruction in the file
     * @param after the distance in bytes from the instruction to the address shown
     */
    Optional<Symbol> at(long offset, long after) {
      OptionalLong own = file.address(offset);
      if (own.isEmpty()) {
        return Optional.empty();
      }
      Optional<ElfSymbol> symbol = symbols.at(own.getAsLong());
      return symbol.map(at -> new Symbol(at.name(), own.getAsLong() - at.address() + after));
    }
  }

  /**
   * Returns the symbols of an open file; empty if none can be read.
   *
   * @param name its path as a process sees it
   * @param root the root directory of the process
   */
  Optional<Code> read(UntrustedFile file, Path name, Path root) throws IOException {
    Optional<Code> code = files.get(file.facts());
    if (code == null) {
      code = readNew(file, name, root);
      file.allowance().claim(FILE_BYTES);
      files.put(file.facts(), code);
    }
    return code;
  }

  private static Optional<Code> readNew(UntrustedFile opened, Path name, Path root) {
    try {
      ElfFile file = ElfFile.of(opened);
      return Optional.of(new Code(file, BinarySymbols.of(file, name, root), BuildId.of(file)));
    } catch (IOException e) {
      opened.allowance().release();
      return Optional.empty();
    }
  }
}
