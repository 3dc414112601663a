package dev.ply.bpf.session;

import dev.ply.AggregateProbe;
import dev.ply.analysis.rewrite.HistogramSums;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.table.ShownMaps;
import dev.ply.bpf.table.TableReader;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.table.Table;
import java.util.List;
import java.util.function.Function;

/** The maps of a trace, by the probes and names of its author. */
final class TraceTables {
  private final CompiledTrace compiled;
  private final TableReader tables;
  private final ShownMaps maps;

  TraceTables(CompiledTrace compiled, TraceRun run) {
    this.compiled = compiled;
    this.tables = run.tables();
    this.maps = run.maps();
  }

  /** Returns the results of a probe. */
  <V> Table<V> read(AggregateProbe<V> probe) {
    return read(nameOf(probe)).map(probe::result);
  }

  /** Returns the content of a map. */
  Table<Datum> read(String name) {
    return tables.read(visible(name));
  }

  /** Returns the map of a probe. */
  MapLayout layout(AggregateProbe<?> probe) {
    return maps.layout(nameOf(probe));
  }

  /**
   * Returns the name of the map of a probe.
   *
   * @throws IllegalArgumentException if the probe is not part of the trace
   */
  String nameOf(AggregateProbe<?> probe) {
    String name = compiled.mapNames().get(probe);
    if (name == null) {
      throw new IllegalArgumentException("this probe is not part of the session");
    }
    return name;
  }

  /** Returns all maps that the author knows, as {@code read} reads them. */
  List<NamedTable> snapshot(Function<MapLayout, Table<Datum>> read) {
    return snapshot(visible(), read);
  }

  /** Returns the maps that the author knows and the sums kept beside distributions. */
  List<NamedTable> added(Function<MapLayout, Table<Datum>> read) {
    return snapshot(
        compiled.object().tables().stream()
            .filter(
                layout ->
                    !layout.symbol().isInternal() || HistogramSums.isSum(layout.symbol().name()))
            .toList(),
        read);
  }

  private static List<NamedTable> snapshot(
      List<MapLayout> layouts, Function<MapLayout, Table<Datum>> read) {
    return layouts.stream()
        .map(layout -> new NamedTable(layout.symbol().schema(), read.apply(layout)))
        .toList();
  }

  /** Returns all maps that the author knows. */
  List<MapLayout> visible() {
    return compiled.object().tables().stream()
        .filter(layout -> !layout.symbol().isInternal())
        .toList();
  }

  /**
   * Returns a map.
   *
   * @throws IllegalArgumentException if the trace has no such map
   */
  MapLayout visible(String name) {
    return visible().stream()
        .filter(layout -> layout.symbol().name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> {
              List<String> names =
                  visible().stream().map(layout -> layout.symbol().name()).toList();
              return new IllegalArgumentException(
                  "no map \"" + name + "\" in this trace, only " + names);
            });
  }
}
