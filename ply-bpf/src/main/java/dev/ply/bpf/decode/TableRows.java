package dev.ply.bpf.decode;

import dev.ply.analysis.typing.MapContent;
import dev.ply.bpf.object.MapLayout;
import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.Row;
import dev.ply.table.Table;
import dev.ply.table.TimeSeries;
import dev.ply.type.StructField;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Collects the rows of a map: packed if they can be decoded later, else as they are now. */
public final class TableRows {
  private final MapLayout layout;
  private final DatumReader reader;
  private final List<Row<Datum>> decoded = new ArrayList<>();
  private Optional<PackedRows> packed = Optional.empty();

  /** Begins without rows. */
  public TableRows(MapLayout layout, DatumReader reader) {
    this.layout = layout;
    this.reader = reader;
  }

  /** Adds a key and its value as programs store it. */
  public void add(ByteBuffer key, ByteBuffer value) {
    MapContent.Plain content = (MapContent.Plain) layout.symbol().content();
    prepare(new PackedRows.Value.Stored(content.type()));
    if (packed.isPresent()) {
      packed.get().add(key, value);
    } else {
      decoded.add(new Row<>(key(key), reader.read(content.type(), value, 0)));
    }
  }

  /** Adds a key and what an aggregation makes of {@code words}. */
  public void add(ByteBuffer key, Datum result, long[] words) {
    if (result instanceof Datum.Int number) {
      prepare(new PackedRows.Value.Result(number.type()));
      if (packed.isPresent()) {
        packed.get().add(key, number.value());
        return;
      }
    } else if (!(result instanceof Datum.Series)) {
      int count = layout.aggregated().function().words(layout.aggregated().shape());
      if (words.length >= count) {
        prepare(new PackedRows.Value.Words(layout, count));
      }
      if (packed.isPresent() && words.length >= count) {
        packed.get().add(key, words);
        return;
      }
    }
    decoded.add(new Row<>(key(key), result));
  }

  /** Decides with the first row, whose kind all have. */
  private void prepare(PackedRows.Value value) {
    if (packed.isEmpty() && decoded.isEmpty() && PackedRows.canHold(layout, value)) {
      packed = Optional.of(new PackedRows(layout, value, reader));
    }
  }

  /** Returns a key. */
  public Key key(ByteBuffer bytes) {
    List<StructField> fields = layout.symbol().keyType().fields();
    List<Datum> parts = new ArrayList<>(fields.size());
    for (StructField field : fields) {
      parts.add(reader.read(field.type(), bytes, field.offset()));
    }
    return new Key(parts);
  }

  /** Returns the keys so far. */
  public Set<Key> keys() {
    Set<Key> keys = new HashSet<>();
    decoded.forEach(row -> keys.add(row.key()));
    packed.ifPresent(
        rows -> {
          for (int i = 0; i < rows.size(); i++) {
            keys.add(rows.row(i).key());
          }
        });
    return keys;
  }

  /** Returns the rows in order. */
  public Table<Datum> table() {
    if (packed.isEmpty()) {
      return Table.of(aligned(decoded));
    }
    if (decoded.isEmpty()) {
      return Table.of(packed.get());
    }
    PackedRows rows = packed.get();
    for (int i = 0; i < rows.size(); i++) {
      decoded.add(rows.row(i));
    }
    return Table.of(decoded);
  }

  /** Returns rows of which all series end with the newest interval of any. */
  private static List<Row<Datum>> aligned(List<Row<Datum>> rows) {
    if (rows.isEmpty() || !(rows.get(0).value() instanceof Datum.Series)) {
      return rows;
    }
    long latest = rows.stream().mapToLong(row -> series(row).latest()).max().orElse(0);
    return rows.stream()
        .map(row -> new Row<Datum>(row.key(), new Datum.Series(series(row).until(latest))))
        .toList();
  }

  private static TimeSeries series(Row<Datum> row) {
    return ((Datum.Series) row.value()).series();
  }
}
