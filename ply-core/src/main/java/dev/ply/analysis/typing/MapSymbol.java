package dev.ply.analysis.typing;

import dev.ply.ir.declaration.MapDeclaration;
import dev.ply.table.TableSchema;
import dev.ply.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A map of a script.
 *
 * @param name as the script writes it
 * @param keyNames how its first use writes the components of the key
 * @param keys the types of the key's components; empty for a map without keys
 * @param keysAreObserved whether programs remove entries, check for their presence or iterate over
 *     them
 * @param valuesAreObserved whether programs read what the map aggregates, so that they need the
 *     accumulators of all CPUs
 * @param declaration its kind and size, if the script sets them
 */
public record MapSymbol(
    String name,
    List<String> keyNames,
    List<Type> keys,
    MapContent content,
    boolean keysAreObserved,
    boolean valuesAreObserved,
    Optional<MapDeclaration> declaration) {
  public MapSymbol {
    keyNames = List.copyOf(keyNames);
    keys = List.copyOf(keys);
  }

  /** Returns whether the map belongs to a built-in: no script can name it. */
  public boolean isInternal() {
    return name.startsWith(":");
  }

  /** Returns its description for consumers of results. */
  public TableSchema schema() {
    List<TableSchema.Column> columns = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      columns.add(new TableSchema.Column(keyNames.get(i), keys.get(i)));
    }
    if (content instanceof MapContent.Aggregated aggregated) {
      return new TableSchema(
          name,
          columns,
          content.type(),
          Optional.of(aggregated.function().canonicalName()),
          aggregated.function().unit(aggregated.shape()));
    }
    return new TableSchema(
        name, columns, content.type(), Optional.empty(), TableSchema.Unit.of(content.type()));
  }

  /** Returns the key's layout in memory. */
  public Type.StructType keyType() {
    return Type.StructType.ofKeyParts(keys);
  }
}
