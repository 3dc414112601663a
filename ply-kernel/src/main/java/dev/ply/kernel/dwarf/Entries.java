package dev.ply.kernel.dwarf;

import dev.ply.kernel.untrusted.Allowance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
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

  private final Map<Integer, InfoUnit> units = new HashMap<>();

  Entries(DebugSections sections, Allowance allowance) throws IOException {
    this.sections = sections;
    this.allowance = allowance;
    DwarfCursor section = DwarfCursor.of(sections.info());
    try {
      while (section.hasMore()) {
        int start = section.position();
        int end = InfoUnit.end(section);
        section.skip(end - start);
        bounds.put(start, end);
        allowance.requireTime();
      }
    } catch (BadDwarfException e) {
      // What follows a unit without an end is not read.
    }
  }

  private InfoUnit unit(int start) throws BadDwarfException {
    InfoUnit known = units.get(start);
    if (known != null) {
      return known;
    }
    InfoUnit unit = InfoUnit.at(sections, start, bounds.getOrDefault(start, start));
    units.put(start, unit);
    return unit;
  }

  /** Returns the entry at an offset. */
  Entry at(int offset) throws BadDwarfException {
    Map.Entry<Integer, Integer> unit = bounds.floorEntry(offset);
    if (unit == null || offset >= unit.getValue()) {
      throw new BadDwarfException("there is no entry at " + offset);
    }
    return Entry.at(sections, unit(unit.getKey()), offset);
  }

  /**
   * Returns the function that begins at an address of the file, or else the only one of a name
   * whose entry has no address of its own: its code is in several pieces, or moved by the linker.
   */
  Optional<Entry> function(long address, String name) throws IOException {
    List<Entry> named = new ArrayList<>();
    for (int start : bounds.keySet()) {
      try {
        Optional<Entry> found = function(unit(start), address, name, named);
        if (found.isPresent()) {
          return found;
        }
      } catch (BadDwarfException e) {
        // A damaged unit, or one of another version: others may have it.
      }
      units.remove(start);
      allowance.requireTime();
    }
    return named.size() == 1 ? Optional.of(named.get(0)) : Optional.empty();
  }

  private Optional<Entry> function(InfoUnit unit, long address, String name, List<Entry> named)
      throws IOException {
    if (!canHave(Entry.at(sections, unit, unit.first()), address)) {
      return Optional.empty();
    }
    int count = 0;
    for (int at = unit.first(); at < unit.end(); ) {
      Entry entry = Entry.at(sections, unit, at);
      if (entry.tag() == Dwarf.TAG_FUNCTION && !entry.has(Dwarf.DECLARATION)) {
        OptionalLong start = entry.address(Dwarf.LOW_PC);
        if (start.isPresent() && start.getAsLong() == address) {
          return Optional.of(entry);
        }
        if (start.isEmpty() && isNamed(entry, name)) {
          named.add(entry);
        }
      }
      if (++count % BETWEEN_LOOKS == 0) {
        allowance.requireTime();
      }
      at = entry.end();
    }
    return Optional.empty();
  }

  /** Symbols have the names of the language, or those that it makes of them for the linker. */
  private boolean isNamed(Entry entry, String name) throws BadDwarfException {
    return entry.name().filter(name::equals).isPresent()
        || entry.string(Dwarf.LINKAGE_NAME).filter(name::equals).isPresent()
        || (entry.has(Dwarf.SPECIFICATION)
            && origin(entry).flatMap(Entries::linkageName).filter(name::equals).isPresent());
  }

  private static Optional<String> linkageName(Entry entry) {
    try {
      return entry.string(Dwarf.LINKAGE_NAME);
    } catch (BadDwarfException e) {
      return Optional.empty();
    }
  }

  /** Code in one piece has its bounds in the unit's own entry. */
  private static boolean canHave(Entry unit, long address) throws BadDwarfException {
    OptionalLong start = unit.address(Dwarf.LOW_PC);
    OptionalLong last = unit.address(Dwarf.HIGH_PC);
    OptionalLong size = unit.number(Dwarf.HIGH_PC);
    if (start.isEmpty() || (last.isEmpty() && size.isEmpty())) {
      return true;
    }
    long end = last.isPresent() ? last.getAsLong() : start.getAsLong() + size.getAsLong();
    return Long.compareUnsigned(address, start.getAsLong()) >= 0
        && Long.compareUnsigned(address, end) < 0;
  }

  /** Returns the entries that an entry contains, without what these contain. */
  List<Entry> children(Entry parent) throws IOException {
    List<Entry> children = new ArrayList<>();
    int depth = 0;
    int count = 0;
    for (int at = parent.end(); parent.hasChildren() && at < parent.unit().end(); ) {
      Entry entry = Entry.at(sections, parent.unit(), at);
      if (entry.isEnd()) {
        if (depth == 0) {
          break;
        }
        depth--;
      } else {
        if (depth == 0) {
          children.add(entry);
        }
        depth += entry.hasChildren() ? 1 : 0;
      }
      if (++count % BETWEEN_LOOKS == 0) {
        allowance.requireTime();
      }
      at = entry.end();
    }
    return children;
  }

  /** Returns the name of an entry, or of what it refers to. */
  Optional<String> name(Entry entry) throws BadDwarfException {
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
  OptionalInt type(Entry entry) throws BadDwarfException {
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

  private Optional<Entry> origin(Entry entry) throws BadDwarfException {
    OptionalInt origin = entry.reference(Dwarf.ABSTRACT_ORIGIN);
    OptionalInt declared = origin.isPresent() ? origin : entry.reference(Dwarf.SPECIFICATION);
    return declared.isPresent() ? Optional.of(at(declared.getAsInt())) : Optional.empty();
  }
}
