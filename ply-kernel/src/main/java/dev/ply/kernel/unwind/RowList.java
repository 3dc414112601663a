package dev.ply.kernel.unwind;

import dev.ply.kernel.dwarf.BadDwarfException;
import dev.ply.kernel.untrusted.Allowance;
import java.io.IOException;
import java.util.Arrays;

/** A growing list of 64-bit rows whose memory is claimed. Not thread-safe. */
final class RowList {
  /** Far more than the largest programs have. */
  private static final int MOST = 1 << 23;

  private static final int FEW = 1 << 10;

  private final Allowance allowance;
  private long[] rows = new long[FEW];
  private int size;

  RowList(Allowance allowance) {
    this.allowance = allowance;
  }

  void add(long row) throws IOException {
    if (size == rows.length) {
      if (size == MOST) {
        throw new BadDwarfException("more than " + MOST + " rows of unwind information");
      }
      allowance.claim((long) rows.length * 2 * Long.BYTES);
      rows = Arrays.copyOf(rows, rows.length * 2);
      allowance.release((long) rows.length / 2 * Long.BYTES);
    }
    rows[size++] = row;
  }

  int size() {
    return size;
  }

  long get(int number) {
    return rows[number];
  }

  /** Returns the last row. */
  long last() {
    return rows[size - 1];
  }

  /** Removes the last row. */
  void removeLast() {
    size--;
  }

  void sort() {
    Arrays.sort(rows, 0, size);
  }

  /** Returns the rows; what follows {@link #size} of them is undefined. */
  long[] array() {
    return rows;
  }

  /** Returns the claimed memory. */
  void release() {
    allowance.release(rows.length == FEW ? 0 : (long) rows.length * Long.BYTES);
  }
}
