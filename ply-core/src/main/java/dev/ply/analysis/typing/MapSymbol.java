package dev.ply.analysis.typing;

import dev.ply.ir.declaration.MapDeclaration;
import dev.ply.table.TableSchema;
import dev.ply.table.TableSchema.Unit;
import dev.ply.type.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A map of a script.
 *
 * @param name as the script writes it
 * @param keyNames how its first use writes the components of the key
 * @param keys the types of the key's components; empty for a map without keys
 * @param keyUnits what the components of the key measure, as far as known
 * @param unit what values measure, as far as known; of a distribution what is distributed
 * @param period the CPU time that each call stands for, if only a sampling timer counts them
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
    List<Unit> keyUnits,
    Unit unit,
    Optional<Duration> period,
    boolean keysAreObserved,
    boolean valuesAreObserved,
    Optional<MapDeclaration> declaration) {
  public MapSymbol {
    keyNames = List.copyOf(keyNames);
    keys = List.copyOf(keys);
    keyUnits = List.copyOf(keyUnits);
  }

  /** Returns the map with the units of its key and its values. */
  public MapSymbol measuring(List<Unit> ofKeys, Unit ofValues) {
    return new MapSymbol(
        name,
        keyNames,
        keys,
        content,
        ofKeys,
        ofValues,
        period,
        keysAreObserved,
        valuesAreObserved,
        declaration);
  }

  /** Returns the map with the CPU time that each call stands for. */
  public MapSymbol sampledEvery(Optional<Duration> time) {
    return new MapSymbol(
        name,
        keyNames,
        keys,
        content,
        keyUnits,
        unit,
        time,
        keysAreObserved,
        valuesAreObserved,
        declaration);
  }

  /** Returns whether the map belongs to a built-in: no script can name it. */
  public boolean isInternal() {
    return name.startsWith(":");
  }

  /** Returns whether rows merge when the map is read, as their stacks are of the same functions. */
  public boolean mergesFunctions() {
    return keys.stream().anyMatch(MapSymbol::isOfFunctions);
  }

  private static boolean isOfFunctions(Type type) {
    return type instanceof Type.IntType integer
        ? integer.format().isOfFunctions()
        : type.parts().stream().anyMatch(part -> isOfFunctions(part.type()));
  }

  /** Returns its description for consumers of results. */
  public TableSchema schema() {
    List<TableSchema.Column> columns = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      columns.add(new TableSchema.Column(keyNames.get(i), keys.get(i), keyUnits.get(i)));
    }
    Optional<String> aggregation =
        content instanceof MapContent.Aggregated aggregated
            ? Optional.of(aggregated.function().canonicalName())
            : Optional.empty();
    return new TableSchema(name, columns, content.type(), aggregation, unit, period);
  }

  /** Returns the key's layout in memory. */
  public Type.StructType keyType() {
    return Type.StructType.ofKeyParts(keys);
  }
}
