package dev.ply.bpf.unwind;

import dev.ply.bpf.unwind.UnwindRule.Kind;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * The unwind rules of a file's code by address. A row is 8 bytes: in the upper half the offset of
 * its first instruction from {@link #base}, in the lower half its {@link UnwindRule}, which holds
 * up to the next row. Immutable.
 */
public final class UnwindTable implements UnwindCode {
  private final long base;
  private final long[] rows;

  private UnwindTable(long base, long[] rows) {
    this.base = base;
    this.rows = rows;
  }

  /**
   * Returns a table of rows.
   *
   * @param base the address in the file from which offsets are counted
   * @param rows in the order of their offsets, each at most once
   * @param count how many of {@code rows} are used
   */
  public static UnwindTable of(long base, long[] rows, int count) {
    return new UnwindTable(base, Arrays.copyOf(rows, count));
  }

  /**
   * Returns this table with another rule for a range.
   *
   * @param from the offset of its first instruction from the base
   * @param to the offset of the first instruction after it
   */
  public UnwindTable with(int from, int to, UnwindRule rule) {
    long[] changed = new long[rows.length + 2];
    int count = 0;
    for (long row : rows) {
      if (row >>> Integer.SIZE < from) {
        changed[count++] = row;
      }
    }
    changed[count++] = row(from, rule.encoded());
    changed[count++] = row(to, rule(base + to).encoded());
    for (long row : rows) {
      if (row >>> Integer.SIZE > to) {
        changed[count++] = row;
      }
    }
    return of(base, changed, count);
  }

  /** Returns a row. */
  public static long row(int offset, int rule) {
    return ((long) offset << Integer.SIZE) | Integer.toUnsignedLong(rule);
  }

  /** Returns the address in the file from which the rows' offsets are counted. */
  public long base() {
    return base;
  }

  /** Returns the number of rows. */
  @Override
  public int size() {
    return rows.length;
  }

  /** Returns a row by its number, from 0. */
  @Override
  public long row(int number) {
    return rows[number];
  }

  /** Returns the rule for the instruction at an address in the file. */
  public UnwindRule rule(long address) {
    long offset = address - base;
    if (offset < 0 || offset > Integer.MAX_VALUE) {
      return UnwindRule.MISSING;
    }
    int found = Arrays.binarySearch(rows, (offset << Integer.SIZE) | 0xffff_ffffL);
    int number = found >= 0 ? found : -found - 2;
    return number < 0 ? UnwindRule.MISSING : UnwindRule.decoded((int) rows[number]);
  }

  /** Returns whether there is a row of a kind. */
  public boolean has(Kind kind) {
    for (long row : rows) {
      if ((int) row >>> UnwindRule.KIND_SHIFT == kind.number()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of rows of each kind. */
  public Map<Kind, Integer> kinds() {
    Map<Kind, Integer> kinds = new EnumMap<>(Kind.class);
    for (long row : rows) {
      kinds.merge(UnwindRule.decoded((int) row).kind(), 1, Integer::sum);
    }
    return kinds;
  }

  /** Returns a line for each row: the address in hexadecimal digits, and the rule. */
  public String dump() {
    StringBuilder lines = new StringBuilder();
    for (long row : rows) {
      lines
          .append(Long.toHexString(base + (row >>> Integer.SIZE)))
          .append(' ')
          .append(UnwindRule.decoded((int) row))
          .append('\n');
    }
    return lines.toString();
  }
}
