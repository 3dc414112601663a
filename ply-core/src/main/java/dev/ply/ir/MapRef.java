package dev.ply.ir;

import java.util.List;

/**
 * A map, or one of its entries.
 *
 * @param name as scripts write it: {@code starts}, {@code @}, {@code @sizes}
 * @param keys the key's parts; empty for a keyless map or the map as a whole
 */
public record MapRef(String name, List<Expr> keys, SourceSpan span) {
  public MapRef {
    keys = List.copyOf(keys);
  }

  /** Tells whether this is an {@code @} map, which may aggregate. */
  public boolean isAggregation() {
    return name.startsWith("@");
  }
}
