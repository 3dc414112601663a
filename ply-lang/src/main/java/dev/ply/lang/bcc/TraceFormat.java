package dev.ply.lang.bcc;

import dev.ply.builtin.catalog.SymbolBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.ir.Expr;
import dev.ply.ir.TypeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The format of a message: C's conversions, which convert values to the type that they have in C,
 * and {@code %K} and {@code %U} for addresses of the kernel and of the process.
 */
final class TraceFormat {
  private static final Pattern CONVERSION =
      Pattern.compile("%(?:%|([-+ #0]*\\d{0,4}(?:\\.\\d{0,4})?)((?:hh|h|ll|l|z)?)(.?))");

  private static final Map<String, String> SIGNED =
      Map.of("hh", "s8", "h", "s16", "l", "long", "ll", "s64", "z", "long");

  private static final Map<String, String> UNSIGNED =
      Map.of("hh", "u8", "h", "u16", "l", "unsigned long", "ll", "u64", "z", "unsigned long");

  private final TraceSpecifier specifier;
  private final SpecifierScope scope;
  private final int stringSize;
  private final StringBuilder text = new StringBuilder();
  private final List<Expr> values = new ArrayList<>();

  private TraceFormat(TraceSpecifier specifier, SpecifierScope scope, int stringSize) {
    this.specifier = specifier;
    this.scope = scope;
    this.stringSize = stringSize;
  }

  /** Reads the message of a specifier; without one it is empty. */
  static TraceFormat of(TraceSpecifier specifier, SpecifierScope scope, int stringSize)
      throws SpecifierException {
    TraceFormat format = new TraceFormat(specifier, scope, stringSize);
    if (specifier.format().isPresent()) {
      format.read(specifier.format().get());
    }
    return format;
  }

  /** Returns the format for {@code printf}. */
  String text() {
    return text.toString();
  }

  /** Returns what it shows. */
  List<Expr> values() {
    return values;
  }

  private void read(Slice quoted) throws SpecifierException {
    String format = CString.decode(quoted.text());
    Matcher matcher = CONVERSION.matcher(format);
    int copied = 0;
    int next = 0;
    while (matcher.find()) {
      text.append(format, copied, matcher.start());
      copied = matcher.end();
      if (matcher.group().equals("%%")) {
        text.append("%%");
        continue;
      }
      if (next == specifier.values().size()) {
        throw wrongCount(quoted, format);
      }
      add(quoted, matcher, specifier.values().get(next++));
    }
    text.append(format.substring(copied));
    if (next < specifier.values().size()) {
      throw wrongCount(quoted, format);
    }
  }

  private SpecifierException wrongCount(Slice quoted, String format) {
    long conversions =
        CONVERSION.matcher(format).results().filter(one -> !one.group().equals("%%")).count();
    return new SpecifierException(
        quoted.span(),
        SpecifierParser.count((int) conversions, "conversion")
            + " and "
            + SpecifierParser.count(specifier.values().size(), "value"),
        "each conversion shows a value; %% is a percent sign");
  }

  private void add(Slice quoted, Matcher conversion, Slice value) throws SpecifierException {
    Expr shown = CExpressionParser.parse(value, scope);
    String options = conversion.group(1);
    String length = conversion.group(2);
    String letter = conversion.group(3);
    switch (letter) {
      case "s" -> add(options + "s", string(shown));
      case "d", "i" -> add(options + "d", number(shown, SIGNED.getOrDefault(length, "int")));
      case "u", "x", "X", "o" ->
          add(options + letter, number(shown, UNSIGNED.getOrDefault(length, "unsigned int")));
      case "c" -> add(options + "c", number(shown, "u8"));
      case "p" ->
          add(
              options + "p",
              new Expr.Cast(new TypeName("void", 1), number(shown, "u64"), shown.span()));
      case "K" ->
          add(
              options + "s",
              new Expr.Call(SymbolBuiltins.KSYM, List.of(number(shown, "u64")), shown.span()));
      case "U" ->
          add(
              options + "s",
              new Expr.Call(SymbolBuiltins.USYM, List.of(number(shown, "u64")), shown.span()));
      default ->
          throw new SpecifierException(
              quoted.span(),
              "unknown conversion \"" + conversion.group() + "\"",
              "there are %d %u %x with h, l and ll, %s for strings, %c, %p, and %K and %U for"
                  + " symbols of the kernel and of the process");
    }
  }

  private void add(String conversion, Expr value) {
    text.append('%').append(conversion);
    values.add(value);
  }

  private Expr string(Expr value) {
    return Addresses.string(value, stringSize, specifier.probe().isInUserSpace());
  }

  private static Expr number(Expr value, String type) {
    TypeName name = CType.integer(type).name();
    boolean isName = value instanceof Expr.Call call && call.function() == ThreadBuiltins.COMM;
    return isName || (value instanceof Expr.Cast cast && cast.type().equals(name))
        ? value
        : new Expr.Cast(name, Addresses.withoutType(value, true), value.span());
  }
}
