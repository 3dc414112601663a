package dev.ply.result;

/**
 * An entry of a map.
 *
 * @param <V> what the map holds
 */
public record Row<V>(Key key, V value) {}
