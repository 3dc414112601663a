package dev.ply.bpf.cfg;

/**
 * The key and value sizes of a map in bytes.
 *
 * @param key size of a key
 * @param value size of a value, for one CPU in per-CPU maps
 */
public record MapSizes(int key, int value) {}
