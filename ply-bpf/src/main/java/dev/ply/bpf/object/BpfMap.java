package dev.ply.bpf.object;

import java.util.Optional;

/**
 * A map to be created: pure data, the same on every machine.
 *
 * @param name unique in its object; the kernel sees at most 15 characters of it
 * @param keySize bytes of a key, 0 for ring buffers
 * @param valueSize bytes of a value (of one CPU's value in per-CPU maps), 0 for ring buffers
 * @param slots into how many parts of equal size each value of a hash table, or the only one of a
 *     plain array, is split, one for each processor by its number; 1 for values that are one
 * @param maxEntries how many entries fit; bytes, a power of two of pages, for ring buffers
 * @param content what the only value of an array is for good, if it is; programs cannot write it.
 *     Needs kernel 5.2
 */
public record BpfMap(
    String name,
    MapType type,
    int keySize,
    int valueSize,
    int slots,
    int maxEntries,
    Optional<FixedContent> content) {
  public BpfMap {
    boolean isSplit =
        valueSize % Math.max(slots, 1) == 0
            && (type == MapType.HASH || (type == MapType.ARRAY && maxEntries == 1));
    if (slots < 1 || (slots > 1 && !isSplit)) {
      throw new IllegalArgumentException(
          slots + " slots in " + valueSize + "-byte values of a " + type + ": " + name);
    }
    if (content.isPresent()
        && (type != MapType.ARRAY || maxEntries != 1 || valueSize != content.get().size())) {
      throw new IllegalArgumentException(
          "fixed content is the one value of an array, of " + content.get() + ": " + name);
    }
  }

  /** A map that begins empty, or zero. */
  public BpfMap(String name, MapType type, int keySize, int valueSize, int maxEntries) {
    this(name, type, keySize, valueSize, 1, maxEntries, Optional.empty());
  }

  /**
   * Returns a hash table whose values have a slot for each processor.
   *
   * @param slotSize bytes of a slot
   * @param slots more than the highest number of a processor
   */
  public static BpfMap slotted(String name, int keySize, int slotSize, int slots, int maxEntries) {
    int valueSize = slotSize * slots;
    return new BpfMap(name, MapType.HASH, keySize, valueSize, slots, maxEntries, Optional.empty());
  }

  /**
   * Returns an array of one value that is made of places, whose addresses programs may load. Needs
   * kernel 5.2.
   *
   * @param slotSize bytes of a place
   */
  public static BpfMap places(String name, int slotSize, int slots) {
    return new BpfMap(
        name, MapType.ARRAY, Integer.BYTES, slotSize * slots, slots, 1, Optional.empty());
  }

  /** Returns the bytes that one processor has of a value: all, where they do not have their own. */
  public int slotSize() {
    return valueSize / slots;
  }

  /** Returns an array of one value that nobody changes: texts for helpers, tables. */
  public static BpfMap constants(String name, FixedContent content) {
    return new BpfMap(
        name, MapType.ARRAY, Integer.BYTES, content.size(), 1, 1, Optional.of(content));
  }

  // As a record's own, but those are made at their first call, which takes longer than verifying a
  // program.
  @Override
  public boolean equals(Object other) {
    return other instanceof BpfMap map
        && name.equals(map.name)
        && type == map.type
        && keySize == map.keySize
        && valueSize == map.valueSize
        && slots == map.slots
        && maxEntries == map.maxEntries
        && content.equals(map.content);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }
}
