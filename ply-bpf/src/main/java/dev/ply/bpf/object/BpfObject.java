package dev.ply.bpf.object;

import dev.ply.analysis.typing.MapSymbol;
import dev.ply.result.EventShape;
import dev.ply.result.Loss;
import dev.ply.table.TableSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A compiled script: pure data, the same on every machine with the same target facts.
 *
 * @param programs in script order
 * @param maps all maps that programs use, including internal ones
 * @param tables the script's own maps, in order of first appearance
 * @param events the event sites, by number
 * @param hasManyEvents whether there are records that do not wake their reader, which has to poll
 * @param probeNames the definitions of probe sites, by their numbers for {@code probe}; empty if
 *     unused
 * @param stacks the shapes of stack traces, by number
 * @param unwound the processes whose unwind tables are needed from the first hit, as the script
 *     selects them by their PID
 */
public record BpfObject(
    List<ProbeProgram> programs,
    List<BpfMap> maps,
    List<MapLayout> tables,
    List<EventSite> events,
    boolean hasManyEvents,
    Map<Integer, String> probeNames,
    List<StackTraces> stacks,
    Set<Integer> unwound) {
  /** The ring buffer for events. */
  public static final String EVENTS = ":events";

  /** The processes whose user stacks were recorded. */
  public static final String PROCESSES = ":processes";

  /** An array with one value of 8-byte counters, those of {@link #COUNTED_LOSSES}. */
  public static final String LOSSES = ":losses";

  /** The counters in {@link #LOSSES}, 64 bits each, in order. */
  public static final List<Loss> COUNTED_LOSSES =
      List.of(Loss.EVENTS, Loss.UPDATES, Loss.STACKS, Loss.LOOPS, Loss.SIGNALS, Loss.CUT_STACKS);

  /**
   * An array with one value: of each {@link EventSite.Failure} a {@link EventSite.Failure#COUNTER},
   * in their order.
   */
  public static final String ERRORS = ":errors";

  /** An array with one number: how many hits each chosen one stands for; 0 or 1 for all hits. */
  public static final String SAMPLING = ":sampling";

  /**
   * An array with one value: of each CPU, the hits that are left out before the next chosen one.
   */
  public static final String SKIPPED = ":skipped";

  /** The bytes of a CPU in {@link #SKIPPED}: a cache line. */
  public static final int SKIPPED_EACH = 64;

  /** A perf event of each CPU, for packets. */
  public static final String PACKETS = ":packets";

  /** Per-CPU memory for values that do not fit the stack. */
  public static final String SCRATCH = ":scratch";

  /** An array with one value of zeroes. */
  public static final String ZEROES = ":zeroes";

  /** Copies the lists and maps. */
  public BpfObject {
    programs = List.copyOf(programs);
    maps = List.copyOf(maps);
    tables = List.copyOf(tables);
    events = List.copyOf(events);
    probeNames = Map.copyOf(probeNames);
    stacks = List.copyOf(stacks);
    unwound = Set.copyOf(unwound);
  }

  /** {@return what is known about the maps that the author of the script knows} */
  public List<TableSchema> schemas() {
    return tables.stream()
        .map(MapLayout::symbol)
        .filter(symbol -> !symbol.isInternal())
        .map(MapSymbol::schema)
        .toList();
  }

  /** {@return what is known about the events of each call that sends some} */
  public List<EventShape> shapes() {
    return events.stream().flatMap(site -> site.shape().stream()).toList();
  }

  /**
   * {@return the map of this name}
   *
   * @param name of a map of this object
   */
  public Optional<BpfMap> map(String name) {
    return maps.stream().filter(map -> map.name().equals(name)).findFirst();
  }
}
