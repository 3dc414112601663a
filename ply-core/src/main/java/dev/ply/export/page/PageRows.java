package dev.ply.export.page;

import dev.ply.table.Bucket;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.target.KernelSymbols;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rows of a map in all blocks of a page. Each key and each range of a distribution is written
 * once, and rows refer to it by number; a key with stacks is the number of its stack.
 */
final class PageRows {
  /** Those whose values of several periods have a sum. */
  private static final Set<String> ADDED =
      Set.of("count", "sum", "stats", "quantize", "hist", "lhist", "llhist");

  private final PageCalls calls;
  private final boolean isProfile;
  private final boolean adds;
  private boolean isTold;
  private final Map<List<String>, Integer> keys = new HashMap<>();
  private final Map<Long, Integer> ranges = new HashMap<>();

  /** The key of the last row that is a number alone. */
  private int lastKey;

  private final List<List<String>> newKeys = new ArrayList<>();
  private final List<Bucket> newRanges = new ArrayList<>();

  /** What was added to each key and is not written yet. */
  private final Map<Integer, PageValue> pending = new LinkedHashMap<>();

  PageRows(NamedTable map, PageCalls calls) {
    this.calls = calls;
    this.isProfile = map.schema().isProfile();
    this.adds = map.schema().aggregation().filter(ADDED::contains).isPresent();
  }

  /** Returns whether values of several periods have a sum. */
  boolean adds() {
    return adds;
  }

  /** Returns whether what is known about the map is written for the first time. */
  boolean tell() {
    boolean isFirst = !isTold;
    isTold = true;
    return isFirst;
  }

  /** Returns whether there is something to write. */
  boolean isPending() {
    return !pending.isEmpty();
  }

  /** Keeps what was added to a map, or its current values, until it is written. */
  void add(NamedTable map, DatumFormat format, KernelSymbols symbols) {
    for (Row<Datum> row : map.table()) {
      PageValue value = PageValue.of(row.value(), format);
      pending.merge(key(row, format, symbols), value, (a, b) -> adds ? a.plus(b) : b);
    }
  }

  /** Writes what was kept. */
  void writePending(PageJson json) {
    lastKey = 0;
    pending.forEach((key, value) -> write(json, key, value));
    pending.clear();
  }

  /** Writes the rows of a map. */
  void write(PageJson json, NamedTable map, DatumFormat format, KernelSymbols symbols) {
    lastKey = 0;
    for (Row<Datum> row : map.table()) {
      write(json, key(row, format, symbols), PageValue.of(row.value(), format));
      json.spill();
    }
  }

  private int key(Row<Datum> row, DatumFormat format, KernelSymbols symbols) {
    if (isProfile) {
      return calls.stack(row.key(), symbols);
    }
    List<String> parts =
        row.key().parts().stream().map(part -> format.format(part).strip()).toList();
    Integer number = keys.get(parts);
    if (number == null) {
      number = keys.size();
      keys.put(parts, number);
      newKeys.add(parts);
    }
    return number;
  }

  private void write(PageJson json, int key, PageValue value) {
    if (value.isPlainNumber()) {
      // Neighbours are often near each other: what is added is a short number.
      json.number(key - lastKey).number(value.number().orElse(0));
      lastKey = key;
      return;
    }
    json.begin('{').member("i", key);
    value.number().ifPresent(number -> json.member("n", number));
    value.count().ifPresent(count -> json.member("c", count));
    if (!value.text().isEmpty()) {
      json.member("t", value.text());
    }
    if (!value.buckets().isEmpty()) {
      json.name("b").begin('[');
      value.buckets().values().forEach(bucket -> write(json, bucket));
      json.end(']');
    }
    json.end('}');
  }

  private void write(PageJson json, Bucket bucket) {
    long low = bucket.low().orElse(Long.MIN_VALUE);
    Integer number = ranges.get(low);
    if (number == null) {
      number = ranges.size();
      ranges.put(low, number);
      newRanges.add(bucket);
    }
    if (bucket.count() != 0) {
      json.number(number).number(bucket.count());
    }
  }

  /** Writes the keys and ranges that are new since the last block, as members of the map. */
  void writeNew(PageJson json) {
    json.name("known").begin('[');
    for (List<String> parts : newKeys) {
      json.begin('[');
      parts.forEach(json::text);
      json.end(']').spill();
    }
    json.end(']').name("ranges").begin('[');
    for (Bucket bucket : newRanges) {
      json.number(bucket.low().orElse(Long.MIN_VALUE));
      json.number(bucket.high().orElse(Long.MAX_VALUE));
    }
    json.end(']');
    newKeys.clear();
    newRanges.clear();
  }
}
