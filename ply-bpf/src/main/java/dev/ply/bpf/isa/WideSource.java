package dev.ply.bpf.isa;

/**
 * What a 64-bit immediate load puts into its register (RFC 9669, section 5.4; the numbers are its
 * source field).
 */
public sealed interface WideSource {
  /** A plain 64-bit constant (0). */
  record Constant(long value) implements WideSource {}

  /** The address of a map, by its name in the same object (1). */
  record Map(String name) implements WideSource {
    @Override
    public boolean equals(Object other) {
      return other instanceof Map map && map.name.equals(name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /** The address of a byte in the first value of an array map (2). Needs kernel 5.2. */
  record MapValue(String name, int offset) implements WideSource {
    @Override
    public boolean equals(Object other) {
      return other instanceof MapValue value && value.name.equals(name) && value.offset == offset;
    }

    @Override
    public int hashCode() {
      return name.hashCode() * 31 + offset;
    }
  }

  /** The address of a kernel variable, by its BTF id (3). */
  record Variable(int btfId) implements WideSource {}

  /** The address of a function in the same program, for helpers that call back (4). */
  record Function(Label target) implements WideSource {}

  /** The address of a map, by its place in the array of maps given at loading (5). Needs 5.14. */
  record IndexedMap(int index) implements WideSource {}

  /**
   * The address of a byte in the first value of an array map, by its place in the array of maps
   * given at loading (6). Needs kernel 5.14.
   */
  record IndexedMapValue(int index, int offset) implements WideSource {}
}
