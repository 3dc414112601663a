package dev.ply.type;

/**
 * A field of a structure, at {@code offset} bytes from its start.
 *
 * @param name as declared; empty if anonymous
 * @param type as declared
 * @param offset bytes from the start of the structure
 */
public record StructField(String name, Type type, int offset) {}
