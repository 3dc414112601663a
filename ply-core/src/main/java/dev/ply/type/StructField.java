package dev.ply.type;

/** A field of a structure, at {@code offset} bytes from its start. */
public record StructField(String name, Type type, int offset) {}
