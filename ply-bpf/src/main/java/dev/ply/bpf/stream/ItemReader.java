package dev.ply.bpf.stream;

import dev.ply.bpf.decode.DatumReader;
import dev.ply.bpf.object.EventItem;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.table.ShownMaps;
import dev.ply.result.Renderer;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.Table;
import dev.ply.type.StructField;
import java.nio.ByteBuffer;
import java.util.List;

/** Reads the values of events: fields of records, whole maps. */
public final class ItemReader {
  private final DatumReader reader;
  private final Renderer renderer;
  private final ShownMaps maps;

  /**
   * Creates a reader.
   *
   * @param renderer which decides about the largest rows of a map
   */
  public ItemReader(DatumReader reader, Renderer renderer, ShownMaps maps) {
    this.reader = reader;
    this.renderer = renderer;
    this.maps = maps;
  }

  /** Returns a value of the record at {@code start}. */
  Datum read(EventSite site, EventItem item, ByteBuffer memory, int start) {
    if (item instanceof EventItem.WholeMap map) {
      return new Datum.Dump(read(site, map));
    }
    StructField field = site.layout().fields().get(((EventItem.Field) item).index());
    return reader.read(field.type(), memory, start + field.offset());
  }

  /** Returns all values of the record at {@code start}. */
  List<Datum> read(EventSite.Formatted site, ByteBuffer memory, int start) {
    return site.items().stream().map(item -> read(site, item, memory, start)).toList();
  }

  /** Returns a map as it is now. */
  NamedTable read(EventSite site, EventItem.WholeMap map) {
    Table<Datum> table = renderer.largest(maps.show(site, map.name()), map.top());
    return new NamedTable(
        maps.layout(map.name()).symbol().schema(),
        map.divisor() == 1 ? table : table.map(value -> value.dividedBy(map.divisor())));
  }
}
