package dev.ply.bpf.unwind;

/**
 * How much a trace's maps of unwind tables hold.
 *
 * @param processes the maximum number of processes
 * @param chunks the maximum number of chunks of {@link UnwindMaps#CHUNK_ROWS} rows
 */
public record UnwindSizes(int processes, int chunks) {
  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if one is less than 1
   */
  public UnwindSizes {
    if (processes < 1 || chunks < 1) {
      throw new IllegalArgumentException(processes + " processes, " + chunks + " chunks");
    }
  }
}
