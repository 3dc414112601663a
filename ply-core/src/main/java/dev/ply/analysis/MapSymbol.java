package dev.ply.analysis;

import dev.ply.type.Type;
import java.util.List;

/**
 * A map of a script.
 *
 * @param name as the script writes it
 * @param keys the types of the key's components; empty for a map without keys
 * @param keysAreObserved whether programs remove entries or check for their presence
 */
public record MapSymbol(String name, List<Type> keys, MapContent content, boolean keysAreObserved) {
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
