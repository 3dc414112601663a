package dev.ply;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;

/**
 * A variable shared by probes. Created by {@link Values#variable}. The program reads it by {@link
 * Session#read(Variable)} and changes it by {@link Session#set(Variable, long, Object...)}.
 */
public final class Variable extends Value {
  private final MapRef map;

  Variable(MapRef map, SourceSpan span) {
    super(new Expr.MapRead(map, span));
    this.map = map;
  }

  /** {@return whether the variable is not zero} */
  public Value isSet() {
    return this;
  }

  /**
   * Returns the name.
   *
   * @return the name, as {@link Session#table} takes it
   */
  public String name() {
    return map.name();
  }

  MapRef map() {
    return map;
  }
}
