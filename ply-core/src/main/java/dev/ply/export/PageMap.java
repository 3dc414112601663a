package dev.ply.export;

import dev.ply.table.Bucket;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.FlameGraph;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.TableSchema;
import dev.ply.target.Target;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The data of a map: a row has its key and a number, the bars of a distribution, or a stack. */
final class PageMap {
  private final NamedTable map;
  private final Target target;
  private final DatumFormat format;

  /** The frames of all stacks, which rows refer to by number. */
  private final Map<FlameGraph.Frame, Integer> frames = new LinkedHashMap<>();

  PageMap(NamedTable map, Target target) {
    this.map = map;
    this.target = map.table().target().orElse(target);
    this.format = new DatumFormat(this.target);
  }

  void write(PageJson json) {
    TableSchema schema = map.schema();
    json.begin('{').member("name", map.name());
    json.member("aggregation", schema.aggregation().orElse(""));
    json.member("unit", schema.unit().name().toLowerCase(Locale.ROOT));
    schema.period().ifPresent(period -> json.member("period", period.toNanos()));
    json.name("keys").begin('[');
    schema.keys().forEach(column -> json.text(column.name()));
    json.end(']').name("rows").begin('[');
    for (Row<Datum> row : map.table()) {
      write(json, row);
      json.spill();
    }
    json.end(']').name("frames").begin('[');
    for (FlameGraph.Frame frame : frames.keySet()) {
      json.begin('[').text(frame.name()).text(frame.kind().name().toLowerCase(Locale.ROOT));
      json.text(frame.module().orElse("")).end(']');
    }
    json.end(']').end('}');
  }

  private void write(PageJson json, Row<Datum> row) {
    json.begin('{');
    if (map.schema().isProfile()) {
      json.name("s").begin('[');
      for (FlameGraph.Frame frame : FlameGraph.frames(row.key(), target.symbols())) {
        int known = frames.size();
        json.number(frames.computeIfAbsent(frame, unused -> known));
      }
      json.end(']');
    } else {
      json.name("k").begin('[');
      row.key().parts().forEach(part -> json.text(format.format(part).strip()));
      json.end(']');
    }
    value(json, row.value());
    json.end('}');
  }

  private void value(PageJson json, Datum value) {
    if (value instanceof Datum.Distribution powers) {
      buckets(json, powers.histogram().buckets());
    } else if (value instanceof Datum.Buckets ranges) {
      buckets(json, ranges.histogram().withoutEmptyEnds());
    } else if (value instanceof Datum.Stats stats) {
      json.member("n", stats.statistics().total()).member("c", stats.statistics().count());
    } else if (value.weight().isPresent()) {
      json.member("n", value.weight().getAsLong()).member("t", format.format(value).strip());
    } else {
      json.member("t", format.format(value).strip());
    }
  }

  private static void buckets(PageJson json, List<Bucket> buckets) {
    json.name("b").begin('[');
    for (Bucket bucket : buckets) {
      json.begin('[').number(bucket.count());
      json.number(bucket.low().orElse(Long.MIN_VALUE)).number(bucket.high().orElse(Long.MAX_VALUE));
      json.end(']');
    }
    json.end(']');
  }
}
