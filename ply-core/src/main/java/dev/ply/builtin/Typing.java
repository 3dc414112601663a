package dev.ply.builtin;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.util.Optional;

/**
 * What the typing rule of a built-in sees: the types of its arguments, the probe and the target it
 * is used on, the script's maps. A rule that finds an error reports it and has no type.
 */
public interface Typing {
  /** Returns where errors go. */
  Diagnostics diagnostics();

  /** Returns the system that the script is for. */
  Target target();

  /** Returns the format of the record, in tracepoints. */
  Optional<TracepointFormat> tracepoint();

  /** Types an expression and all it is made of; each argument must be typed once. */
  Optional<Type> apply(Expr expr);

  /** Returns the type an expression was found to have. */
  Optional<Type> typeOf(Expr expr);

  /**
   * Returns the integer type that a value of {@code type} computes as, or reports that it is none.
   *
   * @param role of the expression, the beginning of the message
   */
  Optional<IntType> integer(Type type, Expr expr, String role, String... hints);

  /** Returns the type of what the probed function returns, or reports that it has none. */
  Optional<Type> result(Expr.Call call);

  /** Returns the structure that {@code data} and {@code args} point to; empty if it is unknown. */
  Optional<StructType> record(Expr.Call call);

  /** Returns the structure of the saved registers. */
  StructType registers();

  /** Returns the type of a machine register. */
  IntType word();

  /** Reports a map that is used as a whole if nothing is ever stored in it. */
  void wholeMap(Expr.MapRead read);

  /** Returns whether a map without its keys is a table, not the one value of a map without keys. */
  boolean isTable(Expr.MapRead read);

  /** Returns whether the map's type is known. */
  boolean isKnown(Expr.MapRead read);

  /** Types an argument that must be a number. */
  default Optional<IntType> number(Expr.Call call, int index, String role) {
    Expr argument = call.arguments().get(index);
    return apply(argument).flatMap(type -> integer(type, argument, role));
  }

  /** Types an argument that must be a string; returns whether it is one. */
  default boolean isString(Expr.Call call, int index) {
    Expr argument = call.arguments().get(index);
    Optional<Type> type = apply(argument);
    if (type.isPresent() && !type.get().isText()) {
      diagnostics()
          .error(
              DiagnosticCode.TYPE_MISMATCH,
              argument.span(),
              "\""
                  + call.function().canonicalName()
                  + "\" compares texts, "
                  + type.get().withArticle()
                  + " is none");
    }
    return type.filter(Type::isText).isPresent();
  }
}
