package dev.ply.analysis;

import static dev.ply.diagnostic.DiagnosticCode.BAD_FORMAT;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNTYPED_MAP;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.result.PrintfFormat;
import dev.ply.result.PrintfFormat.Conversion;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.util.List;
import java.util.Optional;

/** Types the calls that send events to user space; none has a value. */
final class TypeEvent {
  private final TypeExpression expressions;
  private final MapSymbols symbols;
  private final Diagnostics diagnostics;

  TypeEvent(TypeExpression expressions, MapSymbols symbols, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.symbols = symbols;
    this.diagnostics = diagnostics;
  }

  /** Types {@code print}: of values, and of whole maps. */
  Optional<Type> print(Expr.Call node) {
    for (Expr argument : node.arguments()) {
      if (isBareMap(argument)) {
        wholeMap((Expr.MapRead) argument);
      } else {
        printable(argument);
      }
    }
    return Optional.of(new VoidType());
  }

  /** Types {@code clear}. */
  Optional<Type> clear(Expr.Call node) {
    Expr map = node.arguments().get(0);
    if (isBareMap(map)) {
      wholeMap((Expr.MapRead) map);
    } else {
      Optional<Type> type = expressions.apply(map);
      if (map instanceof Expr.MapRead entry) {
        diagnostics.error(
            TYPE_MISMATCH,
            map.span(),
            "\"clear\" empties a whole map, this is one entry",
            "clear(" + entry.map().name() + "); or, for the entry alone, delete");
      } else if (type.isPresent()) {
        diagnostics.error(
            TYPE_MISMATCH,
            map.span(),
            "\"clear\" empties a map, "
                + (type.get() instanceof VoidType
                    ? "this has no value"
                    : "this is " + TypeExpression.article(type.get())));
      }
    }
    return Optional.of(new VoidType());
  }

  private static boolean isBareMap(Expr expr) {
    return expr instanceof Expr.MapRead read && read.map().keys().isEmpty();
  }

  private void wholeMap(Expr.MapRead read) {
    String name = read.map().name();
    symbols.mention(name);
    if (symbols.content(name).isEmpty() && !symbols.isObscure(name)) {
      diagnostics.error(UNTYPED_MAP, read.span(), "nothing is ever stored in map \"" + name + "\"");
    }
  }

  private void printable(Expr argument) {
    Optional<Type> type = expressions.apply(argument);
    if (type.isPresent() && type.get() instanceof VoidType) {
      diagnostics.error(TYPE_MISMATCH, argument.span(), "this has no value that could be printed");
    }
  }

  /** Types {@code printf}. */
  Optional<Type> printf(Expr.Call node) {
    Expr format = node.arguments().get(0);
    expressions.apply(format);
    List<Expr> values = node.arguments().subList(1, node.arguments().size());
    for (Expr value : values) {
      if (isWholeMap(value)) {
        wholeMap((Expr.MapRead) value);
      } else {
        printable(value);
      }
    }
    if (format instanceof Expr.StringLiteral literal) {
      checkFormat(literal, values);
    } else {
      diagnostics.error(
          BAD_FORMAT, format.span(), "the format of \"printf\" must be a string written out");
    }
    return Optional.of(new VoidType());
  }

  /** A map that has no keys and does not aggregate is its one value, to a format. */
  private boolean isWholeMap(Expr expr) {
    if (!isBareMap(expr)) {
      return false;
    }
    String name = ((Expr.MapRead) expr).map().name();
    boolean hasKeys = symbols.keys(name).map(keys -> !keys.isEmpty()).orElse(true);
    return hasKeys || symbols.content(name).filter(MapContent.Plain.class::isInstance).isEmpty();
  }

  /** Of a map that nothing is known of, that is the fault, and no format. */
  private boolean isKnown(Expr wholeMap) {
    return symbols.content(((Expr.MapRead) wholeMap).map().name()).isPresent();
  }

  private void checkFormat(Expr.StringLiteral format, List<Expr> values) {
    List<Conversion> conversions = PrintfFormat.parse(format.value()).conversions();
    int wanted = conversions.stream().mapToInt(Conversion::arguments).sum();
    if (wanted != values.size()) {
      diagnostics.warning(
          BAD_FORMAT,
          format.span(),
          "the format has "
              + conversions.size()
              + " conversions"
              + (wanted == conversions.size() ? "" : " with " + wanted + " arguments")
              + " for "
              + values.size()
              + " values");
    }
    int next = 0;
    for (Conversion conversion : conversions) {
      int end = next + conversion.arguments();
      for (; next < end - 1 && next < values.size(); next++) {
        checkStar(conversion, values.get(next));
      }
      if (next < values.size()) {
        checkConversion(conversion, values.get(next));
      }
      next = end;
    }
  }

  private void checkStar(Conversion conversion, Expr value) {
    Optional<Type> type = expressions.typeOf(value);
    if ((isWholeMap(value) && isKnown(value)) || (type.isPresent() && !type.get().isScalar())) {
      diagnostics.error(
          BAD_FORMAT,
          value.span(),
          "the \"*\" of \""
              + conversion.text()
              + "\" takes a number, this is "
              + type.map(TypeExpression::article).orElse("a map"));
    }
  }

  private void checkConversion(Conversion conversion, Expr value) {
    if (isWholeMap(value)) {
      if (conversion.kind() != Conversion.Kind.DEFAULT && isKnown(value)) {
        diagnostics.error(
            BAD_FORMAT,
            value.span(),
            "\"" + conversion.text() + "\" cannot show a whole map",
            "%v can");
      }
      return;
    }
    Optional<Type> known = expressions.typeOf(value);
    if (known.isEmpty() || known.get() instanceof VoidType) {
      return;
    }
    Type type = known.get();
    boolean fits =
        switch (conversion.kind()) {
          case INTEGER, POINTER -> type.isScalar() && !isProbe(type);
          case FRACTION -> false;
          case TEXT -> TypeExpression.isText(type) || isProbe(type);
          case DEFAULT -> true;
        };
    if (!fits) {
      diagnostics.error(
          BAD_FORMAT,
          value.span(),
          "\"" + conversion.text() + "\" cannot show " + TypeExpression.article(type),
          instead(conversion, type));
    }
  }

  private static String instead(Conversion conversion, Type type) {
    if (conversion.kind() == Conversion.Kind.TEXT && type instanceof PointerType) {
      return "str(…) reads the text at an address; %d shows the address";
    }
    boolean isText = TypeExpression.isText(type) || isProbe(type);
    return (isText ? "%s" : type.isScalar() ? "%d" : "%v") + " can";
  }

  /** Places are numbers to programs and texts to people. */
  private static boolean isProbe(Type type) {
    return type instanceof IntType integer && integer.format() == IntFormat.PROBE;
  }

  /** Types {@code exit}. */
  Optional<Type> exit(Expr.Call node) {
    if (!node.arguments().isEmpty()) {
      Expr status = node.arguments().get(0);
      expressions
          .apply(status)
          .ifPresent(type -> expressions.integer(type, status, "the exit status"));
    }
    return Optional.of(new VoidType());
  }
}
