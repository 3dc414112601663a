package dev.ply.bpf.isa;

/** The operand of a 64-bit immediate load, by its source field (RFC 9669, section 5.4). */
public sealed interface WideSource {
  /** A 64-bit constant (0). */
  record Constant(long value) implements WideSource {}

  /** The address of a map, by name (1). */
  record Map(String name) implements WideSource {}

  /** An address in the first value of an array map (2). Needs kernel 5.2. */
  record MapValue(String name, int offset) implements WideSource {}

  /** The address of a kernel variable, by BTF ID (3). Needs kernel 5.10. */
  record Variable(int btfId) implements WideSource {}

  /** The address of a function in the same program, for callbacks (4). Needs kernel 5.13. */
  record Function(Label target) implements WideSource {}

  /** The address of a map, by index into {@code fd_array} (5). Needs kernel 5.14. */
  record IndexedMap(int index) implements WideSource {}

  /** An address in the first value of an array map, by {@code fd_array} index (6). Since 5.14. */
  record IndexedMapValue(int index, int offset) implements WideSource {}
}
