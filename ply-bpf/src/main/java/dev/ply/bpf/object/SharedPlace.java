package dev.ply.bpf.object;

/**
 * A table's part of a map that several tables share: a program can use 64 maps only (Linux's
 * MAX_USED_MAPS).
 *
 * @param map the map that is shared
 * @param number in an array, the first of the table's elements, or slots; in a hash map, the
 *     table's number, which begins each of its keys
 */
public record SharedPlace(BpfMap map, int number) {
  /** {@return how many bytes of a shared hash map's keys are before those of the table} */
  public int prefix() {
    return map.keySize() == Integer.BYTES ? 0 : Long.BYTES;
  }

  /**
   * {@return the size of a shared hash map's keys for a table's: a number alone where the table has
   * one entry, else a doubleword before each key}
   *
   * @param hasKeys whether the table has keys
   * @param keySize of the table, in bytes
   */
  public static int keySize(boolean hasKeys, int keySize) {
    return hasKeys ? Long.BYTES + keySize : Integer.BYTES;
  }
}
