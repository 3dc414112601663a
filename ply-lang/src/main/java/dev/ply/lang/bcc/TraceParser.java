package dev.ply.lang.bcc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Splits specifiers of trace into their parts: probe, signature, filter, format and values. */
final class TraceParser {
  private static final String FORM =
      "a specifier is [{p,r,t,u}:[library|category]:]function[(signature)] [(filter)] [\"format\","
          + " value, …]";

  /** A kind, a library and a function. */
  private static final int PARTS = 3;

  private TraceParser() {}

  /** Parses a specifier. */
  static TraceSpecifier parse(Slice text) throws SpecifierException {
    Slice whole = text.strip();
    int end = 0;
    while (end < whole.length() && " \t\n(\"".indexOf(whole.text().charAt(end)) < 0) {
      end++;
    }
    Slice probe = whole.part(0, end);
    if (probe.length() == 0) {
      throw new SpecifierException(whole.span(), "this has no function", FORM);
    }
    Optional<Slice> signature = Optional.empty();
    if (end < whole.length() && whole.text().charAt(end) == '(') {
      int close = closing(whole, end);
      signature = Optional.of(whole.part(end + 1, close));
      end = close + 1;
    }
    ProbedFunction function = function(probe, signature);
    Slice rest = whole.part(end, whole.length()).strip();
    Optional<Slice> filter = Optional.empty();
    if (rest.text().startsWith("(")) {
      int close = closing(rest, 0);
      filter = Optional.of(rest.part(1, close).strip());
      rest = rest.part(close + 1, rest.length()).strip();
    }
    if (rest.length() == 0) {
      return new TraceSpecifier(whole, function, filter, Optional.empty(), List.of());
    }
    if (!rest.text().startsWith("\"")) {
      throw new SpecifierException(
          rest.span(), "the format of the message is missing: it is in double quotes", FORM);
    }
    int quote = endOfString(rest, 0);
    Slice format = rest.part(0, quote + 1);
    Slice after = rest.part(quote + 1, rest.length()).strip();
    if (after.length() > 0 && !after.text().startsWith(",")) {
      throw new SpecifierException(
          after.span(), "a comma is missing between the format and its values", FORM);
    }
    List<Slice> values =
        after.length() <= 1 ? List.of() : commas(after.part(1, after.length()).strip());
    return new TraceSpecifier(whole, function, filter, Optional.of(format), values);
  }

  /** The kind can be left out, and so can both kind and library. */
  private static ProbedFunction function(Slice probe, Optional<Slice> signature)
      throws SpecifierException {
    List<Slice> parts = probe.split(':');
    ProbedFunction.Kind kind = ProbedFunction.Kind.ENTRY;
    Slice library = probe.part(0, 0);
    Slice function = parts.get(parts.size() - 1);
    if (parts.size() >= PARTS) {
      Slice letter = parts.get(0);
      kind = letter.length() == 0 ? kind : ProbedFunction.Kind.read(letter);
      int afterLetter = letter.length() + 1;
      int library1 = parts.get(1).length();
      if (kind == ProbedFunction.Kind.USDT || kind == ProbedFunction.Kind.TRACEPOINT) {
        library = parts.get(1);
        function = probe.part(afterLetter + library1 + 1, probe.length());
      } else {
        library = probe.part(afterLetter, probe.length() - function.length() - 1);
      }
    } else if (parts.size() == 2) {
      library = parts.get(0);
      if (ProbedFunction.Kind.of(library.text()).isPresent()) {
        throw SpecifierParser.withoutLibrary(library.text(), function);
      }
    }
    if (function.length() == 0) {
      throw new SpecifierException(
          probe.span(), "this has no function: \"" + probe.text() + "\"", FORM);
    }
    if (signature.isPresent()
        && (kind == ProbedFunction.Kind.USDT || kind == ProbedFunction.Kind.TRACEPOINT)) {
      throw new SpecifierException(
          signature.get().span(),
          "only functions have a signature",
          kind == ProbedFunction.Kind.USDT
              ? "arg1, arg2, … are the probe's arguments; a filter has a blank before it"
              : "args->field is a field of the tracepoint; a filter has a blank before it");
    }
    return new ProbedFunction(
        kind,
        library,
        function,
        signature.isPresent() ? Signatures.parse(signature.get()) : List.of());
  }

  /** Returns the index of the parenthesis that ends the one at {@code open}. */
  private static int closing(Slice slice, int open) throws SpecifierException {
    String text = slice.text();
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\'') {
        i = endOfString(slice, i);
      } else if (c == '(') {
        depth++;
      } else if (c == ')' && --depth == 0) {
        return i;
      }
    }
    throw new SpecifierException(
        slice.part(open, open + 1).span(), "this parenthesis is not closed", FORM);
  }

  /** Returns the index of the quote that ends the string at {@code start}. */
  private static int endOfString(Slice slice, int start) throws SpecifierException {
    String text = slice.text();
    for (int i = start + 1; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == text.charAt(start)) {
        return i;
      }
    }
    throw new SpecifierException(
        slice.part(start, slice.length()).span(), "the string has no end", FORM);
  }

  /** Splits at commas that are in no string and no parentheses. */
  private static List<Slice> commas(Slice slice) throws SpecifierException {
    List<Slice> parts = new ArrayList<>();
    String text = slice.text();
    int from = 0;
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\'') {
        i = endOfString(slice, i);
      } else if (c == '(' || c == '[') {
        depth++;
      } else if (c == ')' || c == ']') {
        depth--;
      } else if (c == ',' && depth <= 0) {
        parts.add(slice.part(from, i).strip());
        from = i + 1;
      }
    }
    parts.add(slice.part(from, text.length()).strip());
    return parts;
  }
}
