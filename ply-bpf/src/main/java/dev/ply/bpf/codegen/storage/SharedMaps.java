package dev.ply.bpf.codegen.storage;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapLayout;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.SharedPlace;
import dev.ply.ir.declaration.MapDeclaration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Puts the tables of a script that has many into maps that they share: the kernel lets a program
 * use {@value BpfProgram#MOST_MAPS} maps. Tables of equal sizes share one: arrays are parts of a
 * longer array, and keys of hash maps begin with the table's number.
 */
final class SharedMaps {
  /** The number of tables with maps of their own; a program has fewer than 24 other maps. */
  private static final int MOST_OWN = 40;

  private SharedMaps() {}

  /** The properties that tables sharing a map have in common. */
  private record Kind(MapType type, boolean hasKeys, int keySize, int slotSize, int slots) {}

  /** Returns the tables, unless they are few in maps that they share. */
  static List<MapLayout> of(List<MapLayout> tables) {
    if (tables.size() <= MOST_OWN) {
      return tables;
    }
    Map<Kind, Integer> sizes = new LinkedHashMap<>();
    Map<String, Integer> numbers = new HashMap<>();
    Map<Kind, Integer> entries = new HashMap<>();
    for (MapLayout table : tables) {
      if (canShare(table)) {
        Kind kind = kind(table);
        BpfMap map = table.map();
        boolean isHash = map.type().canRemove();
        int size = isHash ? 1 : isPlaces(map) ? map.slots() : map.maxEntries();
        numbers.put(map.name(), sizes.getOrDefault(kind, 0));
        sizes.merge(kind, size, Integer::sum);
        entries.merge(kind, map.maxEntries(), SharedMaps::sum);
      }
    }
    Map<Kind, BpfMap> maps = new LinkedHashMap<>();
    sizes.forEach(
        (kind, size) ->
            maps.put(
                kind,
                map(
                    ":shared" + maps.size(),
                    kind,
                    size,
                    Objects.requireNonNull(entries.get(kind)))));
    List<MapLayout> placed = new ArrayList<>();
    for (MapLayout table : tables) {
      placed.add(
          Optional.ofNullable(maps.get(kind(table)))
              .filter(map -> canShare(table))
              .map(
                  map ->
                      new SharedPlace(map, Objects.requireNonNull(numbers.get(table.map().name()))))
              .map(table::in)
              .orElse(table));
    }
    return placed;
  }

  /** Returns whether nothing about a table's entries depends on those of others. */
  private static boolean canShare(MapLayout table) {
    return !table.map().type().evicts()
        && table.symbol().declaration().map(MapDeclaration::entries).isEmpty();
  }

  private static boolean isPlaces(BpfMap map) {
    return map.type() == MapType.ARRAY;
  }

  private static Kind kind(MapLayout table) {
    BpfMap map = table.map();
    boolean isHash = map.type().canRemove();
    return new Kind(
        map.type(),
        isHash && !table.symbol().keys().isEmpty(),
        isHash ? map.keySize() : Integer.BYTES,
        map.slotSize(),
        isHash ? map.slots() : 1);
  }

  private static int sum(int one, int other) {
    return (int) Math.min(Integer.MAX_VALUE / 2, (long) one + other);
  }

  private static BpfMap map(String name, Kind kind, int size, int entries) {
    return switch (kind.type()) {
      case ARRAY -> BpfMap.places(name, kind.slotSize(), size);
      case PERCPU_ARRAY ->
          new BpfMap(name, MapType.PERCPU_ARRAY, Integer.BYTES, kind.slotSize(), size);
      default ->
          new BpfMap(
              name,
              kind.type(),
              SharedPlace.keySize(kind.hasKeys(), kind.keySize()),
              kind.slotSize() * kind.slots(),
              kind.slots(),
              entries,
              Optional.empty(),
              BpfMap.Growth.IN_ADVANCE,
              Optional.empty());
    };
  }
}
