package dev.ply;

import dev.ply.ir.Expr;
import dev.ply.ir.SourceSpan;

/**
 * A scratch variable of a probe, which keeps a value while the probe runs: a number, an address or
 * a string. Made by {@link Values#scratch}.
 */
public final class Scratch extends Value {
  private final String name;

  Scratch(String name, SourceSpan span) {
    super(new Expr.VariableRead(name, span));
    this.name = name;
  }

  /** Each use is an expression of its own: in another block it may be another variable. */
  @Override
  public Expr expr() {
    return new Expr.VariableRead(name, super.expr().span());
  }

  /** Returns the name with its {@code $}. */
  String name() {
    return name;
  }
}
