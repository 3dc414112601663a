package dev.ply.builtin.catalog;

import static dev.ply.builtin.catalog.EventBuiltins.isBareMap;
import static dev.ply.diagnostic.DiagnosticCode.BAD_FORMAT;

import dev.ply.builtin.Typing;
import dev.ply.ir.Expr;
import dev.ply.text.PrintfFormat;
import dev.ply.text.PrintfFormat.Conversion;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Checks the arguments of a {@code printf} against its format. */
final class FormatCheck {
  private final Typing typing;

  FormatCheck(Typing typing) {
    this.typing = typing;
  }

  /** Types the arguments and reports those that do not fit their conversion. */
  void apply(Expr.Call call) {
    Expr format = call.arguments().get(0);
    typing.apply(format);
    List<Expr> values = call.arguments().subList(1, call.arguments().size());
    List<Conversion> users =
        format instanceof Expr.StringLiteral literal ? users(literal) : List.of();
    for (int i = 0; i < values.size(); i++) {
      boolean isDefault = i >= users.size() || users.get(i).kind() == Conversion.Kind.DEFAULT;
      if (isWholeMap(values.get(i)) && (isDefault || !isNumber(values.get(i)))) {
        typing.wholeMap((Expr.MapRead) values.get(i));
      } else {
        EventBuiltins.printable(values.get(i), typing);
      }
    }
    if (format instanceof Expr.StringLiteral literal) {
      checkFormat(literal, values);
    } else {
      typing
          .diagnostics()
          .error(
              BAD_FORMAT,
              format.span(),
              "the format of \""
                  + call.function().canonicalName()
                  + "\" must be a string written out",
              "write " + call.function().canonicalName() + "(\"%s\", …) to show a string");
    }
  }

  /** Returns the conversion that shows or uses each value. */
  private static List<Conversion> users(Expr.StringLiteral format) {
    return PrintfFormat.parse(format.value()).conversions().stream()
        .flatMap(conversion -> Collections.nCopies(conversion.arguments(), conversion).stream())
        .toList();
  }

  /** A map without keys or aggregation is passed by value. */
  private boolean isWholeMap(Expr expr) {
    return isBareMap(expr) && typing.isTable((Expr.MapRead) expr) && typing.typeOf(expr).isEmpty();
  }

  private boolean isNumber(Expr wholeMap) {
    return typing.isNumber((Expr.MapRead) wholeMap);
  }

  /** For a map without a type, that is the error to report, not the conversion. */
  private boolean isKnown(Expr wholeMap) {
    return typing.isKnown((Expr.MapRead) wholeMap);
  }

  private void checkFormat(Expr.StringLiteral format, List<Expr> values) {
    List<Conversion> conversions = PrintfFormat.parse(format.value()).conversions();
    int wanted = conversions.stream().mapToInt(Conversion::arguments).sum();
    if (wanted != values.size()) {
      String message =
          "the format has "
              + counted(conversions.size(), "conversion")
              + (wanted == conversions.size() ? "" : " with " + counted(wanted, "argument"))
              + " for "
              + counted(values.size(), "value");
      typing.diagnostics().error(BAD_FORMAT, format.span(), message);
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
    Optional<Type> type = typing.typeOf(value);
    if ((isWholeMap(value) && isKnown(value)) || (type.isPresent() && !type.get().isScalar())) {
      typing
          .diagnostics()
          .error(
              BAD_FORMAT,
              value.span(),
              "the \"*\" of \""
                  + conversion.text()
                  + "\" takes a number; this is "
                  + type.map(Type::withArticle).orElse("a map"));
    }
  }

  private void checkConversion(Conversion conversion, Expr value) {
    if (isWholeMap(value)) {
      if (conversion.kind() != Conversion.Kind.DEFAULT && isKnown(value)) {
        typing
            .diagnostics()
            .error(
                BAD_FORMAT,
                value.span(),
                "\"" + conversion.text() + "\" cannot show a whole map",
                "%v can");
      }
      return;
    }
    Optional<Type> known = typing.typeOf(value);
    if (known.isEmpty() || known.get() instanceof VoidType) {
      return;
    }
    Type type = known.get();
    boolean fits =
        switch (conversion.kind()) {
          case INTEGER, POINTER, SYMBOL, FLAGS -> type.isScalar() && !isProbe(type);
          case FRACTION -> isFloatingPoint(type);
          case BUFFER -> isBuffer(type);
          case TEXT -> !isAddress(type) || isNamed(type);
          case DEFAULT -> true;
        };
    if (!fits) {
      typing
          .diagnostics()
          .error(
              BAD_FORMAT,
              value.span(),
              "\"" + conversion.text() + "\" cannot show " + type.withArticle(),
              instead(conversion, type));
    }
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static String instead(Conversion conversion, Type type) {
    if (conversion.kind() == Conversion.Kind.TEXT && type instanceof PointerType) {
      return "str(…) reads the string at an address; %d shows the address";
    }
    if (conversion.kind() == Conversion.Kind.BUFFER && type.isScalar()) {
      return "buf(address, size) are the bytes at an address";
    }
    return (isString(type) ? "%s" : type.isScalar() ? "%d" : isFloatingPoint(type) ? "%f" : "%v")
        + " can";
  }

  private static boolean isBuffer(Type type) {
    return type instanceof Type.EncodedString string
        && string.encoding() instanceof Encoding.Buffer;
  }

  private static boolean isFloatingPoint(Type type) {
    return type instanceof Type.ArrayType array && array.isFloatingPoint();
  }

  private static boolean isString(Type type) {
    return type.isText() || isProbe(type) || type instanceof Type.EncodedString;
  }

  /** A string at an address is meant, not the address. */
  private static boolean isAddress(Type type) {
    return type instanceof PointerType
        || (type instanceof IntType integer && integer.format() == IntFormat.HEX);
  }

  /** Returns whether integers of a type are strings in output. */
  private static boolean isNamed(Type type) {
    return type instanceof IntType integer
        && (!integer.names().names().isEmpty() || isNamed(integer.format()));
  }

  private static boolean isNamed(IntFormat format) {
    return switch (format) {
      case PROBE, SYMBOL, CGROUP, TIME_OF_DAY -> true;
      case STACK, FUNCTIONS, USER_STACK, USER_FUNCTIONS -> true;
      case DECIMAL,
          BOOLEAN,
          AVERAGE,
          CHARACTER,
          PID,
          UID,
          CPU,
          HEX,
          DURATION,
          DURATION_SUM,
          DURATION_AVERAGE,
          SINCE_BOOT,
          FLOATING_POINT,
          DATA_LOCATION ->
          false;
    };
  }

  /** Probe sites are numbers in programs and strings in output. */
  private static boolean isProbe(Type type) {
    return type instanceof IntType integer && integer.format() == IntFormat.PROBE;
  }
}
