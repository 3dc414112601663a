package dev.ply.kernel.unwind;

import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.kernel.dwarf.BadDwarfException;
import dev.ply.kernel.elf.DebugSection;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.LoadedSection;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the unwind table of a file: of a program, library or debug file. */
public final class UnwindSections {
  /** The size of an address in bytes. */
  static final int ADDRESS_SIZE = 8;

  private UnwindSections() {}

  /**
   * A file's table.
   *
   * @param functions the number of functions with call frame information
   * @param damaged the number of entries that could not be read, and were skipped
   */
  public record Read(UnwindTable table, int functions, int damaged) {}

  /**
   * Reads {@code .eh_frame} and {@code .debug_frame}; empty if the file has neither, or is of a
   * machine that is not supported. Of a function that both describe, {@code .eh_frame} counts. The
   * table's memory stays claimed.
   *
   * @throws BudgetExceededException if time or memory is up
   */
  public static Optional<Read> read(ElfFile file) throws IOException {
    Optional<FrameMachine> machine = FrameMachine.of(file.machine());
    OptionalLong base = file.firstCode();
    if (machine.isEmpty()
        || base.isEmpty()
        || !file.is64()
        || file.order() != ByteOrder.LITTLE_ENDIAN) {
      return Optional.empty();
    }
    Allowance allowance = file.allowance();
    List<FrameSection> sections = new ArrayList<>();
    long claimed = allowance.claimed();
    Optional<LoadedSection> frames = LoadedSection.read(file, ".eh_frame");
    if (frames.isPresent()) {
      sections.add(FrameSection.read(frames.get(), false, machine.get(), allowance));
    }
    Optional<ByteBuffer> debug = DebugSection.read(file, ".debug_frame");
    if (debug.isPresent()) {
      LoadedSection section = new LoadedSection(0, debug.get());
      sections.add(FrameSection.read(section, true, machine.get(), allowance));
    }
    if (sections.isEmpty()) {
      return Optional.empty();
    }
    try {
      Read described =
          new TableBuilder(machine.get(), sections, base.getAsLong(), allowance).build();
      UnwindTable table = ReturnTrampolines.added(described.table(), file, machine.get());
      Read read = new Read(table, described.functions(), described.damaged());
      allowance.release(allowance.claimed() - claimed);
      allowance.claimKept((long) read.table().size() * Long.BYTES);
      return Optional.of(read);
    } catch (BadDwarfException e) {
      throw new BadDwarfException(file.path() + ": " + e.getMessage());
    }
  }
}
