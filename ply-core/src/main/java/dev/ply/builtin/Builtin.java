package dev.ply.builtin;

import dev.ply.ir.Expr;
import dev.ply.ir.Function;
import dev.ply.ir.Statement;
import dev.ply.table.TableSchema;
import dev.ply.type.Type;
import java.util.List;
import java.util.Optional;

/**
 * Declaration of a built-in value or function; a value is a function without arguments, written
 * with or without {@code ()}. Immutable; compared by identity.
 */
public abstract class Builtin implements Function {
  private final List<String> names;
  private final Signature signature;
  private final Effect effect;
  private final Availability availability;

  /**
   * Declares a built-in.
   *
   * @param names the canonical name, then aliases
   */
  public Builtin(Signature signature, Effect effect, Availability availability, String... names) {
    this.names = List.of(names);
    this.signature = signature;
    this.effect = effect;
    this.availability = availability;
  }

  /** Declares a built-in that is available in all probes. */
  public Builtin(Signature signature, Effect effect, String... names) {
    this(signature, effect, Availability.EVERYWHERE, names);
  }

  /** A value with a fixed type. */
  public abstract static class Value extends Builtin {
    private final Type type;

    protected Value(Type type, Effect effect, String... names) {
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

  /**
   * A function that is expressed in the language. One that some arguments cannot expand has a
   * typing rule, which reports them.
   */
  public abstract static class Macro extends Builtin {
    protected Macro(Signature signature, Effect effect, String... names) {
      super(signature, effect, names);
    }

    protected Macro(
        Signature signature, Effect effect, Availability availability, String... names) {
      super(signature, effect, availability, names);
    }

    @Override
    public Optional<Type> type(Expr.Call call, Typing typing) {
      throw new IllegalStateException("\"" + this + "\" was not expanded");
    }
  }

  /** Returns the built-in that is called. */
  public static Builtin of(Expr.Call call) {
    return (Builtin) call.function();
  }

  /** Returns all names, the canonical one first. */
  @Override
  public final List<String> names() {
    return names;
  }

  /** Returns the parameters. */
  public final Signature signature() {
    return signature;
  }

  @Override
  public final boolean isKeyword(String word) {
    return signature.isKeyword(word);
  }

  /** Returns its effect. */
  public final Effect effect() {
    return effect;
  }

  /** Returns whether it changes the system, and so is refused unless that is allowed. */
  public boolean isUnsafe() {
    return false;
  }

  /** Returns the probes in which it is available. */
  public final Availability availability() {
    return availability;
  }

  /** Returns what its numbers measure, where their type does not tell. */
  public TableSchema.Unit unit() {
    return TableSchema.Unit.NONE;
  }

  /**
   * Types a call and its arguments, whose number the signature accepts; empty after an error, or if
   * the call depends on a map whose type is not known yet.
   */
  public abstract Optional<Type> type(Expr.Call call, Typing typing);

  /**
   * Returns the expansion of a call, for built-ins that are expressed in the language and so need
   * no code generator. The signature accepts the call's number of arguments.
   */
  public Optional<Expr> expansion(Expr.Call call) {
    return Optional.empty();
  }

  /** Returns the expansion of a call as a statement. */
  public Optional<Statement> statement(Expr.Call call) {
    return expansion(call).map(expr -> new Statement.Evaluate(expr, call.span()));
  }

  /** Returns the entry of the language reference. Loaded only when shown. */
  public abstract Documentation documentation();

  @Override
  public final String toString() {
    return canonicalName();
  }
}
