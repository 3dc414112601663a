package dev.ply;

import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.SourceSpan;

/** A variable shared by probes. Created by {@link Values#variable}. */
public final class Variable extends Value {
  private final MapRef map;

  Variable(MapRef map, SourceSpan span) {
    super(new Expr.MapRead(map, span));
    this.map = map;
  }

  /** Returns whether the variable is not zero. */
  public Value isSet() {
    return this;
  }

  MapRef map() {
    return map;
  }
}
