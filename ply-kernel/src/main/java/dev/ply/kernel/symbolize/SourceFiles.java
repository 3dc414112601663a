package dev.ply.kernel.symbolize;

import dev.ply.kernel.dwarf.LineTable;
import dev.ply.kernel.elf.DebugFile;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.FileMemory.Kept;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import dev.ply.target.SourceLine;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The line tables of ELF files, each read when its first line is requested, on the requesting
 * thread, within the tracer's memory and a CPU time of their own. Thread-safe.
 */
public final class SourceFiles {
  private static final Path OWN_ROOT = Path.of("/");

  /** CPU time for files of users other than root. */
  private static final Duration READING = Duration.ofSeconds(3);

  private final ReadBudget budget;
  private final FileMemory memory;
  private final Map<FileFacts, Optional<Kept<LineTable>>> tables = new HashMap<>();
  private final LatestLines known = new LatestLines();

  private record Instruction(FileFacts file, long address) {}

  /** A line, and the memory that is claimed for it. */
  private record Known(Optional<SourceLine> line, Claim claim) {
    /** The heap bytes of an entry, without the name of the file. */
    private static final int ENTRY = 256;

    static long bytes(Optional<SourceLine> line) {
      return ENTRY + 2L * line.map(known -> known.file().length()).orElse(0);
    }
  }

  /** The lines used last: those of a profile are requested for each of its stacks. */
  private static final class LatestLines extends LinkedHashMap<Instruction, Known> {
    private static final long serialVersionUID = 1L;
    private static final int MOST = 1 << 10;

    LatestLines() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Instruction, Known> eldest) {
      boolean isTooMuch = size() > MOST;
      if (isTooMuch) {
        eldest.getValue().claim().release();
      }
      return isTooMuch;
    }

    void drop() {
      values().forEach(line -> line.claim().release());
      clear();
    }
  }

  public SourceFiles(FileMemory memory) {
    this(ReadBudget.of(READING, memory.budget()), memory);
  }

  public SourceFiles(ReadBudget budget, FileMemory memory) {
    this.budget = budget;
    this.memory = memory;
  }

  /**
   * A file that was read before, and how to open it again.
   *
   * @param facts its status then: with others, it is another file
   * @param opened the path it was opened by
   * @param name its path as a process sees it
   * @param root the root directory of the process
   */
  public record Origin(FileFacts facts, Path opened, Path name, Path root) {
    /** Returns where it may be: a process that has exited usually had this one's root directory. */
    List<Origin> candidates() {
      Origin named = new Origin(facts, name, name, root);
      if (!name.startsWith(root)) {
        return List.of(this, named);
      }
      Path own = OWN_ROOT.resolve(root.relativize(name));
      return List.of(this, named, new Origin(facts, own, own, OWN_ROOT));
    }
  }

  /** Returns the source line of an instruction at an address of a file. */
  public synchronized Optional<SourceLine> line(Origin file, long address) {
    Instruction instruction = new Instruction(file.facts(), address);
    Known before = known.get(instruction);
    if (before != null) {
      return before.line();
    }
    Optional<SourceLine> line = read(file, address);
    // Without memory for it, it is read each time.
    memory
        .budget()
        .reserve(Known.bytes(line))
        .ifPresent(claim -> known.put(instruction, new Known(line, claim)));
    return line;
  }

  private Optional<SourceLine> read(Origin file, long address) {
    try (Allowance looking = budget.allowance(file.facts().isOfRoot())) {
      looking.requireTime();
      Optional<LineTable> table = table(file);
      return table.isPresent() ? table.get().at(address, looking) : Optional.empty();
    } catch (IOException e) {
      // Too costly, or damaged: the function's name remains.
      return Optional.empty();
    } catch (OutOfMemoryError e) {
      // Results need the memory more than lines do.
      memory.dropAll();
      known.drop();
      return Optional.empty();
    }
  }

  private Optional<LineTable> table(Origin file) {
    Optional<Kept<LineTable>> kept = tables.get(file.facts());
    if (kept != null && kept.isEmpty()) {
      // Remembered as missing, so that it is searched for only once.
      return Optional.empty();
    }
    Optional<LineTable> known = kept == null ? Optional.empty() : kept.get().get();
    if (known.isEmpty()) {
      kept = open(file);
      tables.put(file.facts(), kept);
      known = kept.flatMap(Kept::get);
    }
    return known;
  }

  private Optional<Kept<LineTable>> open(Origin file) {
    for (Origin candidate : file.candidates()) {
      try (UntrustedFile opened = UntrustedFile.open(candidate.opened(), Links.FOLLOWED, budget)) {
        if (opened.facts().equals(file.facts())) {
          return Optional.of(memory.read(budget, () -> read(opened.again(budget), candidate)));
        }
      } catch (BudgetExceededException e) {
        return Optional.empty();
      } catch (IOException e) {
        // The next path may still lead to it.
      }
    }
    return Optional.empty();
  }

  private static LineTable read(UntrustedFile opened, Origin file) throws IOException {
    try (ElfFile loaded = ElfFile.of(opened)) {
      Optional<LineTable> own = LineTable.read(loaded, loaded);
      if (own.isPresent()) {
        return own.get();
      }
      Optional<UntrustedFile> debug = DebugFile.of(loaded, file.name(), file.root());
      if (debug.isPresent()) {
        try (ElfFile debugFile = ElfFile.of(debug.get())) {
          Optional<LineTable> table = LineTable.read(debugFile, loaded);
          if (table.isPresent()) {
            return table.get();
          }
        }
      }
      throw new NoSuchFileException(file.name().toString(), null, "no line table");
    }
  }
}
