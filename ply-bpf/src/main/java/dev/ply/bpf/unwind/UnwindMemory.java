package dev.ply.bpf.unwind;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * What {@link UnwindMaps} hold: the processes, and the tables that they have mapped, each once.
 * Where there is no more room, processes are dropped: those that {@code hasEnded} says of, then
 * those that were added longest ago. Little-endian. Not thread-safe.
 */
public final class UnwindMemory {
  private final UnwindSizes sizes;
  private final Writer writer;
  private final Map<Integer, Known> processes = new LinkedHashMap<>();
  private final IdentityHashMap<UnwindCode, Stored> tables = new IdentityHashMap<>();
  private final BitSet used = new BitSet();

  /** Chunks that programs may still read. */
  private final BitSet left = new BitSet();

  private long dropped;

  /** Writes to the maps. */
  public interface Writer {
    /** Writes a chunk, of at most {@link UnwindMaps#CHUNK_BYTES}, by its number. */
    void chunk(int number, byte[] content);

    /** Writes a value of {@link UnwindMaps#PROCESSES}. */
    void process(int process, byte[] value);

    /** Removes a process. */
    void remove(int process);
  }

  /** A table in memory, the chunks from {@code first}. */
  private record Stored(int first, int chunks, Set<Integer> users) {}

  /** The list of mappings of a process. */
  private record Known(int chunk, Set<UnwindCode> tables) {}

  /** Begins with empty maps. */
  public UnwindMemory(UnwindSizes sizes, Writer writer) {
    this.sizes = sizes;
    this.writer = writer;
  }

  /**
   * Adds a process, or replaces what is known of it. Of more mappings than fit, those at the lowest
   * addresses are kept; walks end at code whose table does not fit.
   *
   * @param stack where its stack begins, 0 if that is unknown
   * @param hasEnded whether a process that may be dropped has ended
   * @return whether there was room for all of it
   */
  public boolean add(int process, long stack, List<MappedCode> mappings, IntPredicate hasEnded) {
    Optional<Known> before = Optional.ofNullable(processes.remove(process));
    if (before.isEmpty() && processes.size() >= sizes.processes()) {
      dropOne(process, hasEnded);
    }
    OptionalInt list = allocate(1, process, hasEnded);
    if (list.isEmpty()) {
      before.ifPresent(old -> release(process, old, Set.of()));
      writer.remove(process);
      return false;
    }
    List<MappedCode> kept =
        mappings.stream()
            .sorted(Comparator.comparing(MappedCode::start, Long::compareUnsigned))
            .limit(UnwindMaps.MOST_MAPPINGS)
            .toList();
    Set<UnwindCode> mine = new HashSet<>();
    byte[] bytes = new byte[kept.size() * UnwindMaps.MAPPING_SIZE];
    ByteBuffer content = littleEndian(bytes);
    boolean isComplete = kept.size() == mappings.size();
    for (MappedCode code : kept) {
      Optional<? extends UnwindCode> rules = code.rules();
      Optional<Stored> stored =
          rules.filter(some -> some.size() > 0).flatMap(some -> stored(some, process, hasEnded));
      stored.ifPresent(unused -> mine.add(rules.orElseThrow()));
      isComplete &= stored.isPresent() || rules.isEmpty();
      content
          .putLong(code.start())
          .putLong(code.end())
          .putLong(code.base())
          .putInt(stored.map(at -> at.first() * UnwindMaps.CHUNK_ROWS).orElse(0))
          .putInt(count(rules, stored.isPresent()));
    }
    writer.chunk(list.getAsInt(), bytes);
    byte[] value = new byte[UnwindMaps.PROCESS_SIZE];
    littleEndian(value).putInt(list.getAsInt()).putInt(kept.size()).putLong(stack);
    writer.process(process, value);
    processes.put(process, new Known(list.getAsInt(), mine));
    before.ifPresent(old -> release(process, old, mine));
    return isComplete;
  }

  private static int count(Optional<? extends UnwindCode> rules, boolean areStored) {
    if (rules.isEmpty()) {
      return 0;
    }
    if (!areStored) {
      return UnwindMaps.NO_TABLE;
    }
    return rules.get() instanceof HotSpotCode ? UnwindMaps.HOT_SPOT : rules.get().size();
  }

  /** Returns whether a process is known. */
  public boolean has(int process) {
    return processes.containsKey(process);
  }

  /** Returns the processes that are known. */
  public List<Integer> processes() {
    return List.copyOf(processes.keySet());
  }

  /** Forgets a process. */
  public void remove(int process) {
    Known known = processes.remove(process);
    if (known != null) {
      writer.remove(process);
      release(process, known, Set.of());
    }
  }

  /** Returns how many processes were dropped to make room. */
  public long dropped() {
    return dropped;
  }

  /** Returns the memory in use, in bytes. */
  public long bytes() {
    return (long) used.cardinality() * UnwindMaps.CHUNK_BYTES;
  }

  /**
   * Makes the memory available that was left before: call it when all programs that ran then have
   * ended.
   */
  public void reuse() {
    used.andNot(left);
    left.clear();
  }

  private Optional<Stored> stored(UnwindCode table, int process, IntPredicate hasEnded) {
    Stored known = tables.get(table);
    if (known != null) {
      known.users().add(process);
      return Optional.of(known);
    }
    int chunks = (table.size() + UnwindMaps.CHUNK_ROWS - 1) / UnwindMaps.CHUNK_ROWS;
    OptionalInt first =
        table.size() > UnwindMaps.MOST_ROWS
            ? OptionalInt.empty()
            : allocate(chunks, process, hasEnded);
    if (first.isEmpty()) {
      return Optional.empty();
    }
    for (int i = 0; i < chunks; i++) {
      int from = i * UnwindMaps.CHUNK_ROWS;
      int to = Math.min(table.size(), from + UnwindMaps.CHUNK_ROWS);
      byte[] bytes = new byte[(to - from) * Long.BYTES];
      ByteBuffer rows = littleEndian(bytes);
      for (int row = from; row < to; row++) {
        rows.putLong(table.row(row));
      }
      writer.chunk(first.getAsInt() + i, bytes);
    }
    Stored added = new Stored(first.getAsInt(), chunks, new HashSet<>(Set.of(process)));
    tables.put(table, added);
    return Optional.of(added);
  }

  private OptionalInt allocate(int chunks, int process, IntPredicate hasEnded) {
    int limit = sizes.slabs() * UnwindMaps.SLAB_CHUNKS;
    while (true) {
      for (int at = used.nextClearBit(0); at + chunks <= limit; ) {
        int end = used.nextSetBit(at);
        if (end < 0 || end - at >= chunks) {
          used.set(at, at + chunks);
          return OptionalInt.of(at);
        }
        at = used.nextClearBit(end);
      }
      if (!dropOne(process, hasEnded)) {
        return OptionalInt.empty();
      }
    }
  }

  private boolean dropOne(int except, IntPredicate hasEnded) {
    List<Integer> others = new ArrayList<>(processes.keySet());
    others.remove((Integer) except);
    Optional<Integer> ended = others.stream().filter(hasEnded::test).findFirst();
    Optional<Integer> chosen = ended.or(() -> others.stream().findFirst());
    if (chosen.isEmpty()) {
      return false;
    }
    remove(chosen.get());
    dropped += ended.isPresent() ? 0 : 1;
    // A program that reads it just now gets a wrong stack at most: of a process that was dropped.
    reuse();
    return true;
  }

  private void release(int process, Known known, Set<UnwindCode> except) {
    left.set(known.chunk());
    for (UnwindCode table : known.tables()) {
      Stored stored = tables.get(table);
      if (stored != null && !except.contains(table)) {
        stored.users().remove(process);
        if (stored.users().isEmpty()) {
          tables.remove(table);
          left.set(stored.first(), stored.first() + stored.chunks());
        }
      }
    }
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
