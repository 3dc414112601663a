package dev.ply.bpf.object;

/**
 * A map to be created: pure data, the same on every machine.
 *
 * @param name unique in its object; the kernel sees at most 15 characters of it
 * @param keySize bytes of a key, 0 for ring buffers
 * @param valueSize bytes of a value (of one CPU's value in per-CPU maps), 0 for ring buffers
 * @param maxEntries how many entries fit; bytes, a power of two of pages, for ring buffers
 */
public record BpfMap(String name, MapType type, int keySize, int valueSize, int maxEntries) {
  // As a record's own, but those are made at their first call, which takes longer than verifying a
  // program.
  @Override
  public boolean equals(Object other) {
    return other instanceof BpfMap map
        && name.equals(map.name)
        && type == map.type
        && keySize == map.keySize
        && valueSize == map.valueSize
        && maxEntries == map.maxEntries;
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }
}
