package dev.ply;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;

/**
 * A scratch variable, local to a run of a probe: a number, an address or a string. Created by
 * {@link Values#scratch}.
 */
public final class Scratch extends Value {
  private final String name;

  Scratch(String name, SourceSpan span) {
    super(new Expr.VariableRead(name, span));
    this.name = name;
  }

  /** Each use is a node of its own, since the name can denote another variable in another block. */
  @Override
  public Expr expr() {
    return new Expr.VariableRead(name, super.expr().span());
  }

  /** Returns the name with its {@code $}. */
  String name() {
    return name;
  }
}
