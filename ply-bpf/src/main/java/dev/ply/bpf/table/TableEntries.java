package dev.ply.bpf.table;

import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.SharedPlace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The entries of a table, wherever they are: in a map of its own, or in a part of a map that it
 * shares with others. Keys are those of the table.
 */
final class TableEntries {
  private final Machine machine;
  private final MapLayout layout;

  TableEntries(Machine machine, MapLayout layout) {
    this.machine = machine;
    this.layout = layout;
  }

  /** Visits all entries, as {@link Machine#read} does. */
  void read(Machine.EntryHandler handler) {
    Optional<SharedPlace> shared = layout.shared();
    if (shared.isEmpty()) {
      machine.read(layout.map(), handler);
      return;
    }
    SharedPlace place = shared.get();
    switch (place.map().type()) {
      case ARRAY ->
          machine.read(
              place.map(),
              (key, values) ->
                  handler.entry(
                      key, values.subList(place.number(), place.number() + layout.map().slots())));
      case PERCPU_ARRAY ->
          machine.read(
              place.map(),
              (key, values) -> {
                int index = key.getInt(0) - place.number();
                if (index >= 0 && index < layout.map().maxEntries()) {
                  handler.entry(number(index, key), values);
                }
              });
      default ->
          machine.read(
              place.map(),
              (key, values) -> {
                if (key.getInt(0) == place.number()) {
                  handler.entry(own(key, place), values);
                }
              });
    }
  }

  private static ByteBuffer number(int number, ByteBuffer like) {
    return ByteBuffer.allocate(Integer.BYTES).order(like.order()).putInt(0, number);
  }

  /** Returns the table's key of a shared map's. */
  private static ByteBuffer own(ByteBuffer key, SharedPlace place) {
    return place.prefix() == 0
        ? number(0, key)
        : key.slice(place.prefix(), key.capacity() - place.prefix()).order(key.order());
  }

  /** Returns the shared map's key of a table's. */
  private static ByteBuffer stored(ByteBuffer key, SharedPlace place) {
    if (place.prefix() == 0) {
      return number(place.number(), key);
    }
    return ByteBuffer.allocate(place.prefix() + key.capacity())
        .order(key.order())
        .putLong(0, place.number())
        .put(place.prefix(), key, 0, key.capacity());
  }

  /** Removes all entries. */
  void clear() {
    if (layout.shared().isEmpty()) {
      machine.clear(layout.map());
      return;
    }
    keys().forEach(this::take);
  }

  /** Sets all values to zero and keeps their keys. */
  void zero() {
    Optional<SharedPlace> shared = layout.shared();
    if (shared.isEmpty()) {
      machine.zero(layout.map());
      return;
    }
    SharedPlace place = shared.get();
    machine.zero(place.map(), key -> key.getInt(0) == place.number());
  }

  private List<ByteBuffer> keys() {
    List<ByteBuffer> keys = new ArrayList<>();
    read(
        (key, values) ->
            keys.add(
                ByteBuffer.allocate(key.capacity())
                    .order(key.order())
                    .put(0, key, 0, key.capacity())));
    return keys;
  }

  /** Removes a key and returns its last values; empty if it did not exist. */
  Optional<List<ByteBuffer>> take(ByteBuffer key) {
    return layout
        .shared()
        .map(place -> machine.take(place.map(), stored(key, place)))
        .orElseGet(() -> machine.take(layout.map(), key));
  }

  /** Creates or replaces an entry, as {@link Machine#update} does. */
  void update(ByteBuffer key, byte[] value) {
    BpfMap map = layout.stored();
    ByteBuffer stored = layout.shared().map(place -> stored(key, place)).orElse(key);
    byte[] bytes = new byte[stored.capacity()];
    stored.get(0, bytes);
    machine.update(map, bytes, value);
  }
}
