package dev.ply.bpf.codegen.clause;

import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Label;
import dev.ply.ir.Expr;
import dev.ply.type.Type;

/** Compiles values of several parts: tuples, arrays and structures. */
public interface Aggregates {
  /** Returns whether an expression is part of a value that the program itself holds. */
  boolean isPart(Expr expr);

  /** Writes a value in the layout of {@code type}, whose strings may be longer than its own. */
  void write(Expr expr, Place to, Type type);

  /** Returns the location of a part of a value. */
  Place part(Expr expr);

  /** Loads a part that fits a register. */
  ScalarCode scalar(Expr expr);

  /** Jumps to {@code target} if the equality of two values is {@code sense}, else falls through. */
  void jumpIfEqual(Expr left, Expr right, boolean sense, Label target);
}
