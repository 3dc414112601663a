package dev.ply.builtin;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.selector.KernelSelector;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.Dialect;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The context of a built-in's typing rule: the types of its arguments, the probe, the target, the
 * script's maps. A rule that finds an error reports it and returns no type.
 */
public interface Typing {
  /** Returns the collector of errors. */
  Diagnostics diagnostics();

  /** Returns whose rules the script follows. */
  Dialect dialect();

  /** Returns the target. */
  Target target();

  /** Returns the size in bytes of strings whose size a call does not say, if the script sets it. */
  OptionalInt stringSize();

  /** Returns the program or library that is probed, if any. */
  Optional<String> binary();

  /** Returns the function that is probed by its types: in fentry, fexit and iterators. */
  Optional<KernelSelector.Function> function();

  /**
   * Returns the type that the kernel knows of an argument that scripts see as a number: in raw
   * tracepoints.
   */
  Optional<Type> knownType(Expr.Argument argument);

  /** Returns the format of the record, for tracepoints. */
  Optional<TracepointFormat> tracepoint();

  /** Types an expression and its subexpressions; each argument must be typed once. */
  Optional<Type> apply(Expr expr);

  /** Returns the value of an expression of numbers that is known when the script is compiled. */
  OptionalLong constant(Expr expr);

  /** Returns the type of an expression, if it has one. */
  Optional<Type> typeOf(Expr expr);

  /**
   * Returns the integer type that a value of {@code type} is computed in, or reports an error.
   *
   * @param role of the expression, the beginning of the message
   */
  Optional<IntType> integer(Type type, Expr expr, String role, String... hints);

  /** Returns the type of the probed function's result, or reports an error. */
  Optional<Type> result(Expr.Call call);

  /** Returns the structure that {@code data} or {@code args} points to, if known. */
  Optional<StructType> record(Expr.Call call);

  /** Returns whether the probe is an iterator over the kernel's objects. */
  boolean isIterator();

  /** Returns the structure of the saved registers. */
  StructType registers();

  /** Returns the type of a machine register. */
  IntType word();

  /** Reports a map that is used as a whole but never stored to. */
  void wholeMap(Expr.MapRead read);

  /**
   * Types the key of an entry, for any content; returns whether the map's type is known, or reports
   * that nothing is stored in it.
   */
  boolean entry(Expr.MapRead read);

  /** Records that programs observe the keys of a map. */
  void observeKeys(Expr.MapRead read);

  /**
   * Returns whether programs can iterate over a map whose keys they observe, or reports why not.
   */
  boolean iterates(Expr.MapRead read);

  /**
   * Returns whether a map without its keys is the whole table rather than a keyless map's value.
   */
  boolean isTable(Expr.MapRead read);

  /** Returns whether a map without its keys has one value, the number that it aggregates. */
  boolean isNumber(Expr.MapRead read);

  /** Returns whether the map's type is known. */
  boolean isKnown(Expr.MapRead read);

  /** Types an argument that must be an integer. */
  default Optional<IntType> number(Expr.Call call, int index, String role) {
    Expr argument = call.arguments().get(index);
    return apply(argument).flatMap(type -> integer(type, argument, role));
  }

  /** Types an argument that must be a string; returns whether it is. */
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
                  + "\" compares strings, not "
                  + type.get().withArticle());
    }
    return type.filter(Type::isText).isPresent();
  }
}
