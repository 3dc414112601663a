package dev.ply.kernel.load;

import static dev.ply.kernel.Live.key;
import static dev.ply.kernel.Live.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.FixedContent;
import dev.ply.bpf.object.MapType;
import dev.ply.kernel.Live;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.name.Errno;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("live")
@Tag("oldest")
final class LoadedMapIT {
  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @EnumSource(MapType.class)
  void everyTypeCanBeCreated(MapType type) {
    BpfMap map =
        switch (type) {
          case HASH, PERCPU_HASH, ARRAY, PERCPU_ARRAY -> new BpfMap("some map!", type, 4, 8, 16);
          case LRU_HASH, LRU_PERCPU_HASH -> new BpfMap("recent", type, 4, 8, 16);
          case PERF_EVENT_ARRAY -> new BpfMap("events", type, 4, 4, 2);
          case ARRAY_OF_MAPS -> BpfMap.ofMaps("maps", new BpfMap("in", MapType.ARRAY, 4, 8, 16), 2);
          case STACK_TRACE -> new BpfMap("stacks", type, 4, 127 * 8, 1024);
          case RINGBUF -> new BpfMap("ring", type, 0, 0, 4096);
        };
    try (LoadedMap loaded = LoadedMap.create(map)) {
      assertThat(loaded.descriptor()).isPositive();
      assertThat(loaded.maxEntries()).isEqualTo(map.maxEntries());
    }
  }

  @Test
  void aRefusalNamesTheMapAndTheReason() {
    KernelException refused =
        catchThrowableOfType(
            KernelException.class,
            () -> LoadedMap.create(new BpfMap("stats", MapType.HASH, 0, 8, 16)));
    assertThat(refused).hasMessage("bpf(MAP_CREATE) of map \"stats\": invalid argument");
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void contentThatIsFixedIsThereAndStays() {
    FixedContent texts = FixedContent.ofTexts("one", "two");
    try (LoadedMap map = LoadedMap.create(BpfMap.constants("texts", texts))) {
      byte[] found = new byte[8];
      map.lookup(key(0)).orElseThrow().get(0).get(0, found);
      assertThat(found).isEqualTo(texts.bytes());
      KernelException refused =
          catchThrowableOfType(KernelException.class, () -> map.update(key(0), value(1)));
      assertThat(refused.errno()).isEqualTo(Errno.EPERM);
    }
  }

  @Test
  void aHashTableKeepsWhatIsWritten() {
    try (LoadedMap map = LoadedMap.create(new BpfMap("table", MapType.HASH, 4, 8, 16))) {
      map.update(key(1), value(10));
      map.update(key(1), value(11));
      assertThat(map.lookup(key(1)).orElseThrow()).hasSize(1);
      assertThat(map.lookup(key(1)).orElseThrow().get(0).getLong(0)).isEqualTo(11);
      assertThat(map.lookup(key(2))).isEmpty();
      assertThat(map.delete(key(1))).isTrue();
      assertThat(map.delete(key(1))).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = MapType.class,
      names = {"HASH", "PERCPU_HASH"})
  void everyEntryOfALargeTableIsSeenOnceAndCleared(MapType type) {
    int entries = System.getProperty("ply.guest") == null ? 30_000 : 10_000;
    try (LoadedMap map = LoadedMap.create(new BpfMap("large", type, 4, 12, entries))) {
      for (int i = 0; i < entries; i++) {
        byte[] value = new byte[12];
        System.arraycopy(value(i * 3L), 0, value, 0, 8);
        map.update(key(i), value);
      }
      Map<Integer, Long> seen = new HashMap<>();
      map.forEach(
          (key, values) -> {
            assertThat(values)
                .hasSize(type.isPerCpu() ? CpuSet.possible().count() : 1)
                .allSatisfy(value -> assertThat(value.limit()).isEqualTo(12));
            Long other = seen.put(key.getInt(), values.get(values.size() - 1).getLong());
            assertThat(other).isNull();
          });
      assertThat(seen).hasSize(entries);
      seen.forEach((key, value) -> assertThat(value).isEqualTo(key * 3L));
      map.clear();
      assertThat(count(map)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = MapType.class,
      names = {"ARRAY", "PERCPU_ARRAY"})
  void anArrayHasAllItsEntriesAndClearsToZero(MapType type) {
    try (LoadedMap map = LoadedMap.create(new BpfMap("array", type, 4, 8, 1000))) {
      map.update(key(999), value(5));
      long[] sum = new long[1];
      map.forEach((key, values) -> values.forEach(value -> sum[0] += value.getLong(0)));
      assertThat(sum[0]).isEqualTo(5L * (type.isPerCpu() ? CpuSet.possible().count() : 1));
      map.clear();
      map.forEach((key, values) -> assertThat(values.get(0).getLong(0)).isZero());
      assertThat(count(map)).isEqualTo(1000);
    }
  }

  @Test
  void aFullTableSaysSo() {
    try (LoadedMap map = LoadedMap.create(new BpfMap("small", MapType.HASH, 4, 8, 1))) {
      map.update(key(1), value(1));
      assertThatThrownBy(() -> map.update(key(2), value(1)))
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("argument list too long");
    }
  }

  @Test
  void keysAndValuesOfAnotherSizeAreMisuse() {
    try (LoadedMap map = LoadedMap.create(new BpfMap("sizes", MapType.HASH, 4, 8, 1))) {
      assertThatThrownBy(() -> map.lookup(value(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("map \"sizes\" has keys of 4 bytes, not 8");
      assertThatThrownBy(() -> map.update(key(1), key(1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("map \"sizes\" has values of 8 bytes, not 4");
    }
  }

  @Test
  void aClosedMapIsNotUsedAnyMore() {
    LoadedMap map = LoadedMap.create(new BpfMap("closed", MapType.HASH, 4, 8, 1));
    map.close();
    map.close();
    assertThatThrownBy(() -> map.lookup(key(1))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(map::clear).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = MapType.class,
      names = {"HASH", "PERCPU_HASH", "ARRAY", "PERCPU_ARRAY"})
  void readingByKeyFindsWhatBatchesFind(MapType type) {
    try (LoadedMap map = LoadedMap.create(new BpfMap("both", type, 4, 8, 100))) {
      for (int i = 0; i < 100; i++) {
        map.update(key(i), value(i * 7L));
      }
      Map<Integer, Long> inBatches = new HashMap<>();
      Map<Integer, Long> byKey = new HashMap<>();
      map.forEach((key, values) -> inBatches.put(key.getInt(), values.get(0).getLong()));
      map.forEachByKey((key, values) -> byKey.put(key.getInt(), values.get(0).getLong()));
      assertThat(byKey).hasSize(100).isEqualTo(inBatches);
      if (type == MapType.HASH || type == MapType.PERCPU_HASH) {
        map.deleteByKey();
        assertThat(count(map)).isZero();
      }
    }
  }

  @Test
  void stackTracesAreReadByKeyAndCleared() {
    BpfMap stacks = new BpfMap("stacks", MapType.STACK_TRACE, 4, 127 * 8, 1024);
    try (LoadedMap map = LoadedMap.create(stacks)) {
      assertThat(count(map)).isZero();
      map.clear();
      assertThat(map.lookup(key(1))).isEmpty();
    }
  }

  private static int count(LoadedMap map) {
    int[] count = new int[1];
    map.forEach((key, values) -> count[0]++);
    return count[0];
  }
}
