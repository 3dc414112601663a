package dev.ply.table;

import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;

/** Maps for tests of layouts, which need only their names. */
public final class NamedTables {
  private NamedTables() {}

  /** Returns a map of which only the name and the rows are known. */
  public static NamedTable of(String name, Table<Datum> table) {
    return new NamedTable(
        new TableSchema(name, List.of(), IntType.U64, Optional.empty(), TableSchema.Unit.NONE),
        table);
  }
}
