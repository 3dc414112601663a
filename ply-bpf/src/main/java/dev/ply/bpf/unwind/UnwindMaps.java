package dev.ply.bpf.unwind;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;

/**
 * The maps that programs find unwind tables in. A process has a list of mappings, sorted by
 * address; a mapping has a range of rows in an array of chunks, which all processes share.
 */
public final class UnwindMaps {
  /** The hash map of processes, by TGID. */
  public static final String PROCESSES = ":unwind";

  /** The array of chunks of rows. */
  public static final String ROWS = ":unwind_rows";

  /** The maximum number of executable mappings of a process, a power of two. */
  public static final int MOST_MAPPINGS = 256;

  /** The offset of the first mapping; the 32-bit number of mappings is before it. */
  public static final int MAPPINGS = 8;

  /** The size of a mapping: three 64-bit numbers and two of 32 bits. */
  public static final int MAPPING_SIZE = 32;

  /** The offset in a mapping of its first address. */
  public static final int START = 0;

  /** The offset in a mapping of the first address after it. */
  public static final int END = 8;

  /** The offset in a mapping of the address that its rows' offsets are counted from. */
  public static final int BASE = 16;

  /** The offset in a mapping of the number of its first row. */
  public static final int FIRST = 24;

  /** The offset in a mapping of the number of its rows; 0 to walk by frame pointers. */
  public static final int COUNT = 28;

  /** The number of rows of a chunk, a power of two. */
  public static final int CHUNK_ROWS = 4096;

  /** The most rows that all tables have together: so many searches find in {@link #ROUNDS}. */
  public static final int MOST_ROWS = 1 << 23;

  /** The rounds of a search among {@link #MOST_ROWS}. */
  public static final int ROUNDS = 24;

  private UnwindMaps() {}

  /** Returns the definition of the map of processes. */
  public static BpfMap processes(UnwindSizes sizes) {
    return new BpfMap(
        PROCESSES,
        MapType.HASH,
        Integer.BYTES,
        MAPPINGS + MOST_MAPPINGS * MAPPING_SIZE,
        sizes.processes());
  }

  /** Returns the definition of the array of rows. */
  public static BpfMap rows(UnwindSizes sizes) {
    return new BpfMap(ROWS, MapType.ARRAY, Integer.BYTES, CHUNK_ROWS * Long.BYTES, sizes.chunks());
  }
}
