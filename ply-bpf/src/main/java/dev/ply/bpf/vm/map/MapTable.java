package dev.ply.bpf.vm.map;

import static dev.ply.bpf.vm.memory.VmFault.Kind.BAD_ARGUMENT;
import static dev.ply.bpf.vm.memory.VmFault.Kind.MALFORMED;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.vm.memory.MachineMemory;
import dev.ply.bpf.vm.memory.Region;
import dev.ply.bpf.vm.memory.VmFault;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The maps of a machine, by name and by address. */
public final class MapTable {
  private final Map<String, Store> stores = new LinkedHashMap<>();
  private final Map<String, Long> addresses = new HashMap<>();
  private final Map<Long, Store> byAddress = new HashMap<>();

  /** Creates a table without maps. */
  public MapTable() {}

  /** Creates maps, except for those that are shared with another table of the same memory. */
  public MapTable(List<BpfMap> maps, int cpus, MachineMemory memory, MapTable shared) {
    for (BpfMap map : maps) {
      Store known = shared.stores.get(map.name());
      Store store = known == null ? create(map, cpus, memory) : known;
      if (stores.put(map.name(), store) != null) {
        throw new IllegalArgumentException("duplicate map " + map.name());
      }
      addresses.put(map.name(), place(store, memory));
    }
  }

  private long place(Store store, MachineMemory memory) {
    long address = memory.map(Region.Kind.MAP, store.map().name(), new byte[0]).address();
    byAddress.put(address, store);
    return address;
  }

  /** Creates a map in an array of maps, and returns it. */
  public MapStore insert(String outer, int index, int cpus, MachineMemory memory) {
    MapOfMapsStore array = named(MapOfMapsStore.class, outer);
    BpfMap inner = array.map().inner().orElseThrow();
    if (!(create(inner, cpus, memory) instanceof MapStore store)) {
      throw new IllegalArgumentException("the maps in " + outer + " are no tables: " + inner);
    }
    array.put(index, place(store, memory));
    return store;
  }

  /** Returns the array of maps at an address, if one is there. */
  public Optional<MapOfMapsStore> outer(long address) {
    return byAddress.get(address) instanceof MapOfMapsStore outer
        ? Optional.of(outer)
        : Optional.empty();
  }

  /** Returns the table of those maps that have one of the names. */
  public MapTable only(Set<String> names) {
    MapTable some = new MapTable();
    some.stores.putAll(stores);
    some.stores.keySet().retainAll(names);
    return some;
  }

  /** Returns the map {@code name}, which must be of the given type. */
  public <T extends Store> T named(Class<T> type, String name) {
    Store store = stores.get(name);
    if (!type.isInstance(store)) {
      throw new IllegalArgumentException(
          nameOf(type) + " " + name + " not found; the maps are " + stores.keySet());
    }
    return type.cast(store);
  }

  /** Returns the map at {@code address}, which is passed as argument {@code argument}. */
  public <T extends Store> T at(Class<T> type, long address, int argument) {
    Store store = byAddress.get(address);
    if (!type.isInstance(store)) {
      throw new VmFault(
          BAD_ARGUMENT,
          "passes 0x" + Long.toHexString(address) + " in r" + argument + ", not a " + nameOf(type));
    }
    return type.cast(store);
  }

  /** Returns the address of a map, as registers hold it. */
  public long address(String name) {
    Long address = addresses.get(name);
    if (address == null) {
      throw new VmFault(
          MALFORMED, "refers to undefined map " + name + "; the maps are " + addresses.keySet());
    }
    return address;
  }

  /** Returns an address in the first value of an array map. */
  public long valueAddress(String name, int offset) {
    if (!(byAddress.get(address(name)) instanceof ArrayMapStore array)
        || array.map().type() != MapType.ARRAY) {
      throw new VmFault(MALFORMED, "refers to a value of " + name + ", which is not a plain array");
    }
    Region value = array.find(new byte[Integer.BYTES], 0);
    if (value == null || offset < 0 || offset >= value.limit()) {
      throw new VmFault(
          MALFORMED,
          "refers to offset "
              + offset
              + " of the first value of "
              + name
              + ", whose size is "
              + array.map().valueSize()
              + " bytes");
    }
    return value.address() + offset;
  }

  private static Store create(BpfMap map, int cpus, MachineMemory memory) {
    return switch (map.type()) {
      case HASH, PERCPU_HASH, LRU_HASH, LRU_PERCPU_HASH -> new HashMapStore(map, cpus, memory);
      case ARRAY, PERCPU_ARRAY -> new ArrayMapStore(map, cpus, memory);
      case RINGBUF -> new RingBufferStore(map);
      case STACK_TRACE -> new StackTraceStore(map);
      case PERF_EVENT_ARRAY -> new PerfEventStore(map, cpus);
      case ARRAY_OF_MAPS -> new MapOfMapsStore(map);
    };
  }

  private static String nameOf(Class<?> type) {
    if (type == RingBufferStore.class) {
      return "ring buffer";
    }
    if (type == PerfEventStore.class) {
      return "perf event array";
    }
    if (type == MapOfMapsStore.class) {
      return "array of maps";
    }
    return type == StackTraceStore.class ? "stack trace map" : "hash or array map";
  }
}
