package dev.ply.analysis.typing;

import dev.ply.analysis.site.Variant;
import dev.ply.analysis.typing.MapContent.Aggregated;
import dev.ply.analysis.typing.MapContent.Plain;
import dev.ply.builtin.AggregateShape;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.MapDeclaration;
import dev.ply.table.TableSchema.Unit;
import dev.ply.type.Conversions;
import dev.ply.type.Dialect;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The types of a script's maps, as inferred so far. The first typed use determines the kinds of
 * keys and values; later uses may widen an integer or lengthen a string.
 */
public final class MapSymbols {
  private static final class Entry {
    private Optional<List<Type>> keys = Optional.empty();
    private List<String> keyNames = List.of();
    private Optional<MapContent> content = Optional.empty();
    private boolean stored;
    private boolean obscure;
    private boolean isGuessed;
    private boolean keysAreObserved;
    private boolean valuesAreObserved;
    private Optional<MapDeclaration> declaration = Optional.empty();
  }

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Configuration configuration;

  public MapSymbols(Configuration configuration) {
    this.configuration = configuration;
  }

  /** Returns the settings of the script. */
  Configuration configuration() {
    return configuration;
  }

  /** Returns whose rules the script follows. */
  Dialect dialect() {
    return configuration.dialect();
  }

  private final IdentityHashMap<Variant, VariableTypes> variables = new IdentityHashMap<>();
  private boolean guessing;

  /** From now on, an operand of unknown type is assumed to have the other operand's. */
  public void startGuessing() {
    guessing = true;
    variables.values().forEach(VariableTypes::startGuessing);
  }

  boolean isGuessing() {
    return guessing;
  }

  /** Returns whether the content of every map and the type of every variable is known. */
  public boolean isComplete() {
    for (Entry entry : entries.values()) {
      if (entry.content.isEmpty()) {
        return false;
      }
    }
    return variables.values().stream().allMatch(VariableTypes::isComplete);
  }

  /** Adds the map, with unknown types. */
  void mention(String name) {
    entry(name);
  }

  /** Sets the kind and size of a map; returns whether none were set before. */
  public boolean declare(MapDeclaration declaration) {
    Entry entry = entry(declaration.map());
    boolean isFirst = entry.declaration.isEmpty();
    entry.declaration = Optional.of(declaration);
    return isFirst;
  }

  /** Records a store of a value of unknown type. */
  void mentionStore(String name) {
    entry(name).stored = true;
  }

  /** Records that programs observe or remove keys of the map. */
  void observeKeys(String name) {
    entry(name).keysAreObserved = true;
  }

  /** Records that programs read the accumulators of the map, or those of all its entries. */
  void observeValues(String name) {
    entry(name).keysAreObserved = true;
    entry(name).valuesAreObserved = true;
  }

  boolean isStored(String name) {
    return entry(name).stored;
  }

  /**
   * Records that the map occurs in unparsed input, or in something wrong. What is wrong only with a
   * guessed type explains nothing: the type is missing first.
   */
  void obscure(String name) {
    entry(name).obscure |= !guessing;
  }

  /** Returns whether another error explains why the map has no type. */
  public boolean isObscure(String name) {
    return entry(name).obscure;
  }

  private Entry entry(String name) {
    return entries.computeIfAbsent(name, unused -> new Entry());
  }

  Optional<List<Type>> keys(String name) {
    return Optional.ofNullable(entries.get(name)).flatMap(entry -> entry.keys);
  }

  public Optional<MapContent> content(String name) {
    return Optional.ofNullable(entries.get(name)).flatMap(entry -> entry.content);
  }

  /**
   * Unifies the key types with those of earlier uses; false if they do not unify.
   *
   * @param written how this use writes each
   */
  boolean learnKeys(String name, List<Type> used, List<String> written) {
    Entry entry = entry(name);
    if (entry.keys.isEmpty()) {
      entry.keyNames = List.copyOf(written);
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

  /** Unifies the content with that of earlier uses; false if they do not unify. */
  boolean learnContent(String name, MapContent used) {
    Entry entry = entry(name);
    Optional<MapContent> unified =
        entry.content.isEmpty() ? Optional.of(used) : unify(entry.content.get(), used);
    unified.ifPresent(content -> entry.content = Optional.of(content));
    return unified.isPresent();
  }

  /** Records the content to assume for a map that is only changed in place. */
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
      return Conversions.areOfDistinctStructures(a.type(), b.type())
          ? Optional.empty()
          : Conversions.unify(a.type(), b.type()).map(Plain::new);
    }
    if (known instanceof Aggregated a
        && used instanceof Aggregated b
        && a.function() == b.function()
        && a.shape().constants().equals(b.shape().constants())) {
      IntType both = a.function().unify(a.valueType(), b.valueType());
      AggregateShape shape = new AggregateShape(both, a.shape().constants());
      return Optional.of(new Aggregated(a.function(), shape));
    }
    return Optional.empty();
  }

  /** Returns a counter that increases whenever a type is learnt. */
  public int knowledge() {
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

  /** Returns the types of the scratch variables in a variant of a clause. */
  public VariableTypes variables(Variant variant) {
    return variables.computeIfAbsent(variant, unused -> new VariableTypes());
  }

  private static int bytes(List<Type> keys) {
    int bytes = 1;
    for (Type key : keys) {
      bytes += key.size();
    }
    return bytes;
  }

  /** Returns the fully typed maps, in order of first appearance. */
  public List<MapSymbol> maps() {
    List<MapSymbol> maps = new ArrayList<>();
    entries.forEach(
        (name, entry) -> {
          if (entry.keys.isPresent() && entry.content.isPresent()) {
            maps.add(
                new MapSymbol(
                    name,
                    entry.keyNames,
                    entry.keys.get(),
                    entry.content.get(),
                    Collections.nCopies(entry.keys.get().size(), Unit.NONE),
                    Unit.NONE,
                    Optional.empty(),
                    entry.keysAreObserved,
                    entry.valuesAreObserved,
                    entry.declaration));
          }
        });
    return maps;
  }
}
