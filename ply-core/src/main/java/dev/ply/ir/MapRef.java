package dev.ply.ir;

import java.util.List;

/**
 * A map, or one of its entries.
 *
 * @param name as scripts write it: {@code starts}, {@code @}, {@code @sizes}
 * @param keys the key's components; empty for a map without keys, or the whole map
 */
public record MapRef(String name, List<Expr> keys, SourceSpan span) {
  public MapRef {
    keys = List.copyOf(keys);
  }

  /** Returns whether this is an {@code @} map, which can hold aggregations. */
  public boolean isAggregation() {
    return name.startsWith("@");
  }
}
