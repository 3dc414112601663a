package dev.ply.kernel.symbolize;

import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.BuildId;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.symbolize.CodeFiles.Code;
import dev.ply.kernel.symbolize.SourceFiles.Origin;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.Resource;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The ELF files that traces of one tracer use, kept until the last trace that uses them closes.
 * Their symbols are read once for all traces, and again after their memory was needed for those of
 * others. Thread-safe.
 */
public final class SharedCode {
  /** The heap size of a file without its symbols. */
  private static final int FILE_BYTES = 1024;

  private final FileMemory memory;
  private final SourceFiles sources;
  private final Map<FileFacts, Entry> entries = new HashMap<>();

  /** A file, guarded by itself while it is read, its users by the map. */
  private static final class Entry {
    private int users;
    private Optional<Code> code = Optional.empty();
    private Optional<Claim> claim = Optional.empty();
  }

  /** Symbols of a file that are kept as long as their memory is not needed. */
  final class Symbols {
    private final Origin origin;
    private FileMemory.Kept<BinarySymbols> kept;

    private Symbols(Origin origin, FileMemory.Kept<BinarySymbols> kept) {
      this.origin = origin;
      this.kept = kept;
    }

    /**
     * Returns the symbols; empty if they have been dropped, and the file can no longer be read.
     *
     * @param budget of the trace, for its thread
     */
    synchronized Optional<BinarySymbols> get(ReadBudget budget) {
      Optional<BinarySymbols> known = kept.get();
      return known.isPresent() ? known : readAgain(budget);
    }

    private Optional<BinarySymbols> readAgain(ReadBudget budget) {
      for (Origin candidate : origin.candidates()) {
        try (UntrustedFile opened =
            UntrustedFile.open(candidate.opened(), Links.FOLLOWED, budget)) {
          if (opened.facts().equals(origin.facts())) {
            kept = memory.read(budget, () -> symbols(opened, candidate, budget));
            return kept.get();
          }
        } catch (IOException e) {
          // The next path may still lead to it.
        }
      }
      BudgetExceededException unused = budget.exceeded(Resource.MEMORY);
      return Optional.empty();
    }

    private synchronized void drop() {
      kept.drop();
    }
  }

  /** Creates an empty cache with the memory of a tracer. */
  public SharedCode(FileMemory memory) {
    this.memory = memory;
    this.sources = new SourceFiles(memory);
  }

  /** Returns the memory of the tracer. */
  MemoryBudget memory() {
    return memory.budget();
  }

  /** Drops all symbols and lines, which are read again if they are needed. */
  void dropAll() {
    memory.dropAll();
  }

  /**
   * Returns the symbols of an open file, and keeps them until they are released; empty, and nothing
   * is to be released, if none can be read. Traces that use the same file wait for the first.
   *
   * @param name its path as a process sees it
   * @param root the root directory of the process
   * @param budget of the trace, which pays the time, and is the file's budget
   */
  Optional<Code> read(UntrustedFile file, Path name, Path root, ReadBudget budget) {
    Entry entry;
    synchronized (entries) {
      entry = entries.computeIfAbsent(file.facts(), unused -> new Entry());
      entry.users++;
    }
    Optional<Code> code = Optional.empty();
    try {
      synchronized (entry) {
        if (entry.code.isEmpty()) {
          readNew(entry, file, name, root, budget);
        }
        code = entry.code;
      }
    } finally {
      if (code.isEmpty()) {
        release(file.facts());
      }
    }
    return code;
  }

  private void readNew(Entry entry, UntrustedFile opened, Path name, Path root, ReadBudget budget) {
    Origin origin = new Origin(opened.facts(), opened.path(), name, root);
    try {
      FileMemory.Held<Layout> layout = memory.hold(budget, () -> layout(opened, origin, budget));
      entry.claim = Optional.of(layout.claim());
      Symbols symbols =
          new Symbols(origin, memory.read(budget, () -> symbols(opened, origin, budget)));
      ElfFile file = layout.content().file();
      entry.code =
          Optional.of(new Code(file, symbols, layout.content().buildId(), origin, sources));
    } catch (IOException e) {
      // Its frames then print as addresses.
      return;
    } finally {
      if (entry.code.isEmpty()) {
        entry.claim.ifPresent(Claim::release);
        entry.claim = Optional.empty();
      }
    }
  }

  /** The data of a file while it is in use. */
  private record Layout(ElfFile file, Optional<String> buildId) {}

  private static Layout layout(UntrustedFile opened, Origin origin, ReadBudget budget)
      throws IOException {
    try (UntrustedFile again = opened.again(budget);
        ElfFile file = ElfFile.of(again)) {
      again.allowance().claim(FILE_BYTES + 4L * origin.name().toString().length());
      return new Layout(file, BuildId.of(file));
    }
  }

  private static BinarySymbols symbols(UntrustedFile opened, Origin origin, ReadBudget budget)
      throws IOException {
    try (UntrustedFile again = opened.again(budget);
        ElfFile file = ElfFile.of(again)) {
      return BinarySymbols.of(file, origin.name(), origin.root());
    }
  }

  /** Ends a use of a file; the last one drops its symbols. */
  void release(FileFacts facts) {
    synchronized (entries) {
      Entry entry = entries.get(facts);
      if (entry != null && --entry.users == 0) {
        entries.remove(facts);
        entry.claim.ifPresent(Claim::release);
        entry.code.ifPresent(code -> code.symbols().drop());
      }
    }
  }
}
