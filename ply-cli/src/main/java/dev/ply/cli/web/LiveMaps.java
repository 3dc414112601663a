package dev.ply.cli.web;

import dev.ply.Session;
import dev.ply.export.PageRenderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.RowOrder;
import dev.ply.table.Table;
import dev.ply.table.TableSchema;
import dev.ply.text.TextBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The maps of a page: the newest that the script has printed, and of maps that it does not print
 * the content at this time; of long ones the largest rows.
 */
final class LiveMaps {
  private static final int MOST_ROWS = 1_000;
  private static final int MOST_STACKS = 5_000;

  /** Of the end, which is read once. */
  private static final int MOST_LAST = 50_000;

  private final PageRenderer blocks;
  private final Map<String, NamedTable> printed = new HashMap<>();
  private final Map<String, String> cuts = new LinkedHashMap<>();
  private byte[] sent = new byte[0];

  LiveMaps(PageRenderer blocks) {
    this.blocks = blocks;
  }

  /** Remembers what the script has printed. */
  void printed(List<NamedTable> maps) {
    for (NamedTable map : maps) {
      printed.put(map.name(), map);
      blocks.prints(map.name());
    }
  }

  /** Reads the maps of a session, and returns their blocks; none if nothing has changed. */
  List<Block> read(Session session) {
    List<NamedTable> maps = new ArrayList<>();
    for (TableSchema schema : session.schemas()) {
      NamedTable shown = printed.get(schema.map());
      maps.add(
          cut(
              shown != null ? shown : new NamedTable(schema, session.table(schema.map())),
              schema.isProfile() ? MOST_STACKS : MOST_ROWS));
    }
    return maps.isEmpty() ? List.of() : blocks(new Result.Snapshot(maps, Result.Occasion.TOTALS));
  }

  /** Returns the blocks of the final maps; none if there are none. */
  List<Block> last(Result.Snapshot last) {
    List<NamedTable> maps = last.maps().stream().map(map -> cut(map, MOST_LAST)).toList();
    sent = new byte[0];
    return maps.isEmpty() ? List.of() : blocks(new Result.Snapshot(maps, last.occasion()));
  }

  /** Returns which maps are not shown as a whole, in sentences. */
  List<String> cuts() {
    return List.copyOf(cuts.values());
  }

  private NamedTable cut(NamedTable map, int most) {
    Table<Datum> table = map.table();
    int rows = table.size();
    if (rows <= most) {
      cuts.remove(map.name());
      return map;
    }
    cuts.put(map.name(), map.name() + ": the " + most + " largest of " + rows + " rows");
    return new NamedTable(map.schema(), Table.last(table, RowOrder.bySize(table), most));
  }

  private List<Block> blocks(Result.Snapshot snapshot) {
    TextBuffer lines = new TextBuffer();
    boolean unused = blocks.render(lines, snapshot);
    List<Block> made = Block.of(Block.Kind.MAPS, lines);
    byte[] content = made.isEmpty() ? sent : content(made.get(made.size() - 1).json());
    if (Arrays.equals(content, sent)) {
      return List.of();
    }
    sent = content;
    return made;
  }

  /** Returns what follows the type and the time of a block. */
  private static byte[] content(byte[] json) {
    int commas = 0;
    for (int i = 0; i < json.length; i++) {
      commas += json[i] == ',' ? 1 : 0;
      if (commas == 2) {
        return Arrays.copyOfRange(json, i, json.length);
      }
    }
    return json;
  }
}
