package dev.ply.analysis;

import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.target.TracepointFormat;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import java.util.Optional;
import java.util.stream.Collectors;

/** Types what makes texts of memory: strings, bytes, and the dynamic data of a tracepoint. */
final class TypeMemory {
  /** Bytes a string takes, its NUL included, where the script names no length. */
  private static final int DEFAULT_STRING_SIZE = 128;

  private static final int MAX_STRING_SIZE = 512;

  private final TypeExpression expressions;
  private final Optional<TracepointFormat> tracepoint;
  private final Diagnostics diagnostics;

  TypeMemory(
      TypeExpression expressions, Optional<TracepointFormat> tracepoint, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.tracepoint = tracepoint;
    this.diagnostics = diagnostics;
  }

  /** Types {@code str} and {@code mem}. */
  Optional<Type> read(Expr.Call node) {
    String name = node.function().canonicalName();
    Expr address = node.arguments().get(0);
    Optional<Type> type = expressions.apply(address);
    boolean readable = type.isPresent() && type.get().isScalar();
    if (type.isPresent() && !readable) {
      diagnostics.error(
          TYPE_MISMATCH,
          address.span(),
          "\""
              + name
              + "\" reads what is at an address, "
              + TypeExpression.article(type.get())
              + " is none",
          TypeExpression.isText(type.get())
              ? new String[] {"this is text already: leave out \"" + name + "\""}
              : new String[0]);
    }
    Optional<Type> text = text(node);
    return readable ? text : Optional.empty();
  }

  /** Types {@code dyn}. */
  Optional<Type> dynamic(Expr.Call node) {
    Expr field = node.arguments().get(0);
    Optional<Type> type = expressions.apply(field);
    boolean dynamic =
        type.isPresent()
            && type.get() instanceof IntType integer
            && integer.format() == IntFormat.DATA_LOCATION;
    if (type.isPresent() && !dynamic) {
      diagnostics.error(
          TYPE_MISMATCH,
          field.span(),
          "\"dyn\" reads dynamic data, " + TypeExpression.article(type.get()) + " is none",
          dynamicHint(type.get()));
    }
    Optional<Type> text = text(node);
    return dynamic ? text : Optional.empty();
  }

  private String[] dynamicHint(Type type) {
    if (TypeExpression.isText(type)) {
      return new String[] {"this is text already: leave out \"dyn\""};
    }
    String fields =
        tracepoint.stream()
            .flatMap(format -> format.fields().stream())
            .filter(
                field ->
                    field.type() instanceof IntType integer
                        && integer.format() == IntFormat.DATA_LOCATION)
            .map(field -> "data->" + field.name())
            .collect(Collectors.joining(", "));
    return fields.isEmpty()
        ? new String[] {"this tracepoint has none; a string at an address is read by str(p)"}
        : new String[] {"fields that are declared __data_loc are some, here: " + fields};
  }

  /**
   * Types the text that a call makes of memory; the second argument, if there is one, is its size.
   */
  private Optional<Type> text(Expr.Call node) {
    if (node.arguments().size() < 2) {
      return Optional.of(ArrayType.chars(DEFAULT_STRING_SIZE));
    }
    Expr length = node.arguments().get(1);
    expressions.apply(length);
    if (!(length instanceof Expr.IntLiteral literal)) {
      diagnostics.error(
          TYPE_MISMATCH,
          length.span(),
          "the length of a text must be a number written out",
          "its memory is laid out before the program runs");
      return Optional.empty();
    }
    if (Long.compareUnsigned(literal.value(), MAX_STRING_SIZE) > 0) {
      diagnostics.error(
          OUT_OF_RANGE,
          length.span(),
          "a text of " + Long.toUnsignedString(literal.value()) + " bytes cannot be read",
          "up to " + MAX_STRING_SIZE + " bytes can, the final NUL of a string included");
      return Optional.empty();
    }
    // A text of no bytes is one that is always empty.
    return Optional.of(ArrayType.chars(Math.max(1, (int) literal.value())));
  }
}
