package dev.ply.bpf.unwind;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Whatever is added and removed, what programs find is what was added. */
class UnwindMemoryTest {
  private static final UnwindSizes SMALL = new UnwindSizes(4, 1);

  /** What the maps hold. */
  private static final class Maps implements UnwindMemory.Writer {
    private final Map<Integer, byte[]> chunks = new HashMap<>();
    private final Map<Integer, byte[]> processes = new HashMap<>();

    @Override
    public void chunk(int number, byte[] content) {
      chunks.put(number, content);
    }

    @Override
    public void process(int process, byte[] value) {
      processes.put(process, value);
    }

    @Override
    public void remove(int process) {
      processes.remove(process);
    }

    ByteBuffer mappings(int process) {
      return buffer(chunks, buffer(processes, process).getInt(UnwindMaps.MAPPINGS));
    }

    int count(int process) {
      return buffer(processes, process).getInt(UnwindMaps.MAPPING_COUNT);
    }

    long row(long number) {
      int chunk = (int) (number / UnwindMaps.CHUNK_ROWS);
      return buffer(chunks, chunk).getLong((int) (number % UnwindMaps.CHUNK_ROWS) * Long.BYTES);
    }

    private static ByteBuffer buffer(Map<Integer, byte[]> values, int key) {
      return ByteBuffer.wrap(Objects.requireNonNull(values.get(key)))
          .order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** A process that maps some of the tables, or none where it is removed. */
  private record Change(int process, List<Integer> tables) {}

  private static UnwindTable table(int number) {
    int rows = 1 + number * 7_001;
    long[] content = IntStream.range(0, rows).mapToLong(i -> (long) number << 32 | i).toArray();
    return UnwindTable.of(number, content, rows);
  }

  @Provide
  Arbitrary<List<Change>> changes() {
    Arbitrary<List<Integer>> tables = Arbitraries.integers().between(0, 40).list().ofMaxSize(4);
    return Combinators.combine(Arbitraries.integers().between(1, 8), tables)
        .as(Change::new)
        .list()
        .ofMaxSize(30);
  }

  @Property(tries = 60)
  void programsFindWhatWasAdded(@ForAll("changes") List<Change> changes) {
    Map<Integer, UnwindTable> tables = new HashMap<>();
    Maps maps = new Maps();
    UnwindMemory memory = new UnwindMemory(SMALL, maps);
    Map<Integer, List<MappedCode>> added = new HashMap<>();
    for (Change change : changes) {
      if (change.tables().isEmpty()) {
        memory.remove(change.process());
        continue;
      }
      List<MappedCode> mappings = new ArrayList<>();
      for (int number : change.tables()) {
        long start = 0x1000L * (mappings.size() + 1);
        UnwindTable table = tables.computeIfAbsent(number, UnwindMemoryTest::table);
        mappings.add(new MappedCode(start, start + 0x1000, number, Optional.of(table)));
      }
      added.put(change.process(), mappings);
      boolean unused = memory.add(change.process(), 7, mappings, other -> other % 2 == 0);
    }
    assertThat(maps.processes.keySet()).containsExactlyInAnyOrderElementsOf(memory.processes());
    for (int process : memory.processes()) {
      List<MappedCode> mappings = Objects.requireNonNull(added.get(process));
      assertThat(maps.count(process)).isEqualTo(mappings.size());
      checkMappings(maps, process, mappings);
    }
  }

  private static void checkMappings(Maps maps, int process, List<MappedCode> mappings) {
    ByteBuffer list = maps.mappings(process);
    for (int i = 0; i < mappings.size(); i++) {
      int at = i * UnwindMaps.MAPPING_SIZE;
      UnwindTable table = (UnwindTable) mappings.get(i).rules().orElseThrow();
      assertThat(list.getLong(at + UnwindMaps.START)).isEqualTo(mappings.get(i).start());
      int rows = list.getInt(at + UnwindMaps.COUNT);
      // Where there was no room, walks end.
      assertThat(rows).isIn(UnwindMaps.NO_TABLE, table.size());
      long first = Integer.toUnsignedLong(list.getInt(at + UnwindMaps.FIRST));
      for (int row = 0; row < rows; row += 1 + rows / 5) {
        assertThat(maps.row(first + row)).isEqualTo(table.row(row));
      }
    }
  }

  @Test
  void processesShareTheTablesOfFiles() {
    UnwindMemory memory = new UnwindMemory(SMALL, new Maps());
    List<MappedCode> mappings = List.of(new MappedCode(0x1000, 0x2000, 0, Optional.of(table(10))));
    assertThat(memory.add(1, 0, mappings, other -> false)).isTrue();
    long one = memory.bytes();
    assertThat(memory.add(2, 0, mappings, other -> false)).isTrue();
    assertThat(memory.bytes()).isEqualTo(one + UnwindMaps.CHUNK_BYTES);
    memory.remove(1);
    memory.remove(2);
    memory.reuse();
    assertThat(memory.bytes()).isZero();
  }

  @Test
  void thoseThatHaveEndedAreDroppedFirst() {
    UnwindMemory memory = new UnwindMemory(SMALL, new Maps());
    for (int process = 1; process <= 6; process++) {
      boolean unused = memory.add(process, 0, List.of(), other -> other == 3);
    }
    assertThat(memory.processes()).containsExactly(2, 4, 5, 6);
    assertThat(memory.dropped()).isEqualTo(1);
  }
}
