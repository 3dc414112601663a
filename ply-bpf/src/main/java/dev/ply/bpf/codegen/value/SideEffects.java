package dev.ply.bpf.codegen.value;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.Effect;
import dev.ply.ir.Expr;
import dev.ply.ir.Walker;

/** Finds expressions with side effects, which must be evaluated in order. */
public final class SideEffects {
  private SideEffects() {}

  /** Returns whether an expression contains statements. */
  public static boolean areStatements(Expr expr) {
    StatementFinder finder = new StatementFinder();
    finder.walk(expr);
    return finder.isFound;
  }

  private static final class StatementFinder extends Walker {
    private boolean isFound;

    @Override
    public Walker visit(Expr.Block node) {
      isFound = true;
      return this;
    }
  }

  /** Returns whether an expression changes a variable or a map. */
  static boolean in(Expr expr) {
    ChangeFinder finder = new ChangeFinder();
    finder.walk(expr);
    return finder.isFound;
  }

  /** Finds changes in what is evaluated; types of operands are not. */
  private static final class ChangeFinder extends Walker {
    private boolean isFound;

    @Override
    public Walker visit(Expr.Step node) {
      isFound = true;
      return this;
    }

    @Override
    public Walker visit(Expr.Block node) {
      isFound = true;
      return this;
    }

    @Override
    public Walker visit(Expr.Call node) {
      isFound |= Builtin.of(node).effect() == Effect.CHANGE;
      return super.visit(node);
    }

    @Override
    public Walker visit(Expr.Cast node) {
      walk(node.operand());
      return this;
    }

    @Override
    public Walker visit(Expr.SizeOf node) {
      return this;
    }

    @Override
    public Walker visit(Expr.SizeOfType node) {
      return this;
    }

    @Override
    public Walker visit(Expr.OffsetOf node) {
      return this;
    }
  }
}
