package dev.ply.metrics;

import dev.ply.Session;
import dev.ply.analysis.rewrite.HistogramSums;
import dev.ply.metrics.model.MetricFamily;
import dev.ply.metrics.model.MetricNames;
import dev.ply.metrics.model.MetricType;
import dev.ply.result.Loss;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.NamedTable;
import dev.ply.table.TableSchema;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The maps of a session as metrics, and what is known about the session itself. Counters,
 * distributions and statistics are what was added since the start: they only grow, also if the
 * script clears its maps, or another session continues them. All other maps are gauges.
 *
 * <p>Maps are read when metrics are asked for, and by no other thread. Thread-safe.
 */
public final class SessionMetrics implements Supplier<List<MetricFamily>> {
  private final MetricOptions options;
  private final InstantSource clock;
  private final Map<String, MapSeries> maps = new LinkedHashMap<>();
  private final Map<Loss, Long> lostBefore = new EnumMap<>(Loss.class);
  private final Instant begun;
  private Set<String> hidden;
  private Optional<Followed> followed = Optional.empty();
  private Instant last;

  private record Followed(Session session, Supplier<Result.Snapshot> added) {}

  /**
   * Creates the metrics of a session, with what its maps have now.
   *
   * @param session that runs
   * @param options names and limits
   */
  public SessionMetrics(Session session, MetricOptions options) {
    this(options, InstantSource.system());
    follow(session);
  }

  /**
   * Creates metrics without a session.
   *
   * @param options names and limits
   * @param clock the time of series
   */
  public SessionMetrics(MetricOptions options, InstantSource clock) {
    this.options = options;
    this.clock = clock;
    this.hidden = options.hidden();
    this.begun = clock.instant();
    this.last = begun;
  }

  /**
   * Continues with another session: counters go on from where they are, if the map of their name is
   * still of the same kind.
   *
   * @param session that runs
   */
  public synchronized void follow(Session session) {
    follow(session, options.hidden());
  }

  /**
   * Continues with a session of another script, as {@link #follow(Session)} does; maps that it does
   * not have are left out from now on.
   *
   * @param session that runs
   * @param hiddenMaps the names of maps that are left out
   */
  public synchronized void follow(Session session, Set<String> hiddenMaps) {
    release();
    hidden = Set.copyOf(hiddenMaps);
    maps.keySet()
        .retainAll(session.schemas().stream().map(TableSchema::map).collect(Collectors.toSet()));
    maps.keySet().removeAll(hidden);
    last = clock.instant();
    followed = Optional.of(new Followed(session, session.added()));
  }

  /** Takes the last updates of the session, which is not asked any more. */
  public synchronized void release() {
    update();
    followed.ifPresent(
        one ->
            one.session()
                .losses()
                .counts()
                .forEach((loss, count) -> lostBefore.merge(loss, count, Long::sum)));
    followed = Optional.empty();
  }

  /**
   * {@return all metrics, up to date; those of a closed session as they were when they were last
   * read}
   */
  @Override
  public synchronized List<MetricFamily> get() {
    update();
    List<MetricFamily> families = new ArrayList<>();
    for (MapSeries map : maps.values()) {
      if (map.size() > 0) {
        families.add(map.family());
      }
    }
    families.addAll(
        new OwnMetrics(options, begun)
            .families(followed.map(Followed::session), lostBefore, List.copyOf(maps.values())));
    return families;
  }

  private void update() {
    if (followed.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    try {
      update(followed.get(), now);
    } catch (IllegalStateException e) {
      // The session is closed.
      followed = Optional.empty();
    }
    maps.values().forEach(map -> map.expire(now));
    last = now;
  }

  private void update(Followed from, Instant now) {
    List<NamedTable> added = from.added().get().maps();
    Map<String, NamedTable> sums = new HashMap<>();
    for (NamedTable map : added) {
      if (HistogramSums.isSum(map.name())) {
        sums.put(map.name(), map);
      }
    }
    for (NamedTable map : added) {
      TableSchema schema = map.schema();
      if (isLeftOut(schema, hidden, options)) {
        continue;
      }
      // All other maps have the value of the moment.
      if (schema.addsUp()) {
        Optional<NamedTable> exact =
            Optional.ofNullable(sums.get(HistogramSums.nameOf(map.name())));
        series(map).ifPresent(series -> series.add(map, byKey(exact), last, now));
      } else {
        NamedTable current = new NamedTable(schema, from.session().table(map.name()));
        series(current).ifPresent(series -> series.replace(current, last, now));
      }
    }
  }

  private static boolean isLeftOut(TableSchema map, Set<String> hiddenMaps, MetricOptions options) {
    return HistogramSums.isSum(map.map())
        || hiddenMaps.contains(map.map())
        || (!options.threadLabels() && MapSeries.isScratch(map));
  }

  /**
   * {@return the names of the metrics that maps become when they have rows}
   *
   * @param maps of a trace
   * @param options of its metrics
   */
  public static Set<String> names(List<TableSchema> maps, MetricOptions options) {
    return maps.stream()
        .filter(map -> !isLeftOut(map, options.hidden(), options))
        .map(
            map ->
                MetricNames.withUnit(
                    MetricNames.base(options.script(), map.map()), MetricNames.unit(map.unit())))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns the series of a map; empty for one that has never had a row. */
  private Optional<MapSeries> series(NamedTable map) {
    Optional<MetricType> type = MetricType.of(map);
    Optional<MapSeries> known = Optional.ofNullable(maps.get(map.name()));
    if (type.isEmpty()
        || known.filter(one -> one.continuesAs(map.schema(), type.get())).isPresent()) {
      return known;
    }
    Set<String> others =
        maps.entrySet().stream()
            .filter(entry -> !entry.getKey().equals(map.name()))
            .map(entry -> entry.getValue().name())
            .collect(Collectors.toSet());
    MapSeries begun = new MapSeries(map.schema(), type.get(), options, others);
    maps.put(map.name(), begun);
    return Optional.of(begun);
  }

  private static Map<Key, Long> byKey(Optional<NamedTable> sums) {
    Map<Key, Long> byKey = new HashMap<>();
    sums.ifPresent(
        map ->
            map.table()
                .forEach(
                    row -> {
                      if (row.value() instanceof Datum.Int number) {
                        byKey.put(row.key(), number.value());
                      }
                    }));
    return byKey;
  }
}
