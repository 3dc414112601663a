package dev.ply.bpf.session;

import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.object.EventSite.Item;
import dev.ply.result.Datum;
import dev.ply.result.DatumFormat;
import dev.ply.result.PrintfFormat;
import dev.ply.result.Table;
import dev.ply.type.StructField;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Makes text of the records of {@code print} and {@code printf}. Not thread-safe. */
final class EventPrinter {
  private final DatumReader reader;
  private final DatumFormat data;
  private final BiFunction<EventSite, String, Table<Datum>> tableByName;
  private final Map<Integer, PrintfFormat> formats = new HashMap<>();
  private final StringBuilder out = new StringBuilder();

  EventPrinter(DatumReader reader, DatumFormat data, BiFunction<EventSite, String, Table<Datum>> tableByName) {
    this.reader = reader;
    this.data = data;
    this.tableByName = tableByName;
  }

  /** Returns what {@code print} prints: values separated by commas, then the end of the line. */
  String print(EventSite.Print site, ByteBuffer record) {
    out.setLength(0);
    data.appendAll(out, values(site, site.items(), record));
    return out.append('\n').toString();
  }

  /** Returns what {@code printf} prints. */
  String printf(EventSite.Printf site, ByteBuffer record) {
    out.setLength(0);
    PrintfFormat format =
        formats.computeIfAbsent(site.id(), unused -> PrintfFormat.parse(site.format()));
    format.append(out, values(site, site.items(), record), data);
    return out.toString();
  }

  private List<Datum> values(EventSite site, List<Item> items, ByteBuffer record) {
    List<Datum> values = new ArrayList<>(items.size());
    for (Item item : items) {
      if (item instanceof Item.Field field) {
        values.add(field(site, record, field.index()));
      } else if (item instanceof Item.WholeMap map) {
        values.add(new Datum.Dump(map.name(), tableByName.apply(site, map.name())));
      }
    }
    return values;
  }

  private Datum field(EventSite site, ByteBuffer record, int index) {
    StructField field = site.layout().fields().get(index);
    return reader.read(field.type(), record, field.offset());
  }
}
