package dev.ply.table;

/**
 * A map of a trace with what is known about it.
 *
 * @param schema its name, its columns, what its values measure
 * @param table its rows, a snapshot
 */
public record NamedTable(TableSchema schema, Table<Datum> table) {
  /** {@return the name as the script writes it} */
  public String name() {
    return schema.map();
  }
}
