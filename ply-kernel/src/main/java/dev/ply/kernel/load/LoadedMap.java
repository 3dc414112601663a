package dev.ply.kernel.load;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.FixedContent;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.name.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A map in the kernel, which it owns. Programs that use the map keep it alive after closing.
 * Thread-safe by mutual exclusion.
 */
public final class LoadedMap implements AutoCloseable {
  private final BpfMap map;
  private final FileDescriptor descriptor;
  private final MapMemory memory;
  private final NativeMemory key;
  private final NativeMemory values;
  private final BpfAttr element;
  private final BpfAttr keyOnly;
  private final Optional<BatchReader> batches;

  private LoadedMap(BpfMap map, MapMemory memory, FileDescriptor descriptor) {
    this.map = map;
    this.descriptor = descriptor;
    this.memory = memory;
    this.key = NativeMemory.allocate(memory.keySize());
    this.values = NativeMemory.allocate(memory.entryValueSize());
    this.element = BpfAttr.element(descriptor.number(), key, values);
    this.keyOnly = BpfAttr.key(descriptor.number(), key);
    this.batches =
        switch (map.type()) {
          case HASH, PERCPU_HASH, LRU_HASH, LRU_PERCPU_HASH, ARRAY, PERCPU_ARRAY ->
              Optional.of(new BatchReader(map, descriptor.number(), memory));
          case PERF_EVENT_ARRAY, STACK_TRACE, ARRAY_OF_MAPS, RINGBUF -> Optional.empty();
        };
  }

  /**
   * Creates a map in the kernel, with its content if that is constant.
   *
   * @throws KernelException if the kernel refuses
   */
  public static LoadedMap create(BpfMap map) {
    MapMemory memory = MapMemory.of(map);
    FileDescriptor descriptor =
        map.inner()
            .map(inner -> open(map, inner))
            .orElseGet(() -> open(map, BpfAttr.mapCreate(map)));
    LoadedMap loaded = new LoadedMap(map, memory, descriptor);
    map.content().ifPresent(loaded::fix);
    return loaded;
  }

  private static FileDescriptor open(BpfMap map, BpfAttr attr) {
    return SystemCalls.openBpf(BpfCommand.MAP_CREATE, attr, "map \"" + map.name() + "\"");
  }

  private static FileDescriptor open(BpfMap map, BpfMap inner) {
    try (LoadedMap example = create(inner)) {
      return open(map, BpfAttr.mapCreate(map, example.descriptor()));
    }
  }

  /** Takes over the descriptor of a map that exists, and has the sizes of its definition. */
  static LoadedMap existing(BpfMap map, FileDescriptor descriptor) {
    return new LoadedMap(map, MapMemory.of(map), descriptor);
  }

  private void fix(FixedContent content) {
    try {
      update(new byte[map.keySize()], content.bytes());
      BpfAttr self = BpfAttr.map(descriptor.number());
      check(SystemCalls.tryBpf(BpfCommand.MAP_FREEZE, self), BpfCommand.MAP_FREEZE);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Returns the definition of the map. */
  public BpfMap map() {
    return map;
  }

  /** Returns the file descriptor, for instructions that load the map's address. */
  public int descriptor() {
    return descriptor.number();
  }

  /** Returns the maximum number of entries. */
  public int maxEntries() {
    return map.maxEntries();
  }

  /**
   * Reads the values of a key into new buffers: one in plain maps, one for each possible CPU in
   * per-CPU maps, all slots in slotted ones.
   */
  public synchronized Optional<List<ByteBuffer>> lookup(byte[] key) {
    putKey(key);
    Errno errno = SystemCalls.tryBpf(BpfCommand.MAP_LOOKUP_ELEM, element);
    if (errno == Errno.ENOENT) {
      return Optional.empty();
    }
    check(errno, BpfCommand.MAP_LOOKUP_ELEM);
    return Optional.of(copiesOfValues());
  }

  /** Writes the value of a key, for all CPUs in per-CPU maps. */
  public synchronized void update(byte[] key, byte[] value) {
    if (value.length != map.slotSize()) {
      throw new IllegalArgumentException(
          describe() + " has values of " + map.slotSize() + " bytes, not " + value.length);
    }
    putKey(key);
    for (int i = 0; i < memory.valuesPerEntry(); i++) {
      values.bytes().put(i * memory.valueStride(), value);
    }
    check(SystemCalls.tryBpf(BpfCommand.MAP_UPDATE_ELEM, element), BpfCommand.MAP_UPDATE_ELEM);
  }

  /** Removes a key and returns whether it existed. Not for arrays. */
  public synchronized boolean delete(byte[] key) {
    putKey(key);
    Errno errno = SystemCalls.tryBpf(BpfCommand.MAP_DELETE_ELEM, keyOnly);
    if (errno == Errno.ENOENT) {
      return false;
    }
    check(errno, BpfCommand.MAP_DELETE_ELEM);
    return true;
  }

  /**
   * Removes a key and returns its values as {@link #lookup} does; empty if it did not exist. Before
   * Linux 5.14 a program can update it between reading and removing.
   */
  public synchronized Optional<List<ByteBuffer>> take(byte[] key) {
    putKey(key);
    Errno errno = SystemCalls.tryBpf(BpfCommand.MAP_LOOKUP_AND_DELETE_ELEM, element);
    if (errno.isUnsupported()) {
      Optional<List<ByteBuffer>> last = lookup(key);
      return last.isPresent() && delete(key) ? last : Optional.empty();
    }
    if (errno == Errno.ENOENT) {
      return Optional.empty();
    }
    check(errno, BpfCommand.MAP_LOOKUP_AND_DELETE_ELEM);
    return Optional.of(copiesOfValues());
  }

  /**
   * Passes all entries to {@code handler}, in the kernel's order. With concurrent changes, an entry
   * that is added or removed may or may not be passed.
   */
  public synchronized void forEach(EntryHandler handler) {
    checkOpen();
    if (batches.isEmpty() || !batches.get().read(BpfCommand.MAP_LOOKUP_BATCH, handler)) {
      forEachByKey(handler);
    }
  }

  /** Removes all entries; in arrays, zeroes all values. */
  public synchronized void clear() {
    checkOpen();
    switch (map.type()) {
      case HASH, PERCPU_HASH, LRU_HASH, LRU_PERCPU_HASH -> {
        EntryHandler nothing = (key, values) -> {};
        if (batches.isEmpty()
            || !batches.get().read(BpfCommand.MAP_LOOKUP_AND_DELETE_BATCH, nothing)) {
          deleteByKey();
        }
      }
      case STACK_TRACE -> deleteByKey();
      case ARRAY, PERCPU_ARRAY -> zero();
      case PERF_EVENT_ARRAY, ARRAY_OF_MAPS, RINGBUF ->
          throw new UnsupportedOperationException(describe() + " has no entries to remove");
    }
  }

  /**
   * Sets the values of keys to zero. A key that a program removes meanwhile may come back with
   * zero.
   *
   * @param which the keys
   */
  public synchronized void zeroValues(Predicate<ByteBuffer> which) {
    List<byte[]> keys = new ArrayList<>();
    forEach(
        (key, unused) -> {
          if (which.test(key)) {
            byte[] copy = new byte[key.capacity()];
            key.get(0, copy);
            keys.add(copy);
          }
        });
    byte[] zeros = new byte[map.slotSize()];
    keys.forEach(key -> update(key, zeros));
  }

  /** Closes the descriptor. */
  @Override
  public synchronized void close() {
    descriptor.close();
  }

  @Override
  public String toString() {
    return describe();
  }

  /** Like {@link #forEach}, for map types without batches. */
  synchronized void forEachByKey(EntryHandler handler) {
    NativeMemory current = NativeMemory.allocate(memory.keySize());
    NativeMemory found = NativeMemory.allocate(memory.entryValueSize());
    BpfAttr read = BpfAttr.element(descriptor.number(), current, found);
    BpfAttr step = BpfAttr.nextKey(descriptor.number(), current, current);
    Errno stepped =
        SystemCalls.tryBpf(
            BpfCommand.MAP_GET_NEXT_KEY, BpfAttr.firstKey(descriptor.number(), current));
    // A removed key makes the kernel start again at the first: limit the count.
    for (int seen = 0; stepped.isSuccess() && seen < map.maxEntries(); seen++) {
      Errno errno = SystemCalls.tryBpf(BpfCommand.MAP_LOOKUP_ELEM, read);
      if (errno.isSuccess()) {
        memory.hand(current, found, 0, handler);
      } else if (errno != Errno.ENOENT) {
        check(errno, BpfCommand.MAP_LOOKUP_ELEM);
      }
      stepped = SystemCalls.tryBpf(BpfCommand.MAP_GET_NEXT_KEY, step);
    }
    if (stepped != Errno.ENOENT) {
      check(stepped, BpfCommand.MAP_GET_NEXT_KEY);
    }
  }

  /** Removes all entries of map types without batches. */
  synchronized void deleteByKey() {
    BpfAttr first = BpfAttr.firstKey(descriptor.number(), key);
    for (int seen = 0; seen < map.maxEntries(); seen++) {
      Errno errno = SystemCalls.tryBpf(BpfCommand.MAP_GET_NEXT_KEY, first);
      if (errno == Errno.ENOENT) {
        return;
      }
      check(errno, BpfCommand.MAP_GET_NEXT_KEY);
      Errno deleted = SystemCalls.tryBpf(BpfCommand.MAP_DELETE_ELEM, keyOnly);
      if (deleted != Errno.ENOENT) {
        check(deleted, BpfCommand.MAP_DELETE_ELEM);
      }
    }
  }

  private void zero() {
    byte[] zeros = new byte[map.slotSize()];
    ByteBuffer index = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
    for (int i = 0; i < map.maxEntries(); i++) {
      update(index.putInt(0, i).array(), zeros);
    }
  }

  private List<ByteBuffer> copiesOfValues() {
    return IntStream.range(0, memory.valuesPerEntry()).mapToObj(this::copyOfValue).toList();
  }

  private ByteBuffer copyOfValue(int position) {
    byte[] copy = new byte[map.slotSize()];
    values.bytes().get(position * memory.valueStride(), copy);
    return ByteBuffer.wrap(copy).order(ByteOrder.nativeOrder());
  }

  private void putKey(byte[] content) {
    checkOpen();
    if (content.length != map.keySize()) {
      throw new IllegalArgumentException(
          describe() + " has keys of " + map.keySize() + " bytes, not " + content.length);
    }
    key.bytes().put(0, content);
  }

  /** After closing, the descriptor's number can be reused by another file. */
  private void checkOpen() {
    if (descriptor.isClosed()) {
      throw new IllegalStateException(describe() + " is closed");
    }
  }

  private void check(Errno errno, BpfCommand command) {
    if (!errno.isSuccess()) {
      throw new KernelException(errno, "bpf(" + command + ") of " + describe());
    }
  }

  private String describe() {
    return "map \"" + map.name() + "\"";
  }
}
