package dev.ply.bpf.table;

import dev.ply.analysis.typing.MapContent;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.object.MapLayout;
import dev.ply.table.Datum;
import dev.ply.table.Table;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The script's maps as printed, cleared and zeroed by events: clearing after printing clears what
 * was printed, and updates in between are kept.
 */
public final class ShownMaps {
  private final BpfObject object;
  private final Machine machine;
  private final TableReader tables;
  private final StackUse stackUse;
  private final PrintTime time;
  private final Set<Integer> sitesBeforeClear = new HashSet<>();

  /** Snapshots of printed maps that are cleared next. For the event thread. */
  private final Map<Shown, Accumulators.Totals> shown = new HashMap<>();

  private record Shown(int site, String map) {}

  /** Reads the maps of an object from a machine that has loaded them. */
  public ShownMaps(
      BpfObject object, Machine machine, TableReader tables, StackUse stackUse, PrintTime time) {
    this.stackUse = stackUse;
    this.time = time;
    this.object = object;
    this.machine = machine;
    this.tables = tables;
    object.events().stream()
        .flatMapToInt(site -> shownBefore(site).stream())
        .forEach(sitesBeforeClear::add);
  }

  private static OptionalInt shownBefore(EventSite site) {
    if (site instanceof EventSite.Clear clear) {
      return clear.shownBy();
    }
    return site instanceof EventSite.Zero zero ? zero.shownBy() : OptionalInt.empty();
  }

  /**
   * Returns the layout of a map.
   *
   * @throws java.util.NoSuchElementException if the script has no map of this name
   */
  public MapLayout layout(String name) {
    return object.tables().stream()
        .filter(table -> table.symbol().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns a map for a site that prints it.
   *
   * @throws PrintTime.TimeIsUp if there is no time for it
   */
  public Table<Datum> show(EventSite site, String name) {
    time.check();
    MapLayout layout = layout(name);
    if (!sitesBeforeClear.contains(site.id())
        || layout.symbol().content() instanceof MapContent.Plain) {
      return tables.read(layout, time::check);
    }
    Accumulators.Totals totals = tables.collected(layout).totals();
    shown.put(new Shown(site.id(), name), totals);
    return tables.read(layout, totals);
  }

  /** Clears a map; if a site has just printed it, what was printed. */
  public void clear(String name, OptionalInt shownBy) {
    MapLayout layout = layout(name);
    if (layout.symbol().content() instanceof MapContent.Plain) {
      new TableEntries(machine, layout).clear();
    } else {
      tables.clear(layout, justShown(name, shownBy));
    }
    stackUse.forgetOthers();
  }

  /** Sets the values of a map to zero; if a site has just printed it, what was printed. */
  public void zero(String name, OptionalInt shownBy) {
    MapLayout layout = layout(name);
    if (layout.symbol().content() instanceof MapContent.Plain) {
      new TableEntries(machine, layout).zero();
      return;
    }
    tables.zero(layout, justShown(name, shownBy));
  }

  private Optional<Accumulators.Totals> justShown(String name, OptionalInt shownBy) {
    return shownBy.isPresent()
        ? Optional.ofNullable(shown.remove(new Shown(shownBy.getAsInt(), name)))
        : Optional.empty();
  }
}
