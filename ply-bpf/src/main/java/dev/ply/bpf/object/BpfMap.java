package dev.ply.bpf.object;

import java.util.Optional;

/**
 * The definition of a map: pure data, the same on every machine.
 *
 * @param name unique in its object; truncated to 15 characters in the kernel
 * @param type as in enum bpf_map_type
 * @param keySize the size of a key, 0 for ring buffers
 * @param valueSize the size of a value (per CPU in per-CPU maps), 0 for ring buffers
 * @param slots the number of equal parts of each value, one per CPU number; 1 for plain values
 * @param maxEntries the maximum number of entries; for ring buffers the size in bytes, a power of
 *     two of pages
 * @param content the constant content of an array's only value, if any; read-only for programs.
 *     Requires Linux 5.2
 * @param growth when the entries of a hash map are allocated
 * @param inner what each map of an array of maps is like
 */
public record BpfMap(
    String name,
    MapType type,
    int keySize,
    int valueSize,
    int slots,
    int maxEntries,
    Optional<FixedContent> content,
    Growth growth,
    Optional<BpfMap> inner) {
  /** When the kernel allocates the entries of a map. */
  public enum Growth {
    /** All of them when the map is created. */
    IN_ADVANCE,

    /**
     * Each when it is added: BPF_F_NO_PREALLOC. Programs of all kinds may add such entries since
     * Linux 6.1.
     */
    ON_DEMAND
  }

  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException if values of this type and size cannot be divided into so many
   *     slots, or the content has another size
   */
  public BpfMap {
    boolean isSplit =
        valueSize % Math.max(slots, 1) == 0
            && (type == MapType.HASH || (type == MapType.ARRAY && maxEntries == 1));
    if (slots < 1 || (slots > 1 && !isSplit)) {
      throw new IllegalArgumentException(
          slots + " slots in " + valueSize + "-byte values of a " + type + ": " + name);
    }
    if (growth == Growth.ON_DEMAND && type != MapType.HASH) {
      throw new IllegalArgumentException("a " + type + " is allocated in advance: " + name);
    }
    if (content.isPresent()
        && (type != MapType.ARRAY || maxEntries != 1 || valueSize != content.get().size())) {
      throw new IllegalArgumentException(
          "fixed content is the one value of an array, of " + content.get() + ": " + name);
    }
    if (inner.isPresent() != (type == MapType.ARRAY_OF_MAPS)) {
      throw new IllegalArgumentException("an array of maps has an inner map: " + name);
    }
  }

  /**
   * A map that is initially empty, or zero.
   *
   * @param name unique in its object
   * @param type as in enum bpf_map_type
   * @param keySize in bytes
   * @param valueSize in bytes
   * @param maxEntries the maximum number of entries
   */
  public BpfMap(String name, MapType type, int keySize, int valueSize, int maxEntries) {
    this(
        name,
        type,
        keySize,
        valueSize,
        1,
        maxEntries,
        Optional.empty(),
        Growth.IN_ADVANCE,
        Optional.empty());
  }

  /** {@return a map like this whose entries are allocated when they are added} */
  public BpfMap onDemand() {
    return new BpfMap(
        name, type, keySize, valueSize, slots, maxEntries, content, Growth.ON_DEMAND, inner);
  }

  /**
   * {@return a hash map whose values have a slot per CPU}
   *
   * @param name unique in its object
   * @param keySize in bytes
   * @param slotSize in bytes
   * @param slots greater than the highest CPU number
   * @param maxEntries the maximum number of entries
   */
  public static BpfMap slotted(String name, int keySize, int slotSize, int slots, int maxEntries) {
    int valueSize = slotSize * slots;
    return new BpfMap(
        name,
        MapType.HASH,
        keySize,
        valueSize,
        slots,
        maxEntries,
        Optional.empty(),
        Growth.IN_ADVANCE,
        Optional.empty());
  }

  /**
   * {@return an array of one value with elements at fixed offsets, whose addresses programs can
   * load} Requires Linux 5.2.
   *
   * @param name unique in its object
   * @param slotSize the size of an element in bytes
   * @param slots the number of elements
   */
  public static BpfMap places(String name, int slotSize, int slots) {
    return new BpfMap(
        name,
        MapType.ARRAY,
        Integer.BYTES,
        slotSize * slots,
        slots,
        1,
        Optional.empty(),
        Growth.IN_ADVANCE,
        Optional.empty());
  }

  /**
   * {@return an array of maps, which is empty at first: user space puts maps into it} Programs can
   * use the maps that they find there.
   *
   * @param name unique in its object
   * @param inner the definition that all maps in it have
   * @param maxEntries the maximum number of maps
   */
  public static BpfMap ofMaps(String name, BpfMap inner, int maxEntries) {
    return new BpfMap(
        name,
        MapType.ARRAY_OF_MAPS,
        Integer.BYTES,
        Integer.BYTES,
        1,
        maxEntries,
        Optional.empty(),
        Growth.IN_ADVANCE,
        Optional.of(inner));
  }

  /** {@return the size of one CPU's part of a value; all of it for values shared by all CPUs} */
  public int slotSize() {
    return valueSize / slots;
  }

  /**
   * {@return an array with one constant value: strings for helpers, tables}
   *
   * @param name unique in its object
   * @param content read-only for programs
   */
  public static BpfMap constants(String name, FixedContent content) {
    return new BpfMap(
        name,
        MapType.ARRAY,
        Integer.BYTES,
        content.size(),
        1,
        1,
        Optional.of(content),
        Growth.IN_ADVANCE,
        Optional.empty());
  }
}
