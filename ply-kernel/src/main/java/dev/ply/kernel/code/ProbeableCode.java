package dev.ply.kernel.code;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.kernel.code.InstructionStarts.Finding;
import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.elf.ElfSymbols;
import dev.ply.target.ProbeSiteNotFoundException;
import java.io.IOException;
import java.util.Optional;

/** Refuses probes that would change what a program executes: inside instructions, and in data. */
public final class ProbeableCode {
  private ProbeableCode() {}

  /**
   * Returns whether an instruction is known to start at an address; false if no symbol covers it
   * and it is not where the program starts.
   *
   * @param symbols the functions of the file
   * @param address as in the file's tables
   * @throws ProbeSiteNotFoundException if an instruction, data, or padding covers it
   */
  public static boolean isInstruction(ElfFile file, BinarySymbols symbols, long address)
      throws IOException {
    Optional<ElfSymbol> variable = ElfSymbols.ofVariables(file).at(address);
    if (variable.filter(symbol -> symbol.size() > 0).isPresent()) {
      throw refused(
          file, address, "is data", "it belongs to the variable " + variable.get().name());
    }
    Optional<ElfSymbol> function = symbols.at(address);
    if (function.isEmpty()) {
      if (address == file.entry() && address != 0) {
        return true;
      }
      if (symbols.isStripped()) {
        return false;
      }
      throw refused(
          file, address, "belongs to no function", "it is padding, data or a stub of the linker");
    }
    String name = function.get().name();
    Optional<Finding> finding =
        InstructionStarts.at(file, function.get(), address - function.get().address());
    if (finding.isEmpty()) {
      return false;
    }
    if (finding.get() instanceof Finding.Inside inside) {
      throw refused(
          file,
          address,
          "is inside an instruction",
          "a breakpoint there would crash the program; instructions start at "
              + at(name, inside.start())
              + " and "
              + at(name, inside.next()));
    }
    if (finding.get() instanceof Finding.Undecoded undecoded) {
      throw refused(
          file,
          address,
          "follows bytes that are no known instruction",
          "from " + at(name, undecoded.start()) + " on, they may be data");
    }
    return true;
  }

  private static String at(String function, long offset) {
    return offset == 0 ? function : function + "+" + offset;
  }

  private static ProbeSiteNotFoundException refused(
      ElfFile file, long address, String why, String hint) {
    return new ProbeSiteNotFoundException(
        DiagnosticCode.OUT_OF_RANGE,
        "0x" + Long.toHexString(address) + " of " + file.path() + " " + why,
        hint);
  }
}
