package dev.ply.builtin;

import dev.ply.ir.Expr;
import dev.ply.type.Type;
import java.util.List;
import java.util.Optional;

/**
 * Declaration of a value or function of the language; a value is a function of no arguments,
 * written with or without {@code ()}. Immutable; equal only to itself.
 */
public abstract class Builtin {
  private final List<String> names;
  private final Signature signature;
  private final Effect effect;
  private final Availability availability;

  /**
   * A built-in.
   *
   * @param names the name that printers use, then its aliases
   */
  Builtin(Signature signature, Effect effect, Availability availability, String... names) {
    this.names = List.of(names);
    this.signature = signature;
    this.effect = effect;
    this.availability = availability;
  }

  /** A built-in that every probe has. */
  Builtin(Signature signature, Effect effect, String... names) {
    this(signature, effect, Availability.EVERYWHERE, names);
  }

  /** A value of one type, wherever it is used. */
  public abstract static class Value extends Builtin {
    private final Type type;

    Value(Type type, Effect effect, String... names) {
      super(Signature.NONE, effect, names);
      this.type = type;
    }

    /** Returns the type of the value. */
    public final Type type() {
      return type;
    }

    @Override
    public final Optional<Type> type(Expr.Call call, Typing typing) {
      return Optional.of(type);
    }
  }

  /** Returns the name that printers use. */
  public final String canonicalName() {
    return names.get(0);
  }

  /** Returns all names, the one that printers use first. */
  public final List<String> names() {
    return names;
  }

  /** Returns the parameters. */
  public final Signature signature() {
    return signature;
  }

  /** Returns what evaluating it does. */
  public final Effect effect() {
    return effect;
  }

  /** Returns the probes that offer it. */
  public final Availability availability() {
    return availability;
  }

  /**
   * Types a call and its arguments, of which there are as many as the signature accepts; empty if
   * the call was found to be wrong, or depends on a map whose type is not known yet.
   */
  public abstract Optional<Type> type(Expr.Call call, Typing typing);

  /** Returns what the language reference says. Loaded only where it is shown. */
  public abstract Documentation documentation();

  @Override
  public final String toString() {
    return canonicalName();
  }
}
