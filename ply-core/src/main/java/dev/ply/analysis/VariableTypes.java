package dev.ply.analysis;

import dev.ply.type.Conversions;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The types of a clause's scratch variables as far as they are known. The first assignment decides
 * the kind, integers take 64 bits with its sign, and the longest string decides the length.
 */
final class VariableTypes {
  private static final class Entry {
    private Optional<Type> type = Optional.empty();
    private boolean isAssigned;
    private boolean isObscure;
  }

  private final List<Entry> entries = new ArrayList<>();

  private Entry entry(int number) {
    while (entries.size() <= number) {
      entries.add(new Entry());
    }
    return entries.get(number);
  }

  /** Returns the type of a variable, empty if nothing of a known type is assigned to it. */
  Optional<Type> type(int number) {
    return entry(number).type;
  }

  /** Notes an assignment; false if the variable holds values of another kind. */
  boolean learn(int number, Type assigned) {
    Entry entry = entry(number);
    if (entry.type.isEmpty()) {
      entry.type = Optional.of(widened(assigned));
      return true;
    }
    Type known = entry.type.get();
    if (known.isScalar() && assigned.isScalar()) {
      return true;
    }
    Optional<Type> both = Conversions.unify(known, assigned);
    both.ifPresent(type -> entry.type = Optional.of(type));
    return both.isPresent();
  }

  private static Type widened(Type type) {
    return type instanceof IntType integer
        ? new IntType(8, integer.signedness(), integer.format())
        : type;
  }

  /** Notes that something is assigned to a variable, of whatever type. */
  void mentionAssignment(int number) {
    entry(number).isAssigned = true;
  }

  boolean isAssigned(int number) {
    return entry(number).isAssigned;
  }

  /** Notes that a variable is used in a way that could not be understood. */
  void obscure(int number) {
    entry(number).isObscure = true;
    entry(number).isAssigned = true;
  }

  /** Returns whether it is no error of the variable's own if its type is unknown. */
  boolean isObscure(int number) {
    return entry(number).isObscure;
  }

  /** Returns whether the type of every variable is known. */
  boolean isComplete() {
    return entries.stream().allMatch(entry -> entry.type.isPresent());
  }

  /** Returns a number that grows with everything learnt. */
  int knowledge() {
    int known = 0;
    for (Entry entry : entries) {
      known += entry.type.map(type -> 1 + type.size()).orElse(0) + (entry.isObscure ? 1 : 0);
    }
    return known;
  }
}
