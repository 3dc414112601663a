package dev.ply.kernel.user;

import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.BuildId;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.user.SourceFiles.Origin;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.SourceLine;
import dev.ply.target.UserSymbols.FilePosition;
import dev.ply.target.UserSymbols.Location;
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
  private final SourceFiles sources = new SourceFiles();

  /**
   * An ELF file with code.
   *
   * @param buildId in hexadecimal
   * @param origin to open it again for its source lines
   */
  record Code(
      ElfFile file,
      BinarySymbols symbols,
      Optional<String> buildId,
      Origin origin,
      SourceFiles sources) {

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

    /**
     * Returns the location of an instruction, whose source line is read on request.
     *
     * @param offset of the instruction in the file
     * @param after the distance in bytes from the instruction to the address shown
     */
    Location location(long offset, long after) {
      OptionalLong own = file.address(offset);
      return own.isPresent()
          ? new Instruction(this, own.getAsLong(), offset + after)
          : Location.UNKNOWN;
    }
  }

  /**
   * An instruction at an address of a file.
   *
   * @param shown the offset in the file of the address shown
   */
  private record Instruction(Code code, long address, long shown) implements Location {
    @Override
    public Optional<SourceLine> line() {
      return code.sources().line(code.origin(), address);
    }

    @Override
    public Optional<FilePosition> position() {
      return code.buildId().map(id -> new FilePosition(id, shown));
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

  private Optional<Code> readNew(UntrustedFile opened, Path name, Path root) {
    try {
      ElfFile file = ElfFile.of(opened);
      Origin origin = new Origin(opened.facts(), opened.path(), name, root);
      return Optional.of(
          new Code(file, BinarySymbols.of(file, name, root), BuildId.of(file), origin, sources));
    } catch (IOException e) {
      opened.allowance().release();
      return Optional.empty();
    }
  }
}
