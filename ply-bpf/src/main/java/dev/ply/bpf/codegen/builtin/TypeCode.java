package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.builtin.catalog.TypeBuiltins;
import dev.ply.ir.Expr;

/** Generates the constants that questions about types are. */
public final class TypeCode {
  private TypeCode() {}

  /** Adds the generators of the built-ins of types. */
  public static void addTo(BuiltinTable codes) {
    for (TypeBuiltins.Predicate predicate : TypeBuiltins.predicates()) {
      codes.scalar(
          predicate,
          Cost.REGISTER,
          (clause, call) -> {
            Expr argument = call.arguments().get(0);
            boolean holds = predicate.holds(argument, clause.clause().typeOf(argument));
            return new ScalarCode.Constant(holds ? 1 : 0);
          });
    }
    codes.event(TypeBuiltins.ASSERT_STR, (events, call) -> {});
  }
}
