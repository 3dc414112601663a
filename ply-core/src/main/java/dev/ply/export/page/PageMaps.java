package dev.ply.export.page;

import dev.ply.result.Result;
import dev.ply.table.DatumFormat;
import dev.ply.table.NamedTable;
import dev.ply.table.TableSchema;
import dev.ply.target.Target;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The maps in all data blocks of a page. Not thread-safe.
 *
 * <p>What was added in periods is kept until it is due: periods grow with the trace, so that there
 * are at most {@value #MOST_PERIODS} in each doubling of its time, and what they take is limited.
 */
public final class PageMaps {
  private static final int MOST_PERIODS = 600;

  private final Target target;
  private final long mostBytes;
  private final PageCalls calls = new PageCalls();
  private final Map<String, PageRows> rows = new LinkedHashMap<>();
  private final Map<PageRows, NamedTable> pending = new LinkedHashMap<>();
  private long begin;
  private long end;
  private long bytes;

  /**
   * Creates the maps of a page.
   *
   * @param target that they come from
   * @param mostBytes of all periods but the last
   */
  public PageMaps(Target target, long mostBytes) {
    this.target = target;
    this.mostBytes = mostBytes;
  }

  /**
   * Keeps what was added in a period.
   *
   * @param added to all maps
   * @param now milliseconds since the start of the trace: the end of the period
   */
  public void add(Result.Snapshot added, long now) {
    end = now;
    for (NamedTable map : added.maps()) {
      PageRows of = rows(map);
      of.add(map, format(map), target(map).symbols());
      pending.put(of, map);
    }
  }

  /** {@return whether what is kept is to be written} */
  public boolean isDue() {
    return hasRoom() && !pending.isEmpty() && (end - begin) * MOST_PERIODS >= end;
  }

  /** {@return the end of what is kept, in milliseconds since the start of the trace} */
  public long end() {
    return end;
  }

  /** {@return whether there is room for more periods} */
  public boolean hasRoom() {
    return bytes < mostBytes;
  }

  /** {@return whether something is kept that is not written} */
  public boolean isPending() {
    return !pending.isEmpty();
  }

  /**
   * Counts what was written of a period.
   *
   * @param length in bytes
   */
  public void written(int length) {
    bytes += length;
  }

  /**
   * Writes what is kept as members of a block.
   *
   * @param json of the block
   */
  public void writePending(PageJson json) {
    json.member("from", begin).name("maps").begin('[');
    pending.forEach(
        (of, map) -> {
          if (of.isPending()) {
            begin(json, map, of);
            of.writePending(json);
            end(json, of);
          }
        });
    json.end(']');
    calls.writeNew(json);
    pending.clear();
    begin = end;
  }

  /**
   * Writes maps as members of a block.
   *
   * @param json of the block
   * @param snapshot of all maps
   */
  public void write(PageJson json, Result.Snapshot snapshot) {
    json.name("maps").begin('[');
    for (NamedTable map : snapshot.maps()) {
      PageRows of = rows(map);
      begin(json, map, of);
      of.write(json, map, format(map), target(map).symbols());
      end(json, of);
    }
    json.end(']');
    calls.writeNew(json);
  }

  private static void begin(PageJson json, NamedTable map, PageRows rows) {
    TableSchema schema = map.schema();
    json.begin('{').member("name", map.name());
    if (rows.tell()) {
      tell(json, schema, rows);
    }
    json.name("rows").begin('[');
  }

  private static void tell(PageJson json, TableSchema schema, PageRows rows) {
    json.member("aggregation", schema.aggregation().orElse(""));
    json.member("unit", PageJson.word(schema.unit())).member("adds", rows.adds() ? 1 : 0);
    json.member("stacks", schema.isProfile() ? 1 : 0);
    schema.period().ifPresent(period -> json.member("period", period.toNanos()));
    json.name("keys").begin('[');
    schema.keys().forEach(column -> json.text(column.name()));
    json.end(']');
  }

  private static void end(PageJson json, PageRows rows) {
    json.end(']');
    rows.writeNew(json);
    json.end('}');
  }

  private PageRows rows(NamedTable map) {
    return rows.computeIfAbsent(map.name(), unused -> new PageRows(map, calls));
  }

  private Target target(NamedTable map) {
    return map.table().target().orElse(target);
  }

  private DatumFormat format(NamedTable map) {
    return new DatumFormat(target(map));
  }
}
