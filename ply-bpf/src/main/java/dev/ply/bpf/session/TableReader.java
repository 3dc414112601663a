package dev.ply.bpf.session;

import dev.ply.analysis.MapContent;
import dev.ply.analysis.MapSymbol;
import dev.ply.bpf.object.MapLayout;
import dev.ply.result.Datum;
import dev.ply.result.Histogram;
import dev.ply.result.Key;
import dev.ply.result.Row;
import dev.ply.result.Table;
import dev.ply.type.StructField;
import dev.ply.type.Type.IntType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes tables of maps: decodes keys, adds up what each CPU has collected. */
final class TableReader {
  private final Machine machine;
  private final DatumReader reader;

  TableReader(Machine machine, DatumReader reader) {
    this.machine = machine;
    this.reader = reader;
  }

  /** Returns what the map holds now. */
  Table<Datum> read(MapLayout layout) {
    List<Row<Datum>> rows = new ArrayList<>();
    machine.read(
        layout.map(),
        (key, values) ->
            value(layout.symbol(), values)
                .ifPresent(value -> rows.add(new Row<>(key(layout.symbol(), key), value))));
    return Table.of(rows);
  }

  private Key key(MapSymbol symbol, ByteBuffer bytes) {
    List<Datum> parts = new ArrayList<>(symbol.keys().size());
    for (StructField field : symbol.keyType().fields()) {
      parts.add(reader.read(field.type(), bytes, field.offset()));
    }
    return new Key(parts);
  }

  /** Returns the value, empty if nothing was aggregated under the key so far. */
  private Optional<Datum> value(MapSymbol symbol, List<ByteBuffer> values) {
    MapContent content = symbol.content();
    if (content instanceof MapContent.Quantize quantize) {
      Histogram histogram = histogram(quantize.valueType(), values);
      return histogram.total() == 0
          ? Optional.empty()
          : Optional.of(new Datum.Distribution(histogram));
    }
    if (content instanceof MapContent.Plain plain) {
      return Optional.of(reader.read(plain.type(), values.get(0), 0));
    }
    long sum = 0;
    for (ByteBuffer value : values) {
      sum += value.getLong(0);
    }
    boolean nothing = sum == 0 && (content instanceof MapContent.Count || symbol.keys().isEmpty());
    return nothing ? Optional.empty() : Optional.of(new Datum.Int(sum, (IntType) content.type()));
  }

  private static Histogram histogram(IntType type, List<ByteBuffer> values) {
    long[] counts = new long[type.bytes() * 8];
    for (ByteBuffer value : values) {
      for (int i = 0; i < counts.length; i++) {
        counts[i] += value.getLong(i * 8);
      }
    }
    if (!type.isSigned()) {
      return new Histogram(type, 0, counts);
    }
    long negative = counts[counts.length - 1];
    counts[counts.length - 1] = 0;
    return new Histogram(type, negative, counts);
  }
}
