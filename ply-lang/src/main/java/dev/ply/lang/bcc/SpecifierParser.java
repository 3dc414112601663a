package dev.ply.lang.bcc;

import dev.ply.diagnostic.DiagnosticCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Splits specifiers into their parts, as argdist does: first at {@code #}, then at colons, types
 * and expressions at commas.
 */
final class SpecifierParser {
  private static final String FORM =
      "a specifier is"
          + " {p,r,t,u}:[library|category]:function(signature)[:type,…:expression,…[:filter]][#label]";

  private static final int FEWEST_PARTS = 3;
  private static final int MOST_PARTS = 6;

  /** The parts by their index. */
  private static final int TYPES = 3;

  private static final int EXPRESSIONS = 4;
  private static final int FILTER = 5;

  private SpecifierParser() {}

  /** The function is where its library or category should be. */
  static SpecifierException withoutLibrary(String letter, Slice function) {
    String text = function.text().strip();
    String hint =
        switch (letter) {
          case "t" -> "write t:sched:" + text + " for a tracepoint of sched";
          case "u" -> "write u:./server:" + text + " for a probe of ./server";
          default ->
              "write "
                  + letter
                  + "::"
                  + text
                  + " for a function of the kernel, "
                  + letter
                  + ":c:"
                  + text
                  + " for one of libc";
        };
    return new SpecifierException(
        function.span(),
        (letter.equals("t") ? "the category" : "the library")
            + " is missing before \""
            + text
            + "\"",
        hint);
  }

  /** Parses a specifier. */
  static Specifier parse(Collect collect, Slice whole) throws SpecifierException {
    List<Slice> labelled = whole.split('#');
    Optional<String> label =
        labelled.size() == 2 ? Optional.of(labelled.get(1).text()) : Optional.empty();
    List<Slice> parts = new ArrayList<>(labelled.get(0).strip().split(':'));
    if (parts.size() > 1 && parts.get(1).text().indexOf('(') > 0) {
      throw withoutLibrary(parts.get(0).text(), parts.get(1));
    }
    if (parts.size() < FEWEST_PARTS) {
      throw new SpecifierException(
          whole.span(), "this has no function: \"" + whole.text() + "\"", FORM);
    }
    if (parts.size() > MOST_PARTS) {
      throw new SpecifierException(parts.get(MOST_PARTS).span(), "this is one part too many", FORM);
    }
    Optional<String> oldLabel = oldLabel(parts);
    ProbedFunction.Kind kind = ProbedFunction.Kind.read(parts.get(0));
    Slice function = parts.get(2).strip();
    int open = function.text().indexOf('(');
    if (open <= 0 || !function.text().endsWith(")")) {
      throw new SpecifierException(
          function.span(),
          "\"" + function.text() + "\" is not a function with its parameters in parentheses",
          "they can be left out: " + (open < 0 ? function.text() : "function") + "()");
    }
    Slice signature = function.part(open + 1, function.length() - 1);
    return new Specifier(
        collect,
        whole,
        new ProbedFunction(
            kind,
            parts.get(1).strip(),
            function.part(0, open).strip(),
            Signatures.parse(signature)),
        columns(collect, kind, parts, whole),
        parts.stream().skip(FILTER).filter(part -> !part.text().isBlank()).findFirst(),
        label.or(() -> oldLabel).filter(text -> !text.isEmpty()));
  }

  /** Takes a label after a semicolon, as in argdist's first manuals, from the last part. */
  private static Optional<String> oldLabel(List<Slice> parts) {
    int index = parts.size() - 1;
    Slice last = parts.get(index);
    int semicolon = last.text().indexOf(';');
    if (semicolon < 0) {
      return Optional.empty();
    }
    parts.set(index, last.part(0, semicolon));
    return Optional.of(last.part(semicolon + 1, last.length()).text());
  }

  private static List<Specifier.Column> columns(
      Collect collect, ProbedFunction.Kind kind, List<Slice> parts, Slice whole)
      throws SpecifierException {
    // A type without an expression counts for nothing.
    if (parts.size() <= EXPRESSIONS) {
      if (collect == Collect.HISTOGRAM && kind != ProbedFunction.Kind.RETURN) {
        throw new SpecifierException(
            whole.span(), "a histogram needs a type and an expression", FORM);
      }
      return List.of();
    }
    List<Slice> types = parts.get(TYPES).split(',');
    List<Slice> expressions = parts.get(EXPRESSIONS).split(',');
    if (types.size() != expressions.size()) {
      throw new SpecifierException(
          parts.get(EXPRESSIONS).span(),
          count(types.size(), "type") + " and " + count(expressions.size(), "expression"),
          "both are split at every comma");
    }
    if (collect == Collect.HISTOGRAM && types.size() > 1) {
      throw new SpecifierException(
          parts.get(TYPES).span(), "a histogram is of one expression", "-C counts several");
    }
    List<Specifier.Column> columns = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      CType type = type(types.get(i));
      if (collect == Collect.HISTOGRAM && type.isPointer()) {
        throw new SpecifierException(
            DiagnosticCode.TYPE_MISMATCH,
            types.get(i).span(),
            "a histogram is of numbers, \"" + types.get(i).text() + "\" is not a numeric type",
            "-C counts strings and addresses");
      }
      columns.add(new Specifier.Column(type, expressions.get(i)));
    }
    return columns;
  }

  static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private static CType type(Slice text) throws SpecifierException {
    CType type = CType.of(text.text());
    if (!type.name().base().matches("[A-Za-z_]\\w*( [A-Za-z_]\\w*)*")) {
      throw new SpecifierException(
          text.span(),
          "unknown type \"" + text.text() + "\"",
          "types are u8 to u64, s8 to s64, C's such as int or size_t, and char* for strings");
    }
    return type;
  }
}
