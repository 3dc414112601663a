package dev.ply.builtin;

import dev.ply.result.Datum;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;

/**
 * Declaration of an aggregating function: what a map makes of the values it is given. Programs keep
 * an accumulator of 64-bit words under each key; ply-bpf generates its updates, and adds up the
 * words of all CPUs. Immutable; equal only to itself.
 */
public abstract class AggregateFunction {
  private final List<String> names;
  private final Signature signature;

  /**
   * An aggregating function.
   *
   * @param names the name that printers use, then its aliases
   */
  AggregateFunction(Signature signature, String... names) {
    this.names = List.of(names);
    this.signature = signature;
  }

  /** Returns the name that printers use. */
  public final String canonicalName() {
    return names.get(0);
  }

  /** Returns all names, the one that printers use first. */
  public final List<String> names() {
    return names;
  }

  /** Returns the parameters: none, or a number. */
  public final Signature signature() {
    return signature;
  }

  /** Returns the type in which values are aggregated: 64 bits, signed as they are. */
  public IntType valueType(IntType argument) {
    return IntType.of(Long.BYTES, argument.signedness());
  }

  /** Returns the type that has room for the values of two uses of a map. */
  public IntType unify(IntType known, IntType used) {
    return used.signedness() == Signedness.SIGNED ? used : known;
  }

  /** Returns the type of a result. */
  public Type type(IntType valueType) {
    return valueType;
  }

  /** Returns what a map holds, as a message says: {@code counts}. */
  public abstract String plural(IntType valueType);

  /**
   * Returns the result of an accumulator, empty if nothing was aggregated.
   *
   * @param words added up over all CPUs
   * @param isUpdated whether something was aggregated, where words that are all zero do not tell
   */
  public abstract Optional<Datum> result(long[] words, IntType valueType, boolean isUpdated);

  /** Returns what the language reference says. Loaded only where it is shown. */
  public abstract Documentation documentation();

  @Override
  public final String toString() {
    return canonicalName();
  }
}
