package dev.ply.table;

/**
 * An entry of a map.
 *
 * @param <V> the type of its value
 * @param key its components in order
 * @param value a snapshot
 */
public record Row<V>(Key key, V value) {}
