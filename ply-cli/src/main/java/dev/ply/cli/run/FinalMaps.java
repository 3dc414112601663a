package dev.ply.cli.run;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.Failures;
import dev.ply.cli.io.ResultOutput;
import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import dev.ply.table.TableSchema;
import java.util.ArrayList;
import java.util.List;

/** The maps of a trace that has stopped, as far as memory holds them. */
final class FinalMaps {
  private final Console console;
  private final ResultOutput results;
  private boolean memoryEnded;

  FinalMaps(Console console, ResultOutput results) {
    this.console = console;
    this.results = results;
  }

  /** Reads the maps that memory holds; what it does not is reported. */
  List<NamedTable> read(Session session) {
    List<NamedTable> tables = new ArrayList<>();
    for (TableSchema schema : session.schemas()) {
      try {
        tables.add(new NamedTable(schema, session.table(schema.map())));
      } catch (OutOfMemoryError e) {
        endOfMemory("map \"" + schema.map() + "\" is left out");
      }
    }
    return tables;
  }

  /** Prints row by row: what has been written stays, if memory ends. */
  void print(List<NamedTable> tables) {
    try {
      if (!results.print(new Result.Snapshot(tables, Result.Occasion.FINAL))) {
        console.warning(
            "-f folded shows maps with a stack in their key, and this program has none; such a map"
                + " is @[kstack] = count()");
      }
    } catch (OutOfMemoryError e) {
      endOfMemory("the remaining maps are left out");
    }
  }

  /** Prints maps that the script does not have printed to outputs that are documents of them. */
  void printDocuments(List<NamedTable> tables) {
    try {
      boolean unused = results.printDocuments(new Result.Snapshot(tables, Result.Occasion.FINAL));
    } catch (OutOfMemoryError e) {
      endOfMemory("the remaining maps are left out");
    }
  }

  /** Returns whether some are left out. */
  boolean areIncomplete() {
    return memoryEnded;
  }

  private void endOfMemory(String lost) {
    memoryEnded = true;
    console.error(lost + ": " + Failures.MORE_MEMORY);
  }
}
