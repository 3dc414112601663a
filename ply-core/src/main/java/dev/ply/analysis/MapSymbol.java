package dev.ply.analysis;

import dev.ply.ir.MapDeclaration;
import dev.ply.type.Type;
import java.util.List;
import java.util.Optional;

/**
 * A map of a script.
 *
 * @param name as the script writes it
 * @param keys the types of the key's components; empty for a map without keys
 * @param keysAreObserved whether programs remove entries, check for their presence or iterate over
 *     them
 * @param valuesAreObserved whether programs read what the map aggregates, so that they need the
 *     accumulators of all CPUs
 * @param declaration its kind and size, if the script sets them
 */
public record MapSymbol(
    String name,
    List<Type> keys,
    MapContent content,
    boolean keysAreObserved,
    boolean valuesAreObserved,
    Optional<MapDeclaration> declaration) {
  public MapSymbol {
    keys = List.copyOf(keys);
  }

  /** Returns whether the map belongs to a built-in: no script can name it. */
  public boolean isInternal() {
    return name.startsWith(":");
  }

  /** Returns the key's layout in memory. */
  public Type.StructType keyType() {
    return Type.StructType.ofKeyParts(keys);
  }
}
