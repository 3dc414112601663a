package dev.ply.kernel.learn;

import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.unwind.UnwindSections;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The unwind tables of files, each read once. For one thread. */
final class FileTables {
  /** The heap size of what is known of a file, without its table. */
  private static final int ENTRY_BYTES = 512;

  /** Ends walks, which say so. */
  private static final UnwindTable UNREADABLE = UnwindTable.of(0, new long[0], 0);

  private final ReadBudget budget;
  private final TableCache cache;
  private final Map<FileFacts, Optional<Table>> known = new HashMap<>();

  FileTables(ReadBudget budget, TableCache cache) {
    this.budget = budget;
    this.cache = cache;
  }

  /**
   * What is known of a file.
   *
   * @param table its rules; without any if they cannot be read, empty if it has none
   */
  record Table(ElfFile file, Optional<UnwindTable> table) {
    /** Returns what is added to addresses in the file where it is mapped. */
    OptionalLong bias(long start, long offset) {
      return file.bias(start, offset);
    }
  }

  ReadBudget budget() {
    return budget;
  }

  /** Returns what is known of an open file; empty if it is no ELF file, or cannot be read. */
  Optional<Table> of(UntrustedFile file) {
    Optional<Table> table = known.get(file.facts());
    if (table == null) {
      try {
        file.allowance().claim(ENTRY_BYTES);
      } catch (BudgetExceededException e) {
        return Optional.empty();
      }
      table = read(file);
      known.put(file.facts(), table);
    }
    return table;
  }

  private Optional<Table> read(UntrustedFile file) {
    try (UntrustedFile again = file.again(budget);
        ElfFile elf = ElfFile.of(again)) {
      return Optional.of(new Table(elf, table(elf)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Optional<UnwindTable> table(ElfFile elf) {
    try {
      Optional<UnwindTable> stored = cache.find(elf.facts());
      if (stored.isPresent()) {
        elf.allowance().claimKept((long) stored.get().size() * Long.BYTES);
        return stored;
      }
      Optional<UnwindTable> table = UnwindSections.read(elf).map(UnwindSections.Read::table);
      table.ifPresent(computed -> cache.store(elf.facts(), computed));
      return table;
    } catch (IOException e) {
      return Optional.of(UNREADABLE);
    }
  }
}
