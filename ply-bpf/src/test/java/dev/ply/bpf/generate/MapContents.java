package dev.ply.bpf.generate;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.BaseEncoding;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.vm.VirtualMachine;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/**
 * What a hash or array map holds when a program begins, or when it has ended.
 *
 * @param map the map
 * @param entries values by key, one for each CPU in per-CPU maps; of arrays those that are not zero
 */
public record MapContents(BpfMap map, ImmutableMap<ByteBuffer, List<ByteBuffer>> entries) {
  /**
   * Returns contents of a map on a machine with so many CPUs: as many entries as there is room for,
   * or fewer, their keys and values the {@link Numbers} that programs like as well.
   *
   * @throws IllegalArgumentException if the map has no entries that can be written
   */
  public static Arbitrary<MapContents> of(BpfMap map, int cpus) {
    boolean isArray =
        switch (map.type()) {
          case ARRAY, PERCPU_ARRAY -> true;
          case HASH, PERCPU_HASH, LRU_HASH, LRU_PERCPU_HASH -> false;
          case RINGBUF, STACK_TRACE, PERF_EVENT_ARRAY, ARRAY_OF_MAPS ->
              throw new IllegalArgumentException("nobody writes entries of " + map);
        };
    Arbitrary<ByteBuffer> keys =
        isArray
            ? Arbitraries.integers().between(0, map.maxEntries() - 1).map(MapContents::index)
            : bytes(map.keySize());
    Arbitrary<List<ByteBuffer>> values =
        bytes(map.valueSize()).list().ofSize(map.type().isPerCpu() ? cpus : 1);
    return Arbitraries.maps(keys, values)
        .ofMaxSize(map.maxEntries())
        .map(entries -> new MapContents(map, ImmutableMap.copyOf(entries)));
  }

  /** Returns what a machine's map holds. */
  public static MapContents of(BpfMap map, VirtualMachine machine) {
    Map<ByteBuffer, List<ByteBuffer>> entries = new LinkedHashMap<>();
    machine
        .map(map.name())
        .forEach(
            (key, values) ->
                entries.put(ByteBuffer.wrap(key), values.stream().map(ByteBuffer::wrap).toList()));
    return of(map, entries);
  }

  /** Returns contents read from a map, of which the buffers are copied. */
  public static MapContents of(BpfMap map, Map<ByteBuffer, List<ByteBuffer>> entries) {
    ImmutableMap.Builder<ByteBuffer, List<ByteBuffer>> kept = ImmutableMap.builder();
    entries.forEach(
        (key, values) -> {
          if (map.type() == MapType.HASH
              || map.type() == MapType.PERCPU_HASH
              || !values.stream().allMatch(MapContents::isZero)) {
            kept.put(copy(key), values.stream().map(MapContents::copy).toList());
          }
        });
    return new MapContents(map, kept.buildOrThrow());
  }

  /** Puts the entries into a machine's map. */
  public void putInto(VirtualMachine machine) {
    entries.forEach(
        (key, values) ->
            machine
                .map(map.name())
                .update(array(key), values.stream().map(MapContents::array).toList()));
  }

  /** Returns the bytes of a key or a value. */
  public static byte[] array(ByteBuffer bytes) {
    byte[] array = new byte[bytes.capacity()];
    bytes.get(0, array);
    return array;
  }

  /** Returns pieces of memory of one size, made of {@link Numbers}. */
  public static Arbitrary<ByteBuffer> bytes(int size) {
    int words = (size + Long.BYTES - 1) / Long.BYTES;
    return Numbers.longs()
        .list()
        .ofSize(words)
        .map(
            numbers -> {
              ByteBuffer whole =
                  ByteBuffer.allocate(words * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
              numbers.forEach(whole::putLong);
              return whole.slice(0, size);
            });
  }

  private static ByteBuffer index(int index) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(0, index);
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.wrap(array(bytes));
  }

  private static boolean isZero(ByteBuffer bytes) {
    for (byte each : array(bytes)) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return entries.entrySet().stream()
        .map(entry -> hex(entry.getKey()) + ": " + hexes(entry.getValue()))
        .sorted()
        .collect(Collectors.joining(", ", map.name() + " {", "}"));
  }

  private static String hexes(List<ByteBuffer> values) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(hex(value)));
    return String.join(" ", texts);
  }

  private static String hex(ByteBuffer bytes) {
    return BaseEncoding.base16().lowerCase().encode(array(bytes));
  }
}
