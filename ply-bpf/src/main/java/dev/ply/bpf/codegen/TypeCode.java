package dev.ply.bpf.codegen;

import dev.ply.builtin.catalog.TypeBuiltins;
import dev.ply.ir.Expr;

/** Generates the constants that questions about types are. */
final class TypeCode {
  private TypeCode() {}

  static void addTo(BuiltinTable codes) {
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
