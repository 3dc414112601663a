package dev.ply.result;

/**
 * An entry of a map.
 *
 * @param <V> the type of its value
 */
public record Row<V>(Key key, V value) {}
