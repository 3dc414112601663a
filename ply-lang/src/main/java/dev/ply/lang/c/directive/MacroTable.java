package dev.ply.lang.c.directive;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The macros that are defined, as lines change them. */
public final class MacroTable {
  /** A change of a macro; empty if it is undefined. */
  record Change(String name, Optional<CMacro> macro) {}

  /** The names that every source file has other values for. */
  static final Set<String> DYNAMIC = Set.of("__LINE__", "__FILE__", "__COUNTER__");

  private static final Set<String> QUESTIONS =
      Set.of(
          "__has_include",
          "__has_include_next",
          "__has_attribute",
          "__has_c_attribute",
          "__has_builtin",
          "__has_feature",
          "__has_extension");

  private final Map<String, CMacro> macros;
  private final Set<String> assumed;
  private final List<Change> changes = new ArrayList<>();
  private long counter;
  private long added;

  /**
   * Creates a table.
   *
   * @param assumed macros that headers which are not read define: they are expanded, but count as
   *     undefined
   */
  MacroTable(Map<String, CMacro> predefined, Set<String> assumed) {
    this.macros = new HashMap<>(predefined);
    this.assumed = new HashSet<>(assumed);
  }

  /** Returns a table with the same macros, which changes on its own. */
  public MacroTable copy() {
    return new MacroTable(macros, assumed);
  }

  void define(CMacro macro) {
    macros.put(macro.name(), macro);
    assumed.remove(macro.name());
    changes.add(new Change(macro.name(), Optional.of(macro)));
  }

  void undefine(String name) {
    macros.remove(name);
    changes.add(new Change(name, Optional.empty()));
  }

  public Optional<CMacro> find(String name) {
    return Optional.ofNullable(macros.get(name));
  }

  boolean isDefined(String name) {
    return (macros.containsKey(name) && !assumed.contains(name))
        || DYNAMIC.contains(name)
        || QUESTIONS.contains(name);
  }

  /** Returns how often a macro has changed. */
  public int changes() {
    return changes.size();
  }

  /** Repeats the changes of another table, from one to another. */
  public void repeat(MacroTable other, int from, int to) {
    for (Change change : other.changes.subList(from, to)) {
      if (change.macro().isPresent()) {
        macros.put(change.name(), change.macro().get());
      } else {
        macros.remove(change.name());
      }
    }
  }

  /** Returns the next value of {@code __COUNTER__}. */
  long count() {
    return counter++;
  }

  /**
   * Counts the tokens that an expansion adds, and returns whether they are within the limit: it
   * stops definitions that double each other.
   */
  boolean mayAdd(int tokens, int limit) {
    added += tokens;
    return added <= limit;
  }

  /** Returns the names of all macros. */
  Set<String> names() {
    return Set.copyOf(macros.keySet());
  }
}
