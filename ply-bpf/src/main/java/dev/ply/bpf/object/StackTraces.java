package dev.ply.bpf.object;

import dev.ply.table.StackMode;

/**
 * The stack traces of one shape that a script records: a hash map from ids to traces. A trace is
 * the size of its addresses in bytes, in 64 bits, and the addresses, innermost first.
 *
 * <p>Keys and records hold a 32-bit id: that of the map, which is a hash of the trace, in the lower
 * bits, the number of this shape above. A negative id is a negative errno: there is no trace.
 *
 * @param number counted from 0, below {@value #MOST}
 * @param isOfUser whether they are user stacks
 * @param depth the maximum number of frames, innermost first
 * @param mode the print format
 * @param map the name of the map; shapes that differ only in format share one
 */
public record StackTraces(int number, boolean isOfUser, int depth, StackMode mode, String map) {
  /** The number of bits of an id in its map: so many ids that few traces want the same one. */
  public static final int ID_BITS = 25;

  /** The maximum number of shapes of a script's kernel stacks, and of its user stacks. */
  public static final int MOST = 1 << (Integer.SIZE - 1 - ID_BITS);

  /** The number of traces that are kept unless more map entries are asked for. */
  public static final int USUAL = 1 << 18;

  /** The same where the kernel allocates them all in advance. */
  private static final int USUAL_IN_ADVANCE = 1 << 14;

  /**
   * {@return the definition of the map}
   *
   * @param entries the number of keys that other maps have, of which each may be a trace of its own
   * @param growsOnDemand whether the kernel can allocate traces when programs record them
   */
  public BpfMap definition(int entries, boolean growsOnDemand) {
    int most = Math.max(entries, growsOnDemand ? USUAL : USUAL_IN_ADVANCE);
    BpfMap traces =
        new BpfMap(map, MapType.HASH, Integer.BYTES, Long.BYTES + depth * Long.BYTES, most);
    return growsOnDemand ? traces.onDemand() : traces;
  }

  /** {@return the number added to the map's ids} */
  public int base() {
    return number << ID_BITS;
  }

  /**
   * {@return the shape of a stack id}
   *
   * @param trace as programs store it
   */
  public static int numberOf(int trace) {
    return trace >>> ID_BITS;
  }

  /**
   * {@return the map's id of a stack id}
   *
   * @param trace as programs store it
   */
  public static int idOf(int trace) {
    return trace & ((1 << ID_BITS) - 1);
  }
}
