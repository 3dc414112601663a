package dev.ply.bpf.codegen.storage;

import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.bpf.cfg.MapSizes;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.object.FailureCause;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.object.StackTraces;
import dev.ply.bpf.plan.ContentionAnalysis;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.bpf.plan.SamplingPlan;
import dev.ply.bpf.unwind.UnwindMaps;
import dev.ply.builtin.StackShape;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

/** Collects what the programs of a script need: its maps, internal maps, event sites. */
public final class ObjectBuilder {
  /** The maximum number of frames of a user stack: the kernel's own limit. */
  private static final int USER_STACK_DEPTH = 127;

  /**
   * The maximum number of processes known to have been announced; others are announced with every
   * stack.
   */
  private static final int PROCESSES = 1 << 12;

  /**
   * The ring buffer's size in bytes for scripts with few events: larger ones take time to allocate.
   */
  private static final int FEW_EVENTS = 1 << 18;

  /** The largest CONFIG_NR_CPUS of kernels. */
  private static final int MOST_CPUS = 8192;

  private int instructions;
  private final CompilerOptions options;
  private final Set<String> contended;
  private final List<MapLayout> tables = new ArrayList<>();
  private final List<EventSite> events = new ArrayList<>();
  private final boolean allocatesEntries;
  private final SamplingPlan sampling;
  private final int processors;
  private boolean hasManyEvents;
  private final List<StackTraces> stacks = new ArrayList<>();
  private boolean countsLosses;
  private boolean hasPackets;
  private boolean unwinds;
  private final Set<Integer> unwound = new TreeSet<>();
  private int zeroes;
  private int scratch;

  /** For each set of programs of which none interrupts another, the entries of the scratch map. */
  private final Map<Object, Integer> scratchEntries = new HashMap<>();

  /** Starts an object of these programs. */
  public ObjectBuilder(
      AnalyzedScript script, CompilerOptions options, List<PlannedProgram> programs) {
    this.options = options;
    this.sampling = options.samples() ? SamplingPlan.of(script) : SamplingPlan.NONE;
    int slots = script.target().processorSlots().orElse(MOST_CPUS);
    this.processors = Integer.highestOneBit(slots * 2 - 1);
    this.allocatesEntries = script.target().attachFeatures().allocatesEntries();
    this.contended =
        options.sharesMaps()
            ? ContentionAnalysis.updated(programs)
            : ContentionAnalysis.contended(programs);
    KnownKeys keys = new KnownKeys(script, programs);
    TableStorage storage = new TableStorage(options, script.target().processorSlots().orElse(0));
    List<MapLayout> own = new ArrayList<>();
    for (MapSymbol symbol : script.maps()) {
      own.add(storage.of(symbol, keys.of(symbol)));
    }
    tables.addAll(SharedMaps.of(own));
  }

  /** Returns the layout of a map of the script. */
  public MapLayout table(String name) {
    for (MapLayout table : tables) {
      if (table.symbol().name().equals(name)) {
        return table;
      }
    }
    throw new NoSuchElementException(name);
  }

  /**
   * Returns whether an accumulator of the map can be updated by two programs at a time: one that
   * interrupts the other, or is on another CPU.
   */
  public boolean isContended(String map) {
    return contended.contains(map) || isShared(table(map));
  }

  /** Returns whether all CPUs share an aggregation's accumulators. */
  private static boolean isShared(MapLayout table) {
    return table.symbol().valuesAreObserved()
        && !table.map().type().isPerCpu()
        && table.map().slots() == 1;
  }

  /** Returns what happens to the hits of a clause while the trace is sampled. */
  public SamplingPlan.Role role(Clause clause) {
    return sampling.role(clause);
  }

  /** Returns the name of the array with the number of hits that each chosen one stands for. */
  public String sampling() {
    return BpfObject.SAMPLING;
  }

  /** Returns the name of the array with each CPU's count of hits before the next chosen one. */
  public String skipped() {
    return BpfObject.SKIPPED;
  }

  /** Returns a power of two that is larger than all numbers of CPUs. */
  public int processors() {
    return processors;
  }

  /** Returns the options of this compilation. */
  public CompilerOptions options() {
    return options;
  }

  /** Returns the sizes of a map; internal ones have integer keys. */
  public Optional<MapSizes> sizes(String name) {
    for (MapLayout table : tables) {
      BpfMap map = table.stored();
      if (map.name().equals(name)) {
        return Optional.of(new MapSizes(map.keySize(), map.valueSize()));
      }
    }
    return Optional.of(new MapSizes(Integer.BYTES, 0));
  }

  /** Adds an event site under the next number. */
  public EventSite addEvent(IntFunction<EventSite> site) {
    EventSite event = site.apply(events.size());
    events.add(event);
    return event;
  }

  /** Adds a program's instructions to those of the others, and returns how many there are. */
  public int instructions(int added) {
    instructions += added;
    return instructions;
  }

  /** Returns the number of event sites, for {@link #forgetEvents}. */
  public int eventCount() {
    return events.size();
  }

  /** Drops the event sites from number {@code count} on, as their program is compiled again. */
  public void forgetEvents(int count) {
    events.subList(count, events.size()).clear();
  }

  /** Returns the name of the ring buffer. */
  public String events() {
    return BpfObject.EVENTS;
  }

  /** Records that there can be many events, and returns the size of the ring buffer for them. */
  public int manyEvents() {
    hasManyEvents = true;
    return options.ringBufferBytes();
  }

  /** Returns the name of the map of loss counters. */
  public String losses() {
    countsLosses = true;
    return BpfObject.LOSSES;
  }

  /** Adds a site of errors under the next number, and returns the offset of its counter. */
  public ErrorSite addError(FailureCause cause, SourceSpan span) {
    int counter = failures() * EventSite.Failure.COUNTER;
    return new ErrorSite(addEvent(id -> new EventSite.Failure(id, cause, span)), counter);
  }

  /**
   * A site of errors.
   *
   * @param counter the offset of its counter in {@link BpfObject#ERRORS}
   */
  public record ErrorSite(EventSite site, int counter) {}

  private int failures() {
    return (int) events.stream().filter(EventSite.Failure.class::isInstance).count();
  }

  /** Returns the name of the map of perf events for packets. */
  public String packets() {
    hasPackets = true;
    return BpfObject.PACKETS;
  }

  /** Returns the maximum number of frames of stacks without a depth of their own. */
  public int usualDepth(boolean ofUser) {
    return ofUser ? USER_STACK_DEPTH : options.stackDepth();
  }

  /** Returns the map for stack traces of a shape. */
  public StackTraces stacks(boolean ofUser, StackShape shape) {
    int usual = usualDepth(ofUser);
    int depth = shape.depth().orElse(usual);
    String map = (ofUser ? ":ustacks" : ":stacks") + (depth == usual ? "" : "." + depth);
    return stacks.stream()
        .filter(known -> known.map().equals(map) && known.mode() == shape.mode())
        .findFirst()
        .orElseGet(
            () -> {
              int others = (int) stacks.stream().filter(t -> t.isOfUser() == ofUser).count();
              StackTraces traces = new StackTraces(others, ofUser, depth, shape.mode(), map);
              stacks.add(traces);
              return traces;
            });
  }

  /**
   * Adds the maps of unwind tables.
   *
   * @param selected the PIDs by which a clause selects processes
   */
  public void unwinding(Set<Integer> selected) {
    unwinds = true;
    unwound.addAll(selected);
  }

  /** Returns the event site that announces processes whose stacks are recorded. */
  public EventSite processes(StructType layout) {
    return events.stream()
        .filter(EventSite.NewProcess.class::isInstance)
        .findFirst()
        .orElseGet(() -> addEvent(id -> new EventSite.NewProcess(id, layout)));
  }

  /** Returns the event site that announces processes whose unwind tables are missing. */
  public EventSite missingTables() {
    StructType layout = StructType.ofKeyParts(List.of(IntType.U32));
    return events.stream()
        .filter(EventSite.MissingTables.class::isInstance)
        .findFirst()
        .orElseGet(() -> addEvent(id -> new EventSite.MissingTables(id, layout)));
  }

  /** Returns the name of a map of at least {@code size} zero bytes. */
  public String zeroes(int size) {
    zeroes = Math.max(zeroes, size);
    return BpfObject.ZEROES;
  }

  /** Ensures that the scratch map's values have at least {@code size} bytes. */
  public void needScratch(int size) {
    scratch = Math.max(scratch, size);
  }

  /**
   * Returns the entry of the scratch map that a program can use: nobody else does meanwhile.
   *
   * @param number of several such entries, from 0
   */
  public int scratchEntry(PlannedProgram program, int number) {
    Object sharing = List.of(ContentionAnalysis.sharing(program), number);
    return scratchEntries.computeIfAbsent(sharing, unused -> scratchEntries.size());
  }

  /** Returns the finished object. */
  public BpfObject build(List<ProbeProgram> programs, Map<Integer, String> probeNames) {
    Set<BpfMap> stored = new LinkedHashSet<>();
    tables.forEach(table -> stored.add(table.stored()));
    List<BpfMap> maps = new ArrayList<>(stored);
    if (!events.isEmpty()) {
      int bytes =
          Math.min(options.ringBufferBytes(), hasManyEvents ? Integer.MAX_VALUE : FEW_EVENTS);
      maps.add(new BpfMap(BpfObject.EVENTS, MapType.RINGBUF, 0, 0, bytes));
    }
    if (countsLosses) {
      int bytes = BpfObject.COUNTED_LOSSES.size() * Long.BYTES;
      maps.add(new BpfMap(BpfObject.LOSSES, MapType.ARRAY, Integer.BYTES, bytes, 1));
    }
    if (sampling.samples()) {
      maps.add(new BpfMap(BpfObject.SAMPLING, MapType.ARRAY, Integer.BYTES, Long.BYTES, 1));
      int counts = processors * BpfObject.SKIPPED_EACH;
      maps.add(new BpfMap(BpfObject.SKIPPED, MapType.ARRAY, Integer.BYTES, counts, 1));
    }
    if (hasPackets) {
      maps.add(new BpfMap(BpfObject.PACKETS, MapType.PERF_EVENT_ARRAY, 4, 4, MOST_CPUS));
    }
    if (failures() > 0) {
      int bytes = failures() * EventSite.Failure.COUNTER;
      maps.add(new BpfMap(BpfObject.ERRORS, MapType.ARRAY, Integer.BYTES, bytes, 1));
    }
    Set<BpfMap> traces = new LinkedHashSet<>();
    boolean ofUser = false;
    for (StackTraces kind : stacks) {
      traces.add(kind.definition(options.mapEntries(), allocatesEntries));
      ofUser |= kind.isOfUser();
    }
    maps.addAll(traces);
    if (ofUser) {
      maps.add(new BpfMap(BpfObject.PROCESSES, MapType.HASH, 4, 4, PROCESSES));
    }
    options
        .unwinding()
        .filter(sizes -> unwinds)
        .ifPresent(
            sizes -> {
              maps.add(UnwindMaps.processes(sizes));
              maps.add(UnwindMaps.memory(sizes));
              maps.add(UnwindMaps.wanted());
            });
    if (zeroes > 0) {
      maps.add(new BpfMap(BpfObject.ZEROES, MapType.ARRAY, 4, zeroes, 1));
    }
    if (scratch > 0) {
      maps.add(
          new BpfMap(BpfObject.SCRATCH, MapType.PERCPU_ARRAY, 4, scratch, scratchEntries.size()));
    }
    return new BpfObject(
        programs, maps, tables, events, hasManyEvents, probeNames, stacks, unwound);
  }
}
