package dev.ply.analysis.typing;

import dev.ply.type.Conversions;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The types of a clause's scratch variables, as inferred so far. The first assignment determines
 * the kind; integers are 64-bit with its signedness, and strings as long as the longest.
 */
final class VariableTypes {
  private static final class Entry {
    private Optional<Type> type = Optional.empty();
    private boolean isAssigned;
    private boolean isObscure;
  }

  private final List<Entry> entries = new ArrayList<>();
  private boolean guessing;

  private Entry entry(int number) {
    while (entries.size() <= number) {
      entries.add(new Entry());
    }
    return entries.get(number);
  }

  /** Returns the type of a variable, empty if no typed value is assigned to it. */
  Optional<Type> type(int number) {
    return entry(number).type;
  }

  /** Unifies an assigned type with the variable's; false if they do not unify. */
  boolean learn(int number, Type assigned) {
    Entry entry = entry(number);
    if (entry.type.isEmpty()) {
      entry.type = Optional.of(widened(assigned));
      return true;
    }
    Type known = entry.type.get();
    if (Conversions.areOfDistinctStructures(known, assigned)) {
      return false;
    }
    if (known.isScalar() && assigned.isScalar()) {
      Conversions.unify(known, assigned)
          .filter(both -> both.getClass() == known.getClass())
          .ifPresent(both -> entry.type = Optional.of(both));
      return true;
    }
    Optional<Type> both = Conversions.unify(known, assigned);
    both.ifPresent(type -> entry.type = Optional.of(type));
    return both.isPresent();
  }

  private static Type widened(Type type) {
    return type instanceof IntType integer ? integer.ofBytes(Long.BYTES) : type;
  }

  /** Records an assignment of a value of unknown type. */
  void mentionAssignment(int number) {
    entry(number).isAssigned = true;
  }

  boolean isAssigned(int number) {
    return entry(number).isAssigned;
  }

  /** From now on, an error no longer explains a missing type: it may follow from a guessed one. */
  void startGuessing() {
    guessing = true;
  }

  /** Records that a variable occurs in unparsed input, or in something wrong. */
  void obscure(int number) {
    entry(number).isObscure |= !guessing;
    entry(number).isAssigned = true;
  }

  /** Returns whether another error explains why the variable has no type. */
  boolean isObscure(int number) {
    return entry(number).isObscure;
  }

  /** Returns whether all variables have types. */
  boolean isComplete() {
    return entries.stream().allMatch(entry -> entry.type.isPresent());
  }

  /** Returns a counter that increases whenever a type is learnt. */
  int knowledge() {
    int known = 0;
    for (Entry entry : entries) {
      known += entry.type.map(type -> 1 + type.size()).orElse(0) + (entry.isObscure ? 1 : 0);
    }
    return known;
  }
}
