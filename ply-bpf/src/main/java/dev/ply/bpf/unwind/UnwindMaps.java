package dev.ply.bpf.unwind;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;

/**
 * The maps that programs find unwind tables in. A process has a list of mappings, sorted by
 * address, which is a chunk of memory; a mapping has a range of rows, which all processes share.
 * Memory is an array of slabs, maps that are created when they are needed, and a slab is an array
 * of chunks.
 */
public final class UnwindMaps {
  /** The hash map of processes, by TGID. */
  public static final String PROCESSES = ":unwind";

  /** The array of slabs. */
  public static final String MEMORY = ":unwind_memory";

  /** The hash map of processes that programs have no tables of, or tables that are too old. */
  public static final String WANTED = ":unwind_wanted";

  /** The size of a value of {@link #PROCESSES}. */
  public static final int PROCESS_SIZE = 16;

  /** The offset in such a value of the number of the chunk of mappings, of 32 bits. */
  public static final int MAPPINGS = 0;

  /** The offset of the number of mappings, of 32 bits. */
  public static final int MAPPING_COUNT = 4;

  /** The offset of where the process's stack begins; 0 if it is unknown. */
  public static final int STACK = 8;

  /** The size of a chunk in bytes, a power of two. */
  public static final int CHUNK_BYTES = 8192;

  /** The number of chunks of a slab, a power of two. */
  public static final int SLAB_CHUNKS = 256;

  /** The size of a slab in bytes: 2 MiB. */
  public static final int SLAB_BYTES = SLAB_CHUNKS * CHUNK_BYTES;

  /** The most slabs: rows have numbers of 32 bits. */
  public static final int MOST_SLABS = 1 << 10;

  /** The size of a mapping: three 64-bit numbers and two of 32 bits. */
  public static final int MAPPING_SIZE = 32;

  /** The maximum number of executable mappings of a process, a power of two. */
  public static final int MOST_MAPPINGS = CHUNK_BYTES / MAPPING_SIZE;

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

  /** What {@link #COUNT} is where the rows are {@link HotSpotCode}. */
  public static final int HOT_SPOT = -1;

  /** What {@link #COUNT} is where there is a table that could not be read, or has no room. */
  public static final int NO_TABLE = -2;

  /** The number of rows of a chunk. */
  public static final int CHUNK_ROWS = CHUNK_BYTES / Long.BYTES;

  /** The most rows of a table: so many searches find in {@link #ROUNDS}. */
  public static final int MOST_ROWS = 1 << 23;

  /** The rounds of a search among {@link #MOST_ROWS}. */
  public static final int ROUNDS = 24;

  /** The most processes that wait for their tables at once. */
  private static final int MOST_WANTED = 1024;

  private UnwindMaps() {}

  /** Returns the definition of the map of processes. */
  public static BpfMap processes(UnwindSizes sizes) {
    return new BpfMap(PROCESSES, MapType.HASH, Integer.BYTES, PROCESS_SIZE, sizes.processes());
  }

  /** Returns the definition of the memory for mappings and rows. */
  public static BpfMap memory(UnwindSizes sizes) {
    return BpfMap.ofMaps(
        MEMORY,
        new BpfMap(":unwind_slab", MapType.ARRAY, Integer.BYTES, CHUNK_BYTES, SLAB_CHUNKS),
        sizes.slabs());
  }

  /** Returns the definition of the map of processes without tables. */
  public static BpfMap wanted() {
    return new BpfMap(WANTED, MapType.HASH, Integer.BYTES, Integer.BYTES, MOST_WANTED);
  }
}
