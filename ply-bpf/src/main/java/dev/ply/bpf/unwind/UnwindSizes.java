package dev.ply.bpf.unwind;

/**
 * How much a trace's maps of unwind tables can hold.
 *
 * @param processes the maximum number of processes
 * @param slabs the maximum number of maps of {@link UnwindMaps#SLAB_BYTES}
 */
public record UnwindSizes(int processes, int slabs) {
  private static final int USUAL_PROCESSES = 4096;

  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if one is less than 1
   */
  public UnwindSizes {
    if (processes < 1 || slabs < 1) {
      throw new IllegalArgumentException(processes + " processes, " + slabs + " slabs");
    }
  }

  /**
   * {@return sizes for a budget of memory}
   *
   * @param bytes for tables; a slab at least
   */
  public static UnwindSizes ofBytes(long bytes) {
    long slabs = Math.max(1, Math.min(UnwindMaps.MOST_SLABS, bytes / UnwindMaps.SLAB_BYTES));
    return new UnwindSizes(USUAL_PROCESSES, (int) slabs);
  }
}
