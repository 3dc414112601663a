package dev.ply.bpf.table;

import dev.ply.analysis.typing.MapContent;
import dev.ply.bpf.decode.DatumReader;
import dev.ply.bpf.decode.TableRows;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.MapLayout;
import dev.ply.builtin.Merge;
import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.Table;
import dev.ply.target.Target;
import dev.ply.type.StructField;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.TupleType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Reads maps as tables: decodes keys, merges CPUs. */
public final class TableReader {
  private final Machine machine;
  private final DatumReader reader;
  private final Target target;
  private final Map<String, Accumulators> collected = new ConcurrentHashMap<>();

  /** Keys of aggregations that {@code zero} has kept, by map. */
  private final Map<String, Set<ByteBuffer>> zeroed = new ConcurrentHashMap<>();

  /** Trackers that keep updates before a clear drops them. */
  private final List<AddedUpdates> followers = new CopyOnWriteArrayList<>();

  /** Reads maps from a machine that has loaded them. */
  public TableReader(Machine machine, DatumReader reader, Target target) {
    this.machine = machine;
    this.reader = reader;
    this.target = target;
  }

  /** Returns the current content of a map. */
  public Table<Datum> read(MapLayout layout) {
    return read(layout, () -> {});
  }

  /** Returns the current content of a map; {@code eachRow} is called while it is read. */
  public Table<Datum> read(MapLayout layout, Runnable eachRow) {
    if (layout.symbol().content() instanceof MapContent.Plain) {
      TableRows rows = new TableRows(layout, reader);
      new TableEntries(machine, layout)
          .read(
              (key, values) -> {
                eachRow.run();
                rows.add(key, values.get(0));
              });
      return table(layout, rows);
    }
    return aggregated(
        layout,
        zeroed(layout),
        rows ->
            collected(layout)
                .forEach(
                    (key, counters) -> {
                      eachRow.run();
                      rows.entry(key, counters);
                    }));
  }

  /** Returns the rows of accumulators: all, or one for those whose stacks are of one function. */
  private Table<Datum> aggregated(
      MapLayout layout, Set<ByteBuffer> zeroed, Consumer<Accumulators.Visitor> accumulators) {
    if (!layout.symbol().mergesFunctions()) {
      TableRows rows = new TableRows(layout, reader);
      accumulators.accept((key, counters) -> add(rows, layout, zeroed, key, counters));
      addZeroed(rows, layout, zeroed);
      return table(layout, rows);
    }
    FunctionKeys keys = new FunctionKeys(layout, reader.stacks());
    Merge merge = layout.aggregated().function().merge(layout.aggregated().shape());
    Map<ByteBuffer, long[]> merged = new LinkedHashMap<>();
    accumulators.accept((key, counters) -> merged.merge(keys.of(key), counters.clone(), merge::of));
    Set<ByteBuffer> shown = zeroed.stream().map(keys::of).collect(Collectors.toSet());
    TableRows rows = new TableRows(layout, reader.with(keys));
    merged.forEach((key, counters) -> add(rows, layout, shown, key, counters));
    addZeroed(rows, layout, shown);
    return table(layout, rows);
  }

  /** Returns those of {@code totals} that have not been cleared since. */
  public Table<Datum> read(MapLayout layout, Accumulators.Totals totals) {
    return aggregated(layout, zeroed(layout), rows -> collected(layout).forEach(totals, rows));
  }

  private Table<Datum> table(MapLayout layout, TableRows rows) {
    Table<Datum> table = rows.table().on(target);
    return layout.symbol().keys().isEmpty()
        ? zero(layout.symbol().content()).map(table::startingAt).orElse(table)
        : table;
  }

  /** Returns the value that a map without keys starts from, if it can be shown. */
  private Optional<Datum> zero(MapContent content) {
    if (content instanceof MapContent.Plain plain) {
      return isZero(plain.type())
          ? Optional.of(reader.read(plain.type(), ByteBuffer.allocate(plain.type().size()), 0))
          : Optional.empty();
    }
    MapContent.Aggregated aggregated = (MapContent.Aggregated) content;
    return aggregated
        .function()
        .zero(aggregated.shape())
        .filter(value -> value instanceof Datum.Int || value instanceof Datum.Stats);
  }

  /** Returns whether zeros are a value of a type: they are not a stack, probe or time. */
  private static boolean isZero(Type type) {
    if (type instanceof TupleType tuple) {
      return tuple.layout().fields().stream().map(StructField::type).allMatch(TableReader::isZero);
    }
    return type instanceof IntType integer
        ? switch (integer.format()) {
          case DECIMAL,
              BOOLEAN,
              CHARACTER,
              PID,
              UID,
              CPU,
              HEX,
              DURATION,
              DURATION_SUM,
              DURATION_AVERAGE,
              SINCE_BOOT ->
              true;
          default -> false;
        }
        : type instanceof ArrayType array && array.isText();
  }

  /** Returns the content of an aggregating map, and clears exactly that. */
  public Table<Datum> take(MapLayout layout) {
    Accumulators counted = collected(layout);
    synchronized (counted) {
      Accumulators.Totals totals = counted.totals();
      Table<Datum> table = read(layout, totals);
      clear(layout, Optional.of(totals));
      return table;
    }
  }

  /** Clears all updates so far; those of {@code shown} if there has been no clear since. */
  void clear(MapLayout layout, Optional<Accumulators.Totals> shown) {
    zeroed.remove(layout.map().name());
    Accumulators counted = collected(layout);
    synchronized (counted) {
      counted.clear(followed(layout, shown));
    }
  }

  /** Tells the followers what is about to be cleared, and returns it, if there are any. */
  private Optional<Accumulators.Totals> followed(
      MapLayout layout, Optional<Accumulators.Totals> shown) {
    if (followers.isEmpty()) {
      return shown;
    }
    Accumulators.Totals now = collected(layout).totals();
    Accumulators.Totals until = shown.filter(totals -> totals.clears() == now.clears()).orElse(now);
    followers.forEach(follower -> follower.beforeClear(layout, until));
    return Optional.of(until);
  }

  /** Returns a tracker of what is added to maps from now on. */
  public AddedUpdates follow(List<MapLayout> layouts) {
    AddedUpdates follower = new AddedUpdates(this, machine);
    followers.add(follower);
    layouts.forEach(follower::begin);
    return follower;
  }

  /** Returns a tracker of what is added to maps since they were last cleared. */
  public AddedUpdates followAll() {
    return follow(List.of());
  }

  /**
   * Returns the number of keys that are missing in what was added: cleared, and too many to keep.
   */
  public long leftOutOfAdded() {
    return followers.stream().mapToLong(AddedUpdates::leftOut).sum();
  }

  /** Returns the table of accumulators under keys. */
  Table<Datum> table(MapLayout layout, Map<ByteBuffer, long[]> words) {
    return aggregated(layout, Set.of(), rows -> words.forEach(rows::entry));
  }

  /** Returns the table of values that were stored under keys. */
  Table<Datum> stored(MapLayout layout, Map<ByteBuffer, ByteBuffer> values) {
    TableRows rows = new TableRows(layout, reader);
    values.forEach(rows::add);
    return table(layout, rows);
  }

  /** Sets the values of an aggregating map to zero; its keys are still shown. */
  void zero(MapLayout layout, Optional<Accumulators.Totals> shown) {
    Set<ByteBuffer> keys =
        zeroed.computeIfAbsent(layout.map().name(), unused -> ConcurrentHashMap.newKeySet());
    collected(layout).forEach((key, counters) -> keys.add(copy(key)));
    Accumulators counted = collected(layout);
    synchronized (counted) {
      counted.zero(followed(layout, shown));
    }
  }

  static ByteBuffer copy(ByteBuffer key) {
    ByteBuffer copy = ByteBuffer.allocate(key.capacity()).order(key.order());
    return copy.put(0, key, 0, key.capacity());
  }

  private Set<ByteBuffer> zeroed(MapLayout layout) {
    return zeroed.getOrDefault(layout.map().name(), Set.of());
  }

  /**
   * Adds the keys without updates since they were zeroed, unless entries are still there to tell.
   */
  private static void addZeroed(TableRows rows, MapLayout layout, Set<ByteBuffer> keys) {
    Optional<Datum> zero = layout.aggregated().function().zero(layout.aggregated().shape());
    if (zero.isEmpty() || keys.isEmpty() || layout.removesToClear()) {
      return;
    }
    Set<Key> shown = rows.keys();
    for (ByteBuffer bytes : keys) {
      if (!shown.contains(rows.key(bytes))) {
        rows.add(bytes, zero.get(), new long[0]);
      }
    }
  }

  /** Returns the accumulators of an aggregating map. */
  Accumulators collected(MapLayout layout) {
    return collected.computeIfAbsent(
        layout.map().name(), unused -> Accumulators.of(machine, layout));
  }

  private static void add(
      TableRows rows, MapLayout layout, Set<ByteBuffer> zeroed, ByteBuffer key, long[] counters) {
    boolean isZeroed = zeroed.contains(key) && Arrays.stream(counters).allMatch(word -> word == 0);
    Optional<Datum> result =
        isZeroed
            ? layout.aggregated().function().zero(layout.aggregated().shape())
            : value(layout, counters);
    result.ifPresent(value -> rows.add(key, value, counters));
  }

  /** Returns the result, empty without updates. */
  private static Optional<Datum> value(MapLayout layout, long[] counters) {
    MapContent.Aggregated content = layout.aggregated();
    // A hash map's key implies an update; a fixed key does not.
    boolean isUpdated =
        layout.marksUpdates() ? counters[1] != 0 : !layout.symbol().keys().isEmpty();
    long[] words = Arrays.copyOf(counters, content.function().words(content.shape()));
    return content.function().result(words, content.shape(), isUpdated);
  }
}
