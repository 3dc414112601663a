package dev.ply.bpf.cfg;

/**
 * How many bytes of memory helpers read for a map.
 *
 * @param key bytes of a key
 * @param value bytes of a value, of one CPU's in per-CPU maps
 */
public record MapSizes(int key, int value) {}
