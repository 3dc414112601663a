package dev.ply.ir;

import dev.ply.diagnostic.SourceSpan;
import java.util.List;

/**
 * A map, or one of its entries.
 *
 * @param name as scripts write it: {@code starts}, {@code @}, {@code @sizes}
 * @param keys the key's components; empty for a map without keys, or the whole map. A tuple literal
 *     denotes its elements: {@code @[(1, 2)]} is {@code @[1, 2]}
 */
public record MapRef(String name, List<Expr> keys, SourceSpan span) {
  /** Copies the keys; a tuple without names as the only key is the same as its elements. */
  public MapRef {
    keys =
        keys.size() == 1 && keys.get(0) instanceof Expr.Tuple tuple && !tuple.isRecord()
            ? tuple.elements()
            : List.copyOf(keys);
  }

  /** {@return whether this is an {@code @} map, or one of a built-in: it can hold aggregations} */
  public boolean isAggregation() {
    return name.startsWith("@") || name.startsWith(":");
  }
}
