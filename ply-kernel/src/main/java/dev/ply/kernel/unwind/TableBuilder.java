package dev.ply.kernel.unwind;

import dev.ply.bpf.unwind.UnwindRule;
import dev.ply.bpf.unwind.UnwindTable;
import dev.ply.kernel.dwarf.BadDwarfException;
import dev.ply.kernel.untrusted.Allowance;
import java.io.IOException;
import java.util.List;

/**
 * Sorts functions by address and puts their rows together. Functions of damaged files that overlap
 * end where the next begins. Not thread-safe.
 */
final class TableBuilder {
  /**
   * Space between functions that only aligns them: the rules before it stay, to have fewer rows.
   */
  private static final int MOST_PADDING = 64;

  /** Functions between two checks of the time. */
  private static final int PART = 1 << 10;

  /** The bit of an entry's offset that says which of two sections it is in. */
  private static final int SECOND_SECTION = 1 << 30;

  private final FrameMachine machine;
  private final List<FrameSection> sections;
  private final long base;
  private final Allowance allowance;
  private final RowList rows;
  private int damaged;

  TableBuilder(FrameMachine machine, List<FrameSection> sections, long base, Allowance allowance) {
    this.machine = machine;
    this.sections = sections;
    this.base = base;
    this.allowance = allowance;
    this.rows = new RowList(allowance);
  }

  UnwindSections.Read build() throws IOException {
    RowList functions = functions();
    for (int i = 0; i < functions.size(); i++) {
      long start = functions.get(i) >>> Integer.SIZE;
      long next =
          i + 1 < functions.size() ? functions.get(i + 1) >>> Integer.SIZE : Integer.MAX_VALUE;
      if (next > start) {
        add((int) functions.get(i), start, next);
      }
      if (i % PART == 0) {
        allowance.requireTime();
      }
    }
    int inSections = sections.stream().mapToInt(FrameSection::damaged).sum();
    UnwindTable table = UnwindTable.of(base, rows.array(), rows.size());
    return new UnwindSections.Read(table, functions.size(), damaged + inSections);
  }

  /**
   * Returns the functions by address: its offset from the base in the upper half, where its entry
   * is in the lower. Where several start, the last of them counts.
   */
  private RowList functions() throws IOException {
    RowList functions = new RowList(allowance);
    for (int i = 0; i < sections.size(); i++) {
      // Sorted before those of the first section.
      int section = i == 0 && sections.size() > 1 ? SECOND_SECTION : 0;
      sections
          .get(i)
          .functions(
              (start, at) -> {
                long offset = start - base;
                if (offset >= 0 && offset < Integer.MAX_VALUE) {
                  functions.add(UnwindTable.row((int) offset, section | at));
                } else {
                  damaged++;
                }
              });
    }
    functions.sort();
    return functions;
  }

  private void add(int entry, long start, long next) throws IOException {
    FrameSection section = sections.get((entry & SECOND_SECTION) != 0 ? 0 : sections.size() - 1);
    int rowsBefore = rows.size();
    FrameSection.Function function = section.function(entry & ~SECOND_SECTION);
    long end =
        function.size() < 0 || function.size() > next - start ? next : start + function.size();
    try {
      new FrameProgram(function.common(), machine, start)
          .run(
              function.code(),
              (offset, rules) -> {
                if (offset < end) {
                  add(offset, rules.rule(machine, function.common().isSignalFrame()));
                }
              });
    } catch (BadDwarfException e) {
      while (rows.size() > rowsBefore) {
        rows.removeLast();
      }
      add(start, UnwindRule.UNSUPPORTED);
      damaged++;
    }
    if (next - end >= MOST_PADDING) {
      add(end, UnwindRule.MISSING);
    }
  }

  private void add(long offset, UnwindRule rule) throws IOException {
    int encoded = rule.encoded();
    if (rows.size() > 0 && rows.last() >>> Integer.SIZE == offset) {
      rows.removeLast();
    }
    if (rows.size() == 0 || (int) rows.last() != encoded) {
      rows.add(UnwindTable.row((int) offset, encoded));
    }
  }
}
