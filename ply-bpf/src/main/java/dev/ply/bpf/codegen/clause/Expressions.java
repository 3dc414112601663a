package dev.ply.bpf.codegen.clause;

import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Label;
import dev.ply.ir.Expr;
import dev.ply.type.Type.IntType;

/** Compiles expressions that fit a register: numbers, addresses and conditions. */
public interface Expressions {
  /** Compiles a scalar; its type is {@link #typeOf}. */
  ScalarCode scalar(Expr expr);

  /** Compiles a scalar and converts it. */
  ScalarCode scalar(Expr expr, IntType type);

  /** Evaluates an expression for its effect. */
  void evaluate(Expr expr);

  /** Returns the integer type that a scalar is computed in. */
  IntType typeOf(Expr expr);

  /** Jumps to {@code target} if the condition is {@code sense}, else falls through. */
  void jumpIf(Expr condition, boolean sense, Label target);

  /** Converts a condition to 0 or 1. */
  ScalarCode truth(Expr condition);

  /** Loads an integer, extended to the width of its type's arithmetic. */
  ScalarCode load(IntType type, Place from);

  /** Extends the lowest bytes of a register to the width of their type's arithmetic. */
  ScalarCode extended(ScalarCode scalar, IntType type);

  /** Loads a saved register from the probe's context. */
  ScalarCode word(int offset);
}
