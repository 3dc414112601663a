package dev.ply.kernel.symbolize;

import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.symbolize.SourceFiles.Origin;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
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

/** The ELF files of one trace, whose symbols are shared with other traces. For one thread. */
public final class CodeFiles {
  /** The heap size of an entry. */
  private static final int ENTRY_BYTES = 128;

  private final Map<FileFacts, Optional<Code>> files = new HashMap<>();
  private final SharedCode shared;
  private final ReadBudget budget;

  public CodeFiles(SharedCode shared, ReadBudget budget) {
    this.shared = shared;
    this.budget = budget;
  }

  /**
   * An ELF file with code.
   *
   * @param buildId in hexadecimal
   * @param origin to open it again for its source lines
   */
  public record Code(
      ElfFile file,
      SharedCode.Symbols symbols,
      Optional<String> buildId,
      Origin origin,
      SourceFiles sources) {

    /**
     * Returns the symbol of an instruction.
     *
     * @param offset of the instruction in the file
     * @param after the distance in bytes from the instruction to the address shown
     * @param budget of the trace, for its thread: symbols may have to be read again
     */
    public Optional<Symbol> at(long offset, long after, ReadBudget budget) {
      OptionalLong own = file.address(offset);
      if (own.isEmpty()) {
        return Optional.empty();
      }
      Optional<ElfSymbol> symbol = symbols.get(budget).flatMap(known -> known.at(own.getAsLong()));
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
          ? new Instruction(origin, sources, buildId, own.getAsLong(), offset + after)
          : Location.UNKNOWN;
    }
  }

  /**
   * An instruction at an address of a file. Results keep it, so it does not keep the symbols.
   *
   * @param shown the offset in the file of the address shown
   */
  private record Instruction(
      Origin origin, SourceFiles sources, Optional<String> buildId, long address, long shown)
      implements Location {
    @Override
    public Optional<SourceLine> line() {
      return sources.line(origin, address);
    }

    @Override
    public Optional<FilePosition> position() {
      return buildId.map(id -> new FilePosition(id, shown));
    }
  }

  /**
   * Returns the symbols of an open file; empty if none can be read.
   *
   * @param name its path as a process sees it
   * @param root the root directory of the process
   */
  public Optional<Code> read(UntrustedFile file, Path name, Path root) throws IOException {
    Optional<Code> code = files.get(file.facts());
    if (code == null) {
      file.allowance().claim(ENTRY_BYTES);
      code = shared.read(file, name, root, budget);
      files.put(file.facts(), code);
    }
    return code;
  }

  /** Leaves the files to other traces; those that no other has read are dropped. */
  public void close() {
    files.forEach((facts, code) -> code.ifPresent(read -> shared.release(facts)));
    files.clear();
  }
}
