package dev.ply.kernel.dwarf;

import dev.ply.kernel.elf.AddressOrder;
import dev.ply.kernel.elf.DebugSection;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.target.SourceLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The source lines of a program or library. Keeps the compact tables of the file and an index of
 * their sequences, contiguous pieces of code: a lookup runs the program of one compilation unit
 * again. Immutable.
 */
public final class LineTable {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final int FIRST_CAPACITY = 64;

  /** The memory per sequence during reading, sorting and copying. */
  private static final int BYTES_EACH = 56;

  /** The memory per sequence that is kept. */
  private static final int BYTES_EACH_KEPT = 20;

  /** How many units are read between two looks at the clock; most have thousands of opcodes. */
  private static final int BETWEEN_LOOKS = 64;

  /** Sequences do not overlap, except of code that the linker removed. */
  private static final int MOST_OVERLAPPING = 16;

  private final ByteBuffer lines;
  private final DwarfStrings strings;
  private final long[] starts;
  private final long[] ends;
  private final int[] units;

  private LineTable(
      ByteBuffer lines, DwarfStrings strings, long[] starts, long[] ends, int[] units) {
    this.lines = lines;
    this.strings = strings;
    this.starts = starts;
    this.ends = ends;
    this.units = units;
  }

  /**
   * Reads the line table of a file; empty if it has none.
   *
   * @param debug the file with the debug information: the loaded file itself, or its debug file
   * @param loaded the file with the code
   * @throws IOException if it cannot be read, or within its allowance; memory that is claimed then
   *     is to be released
   */
  public static Optional<LineTable> read(ElfFile debug, ElfFile loaded) throws IOException {
    Optional<ByteBuffer> lines = DebugSection.read(debug, ".debug_line");
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    Index index = new Index(loaded, debug.allowance());
    index.addAll(lines.get());
    ByteBuffer lineStrings = DebugSection.read(debug, ".debug_line_str").orElse(NONE);
    // Those of a large library are larger than all of its lines.
    ByteBuffer others =
        index.usesStrings ? DebugSection.read(debug, ".debug_str").orElse(NONE) : NONE;
    return Optional.of(index.table(lines.get(), new DwarfStrings(lineStrings, others)));
  }

  /** Collects sequences. */
  private static final class Index implements LineProgram.Rows {
    private final ElfFile loaded;
    private final Allowance allowance;
    private long[] starts = new long[0];
    private long[] ends = new long[0];
    private int[] units = new int[0];
    private int count;
    private boolean usesStrings;
    private int unit;
    private long start;
    private boolean isEmpty = true;

    Index(ElfFile loaded, Allowance allowance) {
      this.loaded = loaded;
      this.allowance = allowance;
    }

    /** Adds all units; what follows one without an end is not read. */
    void addAll(ByteBuffer lines) throws BudgetExceededException {
      DwarfCursor section = DwarfCursor.of(lines);
      for (int number = 0; section.hasMore(); number++) {
        unit = section.position();
        if (number % BETWEEN_LOOKS == 0) {
          allowance.requireTime();
        }
        try {
          add(LineUnit.split(section));
        } catch (BadDwarfException e) {
          return;
        }
      }
    }

    private void add(DwarfCursor bytes) throws BudgetExceededException {
      isEmpty = true;
      try {
        LineUnit parsed = LineUnit.of(bytes);
        usesStrings |= parsed.files(DwarfStrings.NONE).areInStrings();
        LineProgram.run(parsed, this, allowance);
      } catch (BudgetExceededException e) {
        throw e;
      } catch (IOException e) {
        // A damaged unit, or one of another version: its sequences so far are of use.
        return;
      }
    }

    @Override
    public void row(long address, long file, long line) {
      if (isEmpty) {
        isEmpty = false;
        start = address;
      }
    }

    @Override
    public void end(long address) throws BudgetExceededException {
      // Code that the linker removed is at address 0 or -1.
      if (!isEmpty
          && Long.compareUnsigned(start, address) < 0
          && loaded.codeOffset(start).isPresent()) {
        if (count == starts.length) {
          grow();
        }
        starts[count] = start;
        ends[count] = address;
        units[count] = unit;
        count++;
      }
      isEmpty = true;
    }

    @Override
    public boolean isDone() {
      return false;
    }

    private void grow() throws BudgetExceededException {
      int capacity = Math.max(FIRST_CAPACITY, 2 * count);
      allowance.claim((long) (capacity - count) * BYTES_EACH);
      starts = Arrays.copyOf(starts, capacity);
      ends = Arrays.copyOf(ends, capacity);
      units = Arrays.copyOf(units, capacity);
    }

    LineTable table(ByteBuffer lines, DwarfStrings strings) {
      int[] order = AddressOrder.of(starts, count);
      long[] sortedStarts = new long[count];
      long[] sortedEnds = new long[count];
      int[] sortedUnits = new int[count];
      for (int i = 0; i < count; i++) {
        sortedStarts[i] = starts[order[i]];
        sortedEnds[i] = ends[order[i]];
        sortedUnits[i] = units[order[i]];
      }
      allowance.release((long) starts.length * BYTES_EACH - (long) count * BYTES_EACH_KEPT);
      return new LineTable(lines, strings, sortedStarts, sortedEnds, sortedUnits);
    }
  }

  /**
   * Returns the source line of an instruction; empty if it has none, as code that no source line
   * caused.
   *
   * @param address in the file
   * @param allowance whose time is spent
   * @throws IOException if the table is damaged, or time is up
   */
  public Optional<SourceLine> at(long address, Allowance allowance) throws IOException {
    int sequence = sequence(address);
    if (sequence < 0) {
      return Optional.empty();
    }
    DwarfCursor section = DwarfCursor.of(lines);
    section.skip(units[sequence]);
    LineUnit unit = LineUnit.of(LineUnit.split(section));
    Search search = new Search(starts[sequence], address);
    LineProgram.run(unit, search, allowance);
    return search.line < 1 || search.line > Integer.MAX_VALUE
        ? Optional.empty()
        : unit.files(strings)
            .path(search.file)
            .map(path -> new SourceLine(path, (int) search.line));
  }

  /** Returns the index of the sequence that contains an address; -1 if none does. */
  private int sequence(long address) {
    int low = 0;
    int high = starts.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(starts[middle], address) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (int i = low - 1; i >= Math.max(0, low - MOST_OVERLAPPING); i--) {
      if (Long.compareUnsigned(address, ends[i]) < 0) {
        return i;
      }
    }
    return -1;
  }

  /** Finds the last row of a sequence that is not after an address. */
  private static final class Search implements LineProgram.Rows {
    private final long start;
    private final long address;
    private boolean isFirst = true;
    private boolean isWanted;
    private boolean isDone;
    private long file;
    private long line;

    Search(long start, long address) {
      this.start = start;
      this.address = address;
    }

    @Override
    public void row(long at, long rowFile, long rowLine) {
      if (isFirst) {
        isFirst = false;
        isWanted = at == start;
      }
      if (!isWanted) {
        return;
      }
      if (Long.compareUnsigned(at, address) <= 0) {
        file = rowFile;
        line = rowLine;
      } else {
        isDone = true;
      }
    }

    @Override
    public void end(long at) {
      isDone = isWanted;
      isFirst = true;
    }

    @Override
    public boolean isDone() {
      return isDone;
    }
  }
}
