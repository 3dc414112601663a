package dev.ply.kernel.user;

import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.BuildId;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.user.CodeFiles.Code;
import dev.ply.kernel.user.SourceFiles.Origin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The symbols of the ELF files that traces of one tracer use, each file read once and kept until
 * the last trace that uses it has closed. Thread-safe.
 */
public final class SharedCode {
  /** The heap size of a file without its symbols. */
  private static final int FILE_BYTES = 512;

  private final MemoryBudget memory;
  private final SourceFiles sources;
  private final Map<FileFacts, Entry> entries = new HashMap<>();

  /** A file, guarded by itself while it is read, its users by the map. */
  private static final class Entry {
    private int users;
    private Optional<Code> code = Optional.empty();
    private Optional<Claim> memory = Optional.empty();
  }

  /** Creates an empty cache with the memory of a tracer. */
  public SharedCode(MemoryBudget memory) {
    this.memory = memory;
    this.sources = new SourceFiles(memory);
  }

  /** Returns the memory of the tracer. */
  MemoryBudget memory() {
    return memory;
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
    Claim before = budget.claims();
    try {
      opened.allowance().claim(FILE_BYTES);
      ElfFile file = ElfFile.of(opened);
      Origin origin = new Origin(opened.facts(), opened.path(), name, root);
      Code code =
          new Code(file, BinarySymbols.of(file, name, root), BuildId.of(file), origin, sources);
      file.forgetSections();
      entry.memory = Optional.of(budget.handOver(before));
      entry.code = Optional.of(code);
    } catch (IOException e) {
      // Its frames then print as addresses.
      return;
    } finally {
      if (entry.code.isEmpty()) {
        budget.handOver(before).release();
      }
    }
  }

  /** Ends a use of a file; the last one drops its symbols. */
  void release(FileFacts facts) {
    synchronized (entries) {
      Entry entry = entries.get(facts);
      if (entry != null && --entry.users == 0) {
        entries.remove(facts);
        entry.memory.ifPresent(Claim::release);
      }
    }
  }
}
