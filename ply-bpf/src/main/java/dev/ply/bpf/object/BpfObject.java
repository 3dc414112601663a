package dev.ply.bpf.object;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A compiled script: pure data, the same on every machine for the same target facts.
 *
 * @param programs in the order of the script
 * @param maps all maps the programs name, internal ones too
 * @param tables the script's own maps, in the order they first appear
 * @param events the places that send records, by number
 * @param probeNames the definitions of places where programs run, by the numbers that they have for
 *     {@code probe}; empty if no program asks
 * @param stacks the shapes of stack traces that programs take, by number
 */
public record BpfObject(
    List<ProbeProgram> programs,
    List<BpfMap> maps,
    List<MapLayout> tables,
    List<EventSite> events,
    Map<Integer, String> probeNames,
    List<StackTraces> stacks) {
  /** The ring buffer for events, if there are any. */
  public static final String EVENTS = ":events";

  /** The processes whose stack traces were taken. */
  public static final String PROCESSES = ":processes";

  /**
   * An array whose one value is made of counters of 8 bytes: lost events, failed map updates, stack
   * traces that were not stored.
   */
  public static final String LOSSES = ":losses";

  /** Per-CPU memory for values too big for the stack. */
  public static final String SCRATCH = ":scratch";

  /** An array whose one value stays all zeroes. */
  public static final String ZEROES = ":zeroes";

  public BpfObject {
    programs = List.copyOf(programs);
    maps = List.copyOf(maps);
    tables = List.copyOf(tables);
    events = List.copyOf(events);
    probeNames = Map.copyOf(probeNames);
    stacks = List.copyOf(stacks);
  }

  /** Returns the map of that name, if there is one. */
  public Optional<BpfMap> map(String name) {
    return maps.stream().filter(map -> map.name().equals(name)).findFirst();
  }
}
