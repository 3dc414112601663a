package dev.ply.kernel.dwarf;

import dev.ply.kernel.untrusted.Allowance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** The entries of a file, read where they are asked for. Not thread-safe. */
final class Entries {
  /** How many entries are read between two looks at the clock. */
  private static final int BETWEEN_LOOKS = 1 << 12;

  /** A parameter refers to that of the inlined function, which refers to its declaration. */
  private static final int MOST_REFERENCES = 8;

  private final DebugSections sections;
  private final Allowance allowance;

  /** The ends of the units by their starts. */
  private final NavigableMap<Integer, Integer> bounds = new TreeMap<>();

  /** The heap size of the bounds of a unit. */
  private static final int BOUNDS_BYTES = 80;

  /** A unit has a header after its length; what is smaller, as zeros are, is none. */
  private static final int SMALLEST_UNIT = 11;

  /** The heap size of a unit without its shapes, and of an entry without its values. */
  private static final int UNIT_BYTES = 200;

  private static final int ENTRY_BYTES = 100;

  /** Units that are kept besides those of functions that were found. */
  private static final int MOST_UNITS = 64;

  /** The units that entries were read of last, and those of functions that were found. */
  private final Map<Integer, Loaded> units = new LinkedHashMap<>(16, 0.75f, true);

  private final Map<Integer, Loaded> unitsOfFunctions = new HashMap<>();
  private int count;

  /** A unit, and the memory that is claimed for it. */
  private record Loaded(InfoUnit unit, long bytes) {}

  Entries(DebugSections sections, Allowance allowance) throws IOException {
    this.sections = sections;
    this.allowance = allowance;
    DwarfCursor section = DwarfCursor.of(sections.info());
    try {
      while (section.hasMore()) {
        int start = section.position();
        int end = InfoUnit.end(section);
        section.skip(end - start);
        if (end - start >= SMALLEST_UNIT) {
          allowance.claim(BOUNDS_BYTES);
          bounds.put(start, end);
        }
        look();
      }
    } catch (BadDwarfException e) {
      // What follows a unit without an end is not read.
    }
  }

  private InfoUnit unit(int start) throws IOException {
    Loaded ofFunction = unitsOfFunctions.get(start);
    if (ofFunction != null) {
      return ofFunction.unit();
    }
    Loaded known = units.get(start);
    if (known != null) {
      return known.unit();
    }
    if (units.size() == MOST_UNITS) {
      forget(units.keySet().iterator().next());
    }
    long before = allowance.claimed();
    try {
      allowance.claim(UNIT_BYTES);
      InfoUnit unit = InfoUnit.at(sections, start, bounds.getOrDefault(start, start), allowance);
      units.put(start, new Loaded(unit, allowance.claimed() - before));
      return unit;
    } catch (BadDwarfException e) {
      allowance.release(allowance.claimed() - before);
      throw e;
    }
  }

  private void forget(int start) {
    Loaded unit = units.remove(start);
    if (unit != null) {
      allowance.release(unit.bytes());
    }
  }

  /** Claims memory for the entry of a function that was found, and keeps its unit. */
  private Entry kept(Entry function) throws IOException {
    allowance.claim(ENTRY_BYTES + (long) Long.BYTES * function.valueCount());
    int start = function.unit().start();
    Loaded unit = units.remove(start);
    if (unit != null) {
      unitsOfFunctions.put(start, unit);
    }
    return function;
  }

  /** Returns the entry at an offset, or of a type that is only declared there, its description. */
  Entry at(int offset) throws IOException {
    Entry entry = read(offset);
    OptionalInt described = entry.reference(Dwarf.TYPE_SIGNATURE);
    return described.isPresent() ? read(described.getAsInt()) : entry;
  }

  private Entry read(int offset) throws IOException {
    Map.Entry<Integer, Integer> unit = bounds.floorEntry(offset);
    if (unit == null || offset >= unit.getValue()) {
      throw new BadDwarfException("no entry at " + offset);
    }
    return next(unit(unit.getKey()), offset);
  }

  /** Reads the entry at an offset of a unit, as long as there is time. */
  private Entry next(InfoUnit unit, int offset) throws IOException {
    look();
    return Entry.at(sections, unit, offset);
  }

  /** Looks at the clock now and then, which takes longer than reading an entry. */
  private void look() throws IOException {
    if (++count % BETWEEN_LOOKS == 0) {
      allowance.requireTime();
    }
  }

  /** Claims memory for what is described, and outlives the entries. */
  void claimKept(long bytes) throws IOException {
    allowance.claimKept(bytes);
  }

  /**
   * Returns the functions that begin at addresses of the file, or else have the name that the
   * address has here and no other does, if their entries have no address of their own: their code
   * is in several pieces, or moved by the linker.
   */
  Map<Long, Entry> functions(Map<Long, String> wanted) throws IOException {
    NavigableMap<Long, String> missing = new TreeMap<>(Long::compareUnsigned);
    missing.putAll(wanted);
    Map<Long, Entry> found = new HashMap<>();
    Map<String, List<Entry>> named = new HashMap<>();
    wanted.values().forEach(name -> named.put(name, new ArrayList<>()));
    for (int start : bounds.keySet()) {
      try {
        find(unit(start), missing, found, named);
      } catch (BadDwarfException e) {
        // A damaged unit, or one of another version: others may have it.
      }
      if (missing.isEmpty()) {
        return found;
      }
      forget(start);
      allowance.requireTime();
    }
    missing.forEach(
        (address, name) -> {
          List<Entry> same = named.getOrDefault(name, List.of());
          if (same.size() == 1) {
            found.put(address, same.get(0));
          }
        });
    return found;
  }

  private void find(
      InfoUnit unit,
      NavigableMap<Long, String> missing,
      Map<Long, Entry> found,
      Map<String, List<Entry>> named)
      throws IOException {
    if (!canHave(Entry.at(sections, unit, unit.first()), missing)) {
      return;
    }
    for (int at = unit.first(); at < unit.end() && !missing.isEmpty(); ) {
      Entry entry = next(unit, at);
      if (entry.tag() == Dwarf.TAG_FUNCTION && !entry.has(Dwarf.DECLARATION)) {
        OptionalLong start = entry.address(Dwarf.LOW_PC);
        if (start.isPresent()) {
          if (missing.remove(start.getAsLong()) != null) {
            found.put(start.getAsLong(), kept(entry));
          }
        } else {
          for (String name : names(entry)) {
            List<Entry> same = named.get(name);
            // One that is not the only one of its name is of no use.
            if (same != null && same.size() < 2) {
              same.add(kept(entry));
            }
          }
        }
      }
      at = entry.end();
    }
  }

  /** Symbols have the names of the language, or those that it makes of them for the linker. */
  private Set<String> names(Entry entry) throws IOException {
    Set<String> names = new HashSet<>();
    entry.name().ifPresent(names::add);
    entry.string(Dwarf.LINKAGE_NAME).ifPresent(names::add);
    if (entry.has(Dwarf.SPECIFICATION)) {
      origin(entry).flatMap(Entries::linkageName).ifPresent(names::add);
    }
    return names;
  }

  private static Optional<String> linkageName(Entry entry) {
    try {
      return entry.string(Dwarf.LINKAGE_NAME);
    } catch (BadDwarfException e) {
      return Optional.empty();
    }
  }

  /** Code in one piece has its bounds in the unit's own entry. */
  private static boolean canHave(Entry unit, NavigableMap<Long, String> wanted)
      throws BadDwarfException {
    OptionalLong start = unit.address(Dwarf.LOW_PC);
    OptionalLong last = unit.address(Dwarf.HIGH_PC);
    OptionalLong size = unit.number(Dwarf.HIGH_PC);
    if (start.isEmpty() || (last.isEmpty() && size.isEmpty())) {
      return true;
    }
    long end = last.isPresent() ? last.getAsLong() : start.getAsLong() + size.getAsLong();
    Long first = wanted.ceilingKey(start.getAsLong());
    return first != null && Long.compareUnsigned(first, end) < 0;
  }

  /** Returns the entries that an entry contains, without what these contain. */
  Children children(Entry parent) {
    return new Children(parent);
  }

  /** The entries that another contains, which are read one after the other, and not kept. */
  final class Children {
    private final InfoUnit unit;
    private int at;
    private int depth;
    private boolean isOver;
    private Optional<Entry> current = Optional.empty();

    private Children(Entry parent) {
      this.unit = parent.unit();
      this.at = parent.end();
      this.isOver = !parent.hasChildren();
    }

    /** Reads the next one; returns whether there is one. */
    boolean advance() throws IOException {
      while (!isOver && at < unit.end()) {
        Entry entry = next(unit, at);
        at = entry.end();
        if (entry.isEnd()) {
          isOver = depth-- == 0;
          continue;
        }
        boolean isChild = depth == 0;
        depth += entry.hasChildren() ? 1 : 0;
        if (isChild) {
          current = Optional.of(entry);
          return true;
        }
      }
      return false;
    }

    /** Returns the one that was read last. */
    Entry entry() {
      return current.orElseThrow();
    }
  }

  /** Returns the name of an entry, or of what it refers to. */
  Optional<String> name(Entry entry) throws IOException {
    Optional<Entry> at = Optional.of(entry);
    for (int i = 0; i < MOST_REFERENCES && at.isPresent(); i++) {
      Optional<String> name = at.get().name();
      if (name.isPresent()) {
        return name;
      }
      at = origin(at.get());
    }
    return Optional.empty();
  }

  /** Returns the type of an entry, or of what it refers to. */
  OptionalInt type(Entry entry) throws IOException {
    Optional<Entry> at = Optional.of(entry);
    for (int i = 0; i < MOST_REFERENCES && at.isPresent(); i++) {
      OptionalInt type = at.get().reference(Dwarf.TYPE);
      if (type.isPresent()) {
        return type;
      }
      at = origin(at.get());
    }
    return OptionalInt.empty();
  }

  private Optional<Entry> origin(Entry entry) throws IOException {
    OptionalInt origin = entry.reference(Dwarf.ABSTRACT_ORIGIN);
    OptionalInt declared = origin.isPresent() ? origin : entry.reference(Dwarf.SPECIFICATION);
    return declared.isPresent() ? Optional.of(at(declared.getAsInt())) : Optional.empty();
  }
}
