package dev.ply.analysis;

import dev.ply.analysis.MapContent.Aggregated;
import dev.ply.analysis.MapContent.Plain;
import dev.ply.type.Conversions;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known so far about a script's maps. The first typed use of a map decides the kinds of its
 * keys and values; later ones may widen an integer or lengthen a text, nothing else.
 */
final class MapSymbols {
  private static final class Entry {
    private Optional<List<Type>> keys = Optional.empty();
    private Optional<MapContent> content = Optional.empty();
    private boolean stored;
    private boolean obscure;
    private boolean isGuessed;
  }

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final IdentityHashMap<Variant, VariableTypes> variables = new IdentityHashMap<>();
  private boolean guessing;

  /** From now on, what is unknown about an operation's operand is taken from the other one. */
  void startGuessing() {
    guessing = true;
  }

  boolean isGuessing() {
    return guessing;
  }

  /** Returns whether the content of every map and the type of every variable is known. */
  boolean isComplete() {
    for (Entry entry : entries.values()) {
      if (entry.content.isEmpty()) {
        return false;
      }
    }
    return variables.values().stream().allMatch(VariableTypes::isComplete);
  }

  /** Notes that the map exists. */
  void mention(String name) {
    entry(name);
  }

  /** Notes that something is stored in the map, of whatever type. */
  void mentionStore(String name) {
    entry(name).stored = true;
  }

  boolean isStored(String name) {
    return entry(name).stored;
  }

  /** Notes that the map is used in a way that could not be understood. */
  void obscure(String name) {
    entry(name).obscure = true;
  }

  /** Tells whether it is no fault of the map's own if nothing is known about it. */
  boolean isObscure(String name) {
    return entry(name).obscure;
  }

  private Entry entry(String name) {
    return entries.computeIfAbsent(name, unused -> new Entry());
  }

  Optional<List<Type>> keys(String name) {
    return Optional.ofNullable(entries.get(name)).flatMap(entry -> entry.keys);
  }

  Optional<MapContent> content(String name) {
    return Optional.ofNullable(entries.get(name)).flatMap(entry -> entry.content);
  }

  /** Notes a use of keys of these types; false if it cannot be reconciled with earlier ones. */
  boolean learnKeys(String name, List<Type> used) {
    Entry entry = entry(name);
    if (entry.keys.isEmpty()) {
      entry.keys = Optional.of(List.copyOf(used));
      return true;
    }
    List<Type> known = entry.keys.get();
    if (known.size() != used.size()) {
      return false;
    }
    List<Type> unified = new ArrayList<>();
    for (int i = 0; i < used.size(); i++) {
      Optional<Type> both = Conversions.unify(known.get(i), used.get(i));
      if (both.isEmpty()) {
        return false;
      }
      unified.add(both.get());
    }
    entry.keys = Optional.of(List.copyOf(unified));
    return true;
  }

  /** Notes a use with this content; false if it cannot be reconciled with earlier ones. */
  boolean learnContent(String name, MapContent used) {
    Entry entry = entry(name);
    Optional<MapContent> unified =
        entry.content.isEmpty() ? Optional.of(used) : unify(entry.content.get(), used);
    unified.ifPresent(content -> entry.content = Optional.of(content));
    return unified.isPresent();
  }

  /** Notes what a map holds if nothing but changes in place say so. */
  void guessContent(String name, MapContent guessed) {
    Entry entry = entry(name);
    if (entry.content.isEmpty()) {
      entry.isGuessed = true;
    }
    if (entry.isGuessed) {
      learnContent(name, guessed);
    }
  }

  private static Optional<MapContent> unify(MapContent known, MapContent used) {
    if (known instanceof Plain a && used instanceof Plain b) {
      return Conversions.unify(a.type(), b.type()).map(Plain::new);
    }
    if (known instanceof Aggregated a
        && used instanceof Aggregated b
        && a.function() == b.function()) {
      IntType both = a.function().unify(a.valueType(), b.valueType());
      return Optional.of(new Aggregated(a.function(), both));
    }
    return Optional.empty();
  }

  /** Returns a number that grows with everything learnt. */
  int knowledge() {
    int known = 0;
    for (Entry entry : entries.values()) {
      known += 1 + entry.keys.map(MapSymbols::bytes).orElse(0);
      known += entry.obscure ? 1 : 0;
      known += entry.content.map(content -> 1 + content.type().size()).orElse(0);
    }
    for (VariableTypes types : variables.values()) {
      known += types.knowledge();
    }
    return known;
  }

  /** Returns what is known about the scratch variables of a variant of a clause. */
  VariableTypes variables(Variant variant) {
    return variables.computeIfAbsent(variant, unused -> new VariableTypes());
  }

  private static int bytes(List<Type> keys) {
    int bytes = 1;
    for (Type key : keys) {
      bytes += key.size();
    }
    return bytes;
  }

  /** Returns the maps that are fully known, in the order they were first mentioned. */
  List<MapSymbol> maps() {
    List<MapSymbol> maps = new ArrayList<>();
    entries.forEach(
        (name, entry) -> {
          if (entry.keys.isPresent() && entry.content.isPresent()) {
            maps.add(new MapSymbol(name, entry.keys.get(), entry.content.get()));
          }
        });
    return maps;
  }
}
