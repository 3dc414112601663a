package dev.ply.cxx;

import java.util.ArrayList;
import java.util.List;

/**
 * Decodes one symbol by the Itanium C++ ABI (section 5.1, external names), by recursive descent.
 * Expressions within template arguments are not decoded.
 */
final class Demangler {
  private static final int DEEPEST = 100;
  private static final int LONGEST = 16_384;

  /** Of all parts together: a part can be repeated by a few characters of the symbol. */
  private static final int MOST_PRODUCED = 1 << 16;

  /** A symbol that is not of the forms known here, or exceeds a bound. */
  static final class UnknownForm extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownForm() {
      super("not decoded", null, false, false);
    }
  }

  /** A name, and whether its parameters are preceded by its result's type. */
  private record Name(String text, boolean tellsResult, String qualifiers) {}

  private final SymbolText in;
  private final List<Declarator> substitutions = new ArrayList<>();
  private List<Declarator> templateArguments = List.of();
  private int depth;
  private int produced;

  Demangler(String symbol) {
    this.in = new SymbolText(symbol);
  }

  CxxName decode() {
    CxxName name = encoding();
    if (!in.isAtEnd()) {
      throw new UnknownForm();
    }
    return name;
  }

  private CxxName encoding() {
    enter();
    if (in.peek() == 'T' || (in.peek() == 'G' && (in.peek(1) == 'V' || in.peek(1) == 'T'))) {
      return leave(special());
    }
    Name name = name();
    if (in.isAtEnd() || in.peek() == 'E') {
      return leave(new CxxName("", name.text(), ""));
    }
    Declarator result = name.tellsResult() ? type() : Declarator.plain("");
    String parameters = parameters() + result.right() + name.qualifiers();
    return leave(new CxxName(result.left(), name.text(), parameters));
  }

  private CxxName special() {
    if (in.accept("Th")) {
      callOffset('h');
      return prefixed("non-virtual thunk to ");
    } else if (in.accept("Tv")) {
      callOffset('v');
      return prefixed("virtual thunk to ");
    } else if (in.accept("GTt")) {
      return prefixed("transaction clone for ");
    } else if (in.accept("GV")) {
      return new CxxName("", "guard variable for " + name().text(), "");
    }
    String what =
        in.accept("TV")
            ? "vtable for "
            : in.accept("TT")
                ? "VTT for "
                : in.accept("TI")
                    ? "typeinfo for "
                    : in.accept("TS") ? "typeinfo name for " : fail();
    return new CxxName("", what + type().text(), "");
  }

  private CxxName prefixed(String what) {
    CxxName to = encoding();
    return new CxxName("", what + to.name(), to.parameters());
  }

  private void callOffset(char kind) {
    for (int i = 0; i < (kind == 'v' ? 2 : 1); i++) {
      boolean unused = in.accept("n");
      int unused1 = in.number();
      in.require("_");
    }
  }

  private String parameters() {
    List<String> all = new ArrayList<>();
    while (!in.isAtEnd() && in.peek() != 'E') {
      all.addAll(types());
    }
    String list = all.equals(List.of("void")) ? "()" : "(" + String.join(", ", all) + ")";
    bound(list);
    return list;
  }

  /** Reads a type, or all types that a pack expands to. */
  private List<String> types() {
    String text = type().text();
    bound(text);
    return List.of(text);
  }

  private Name name() {
    if (in.accept("N")) {
      return nested();
    } else if (in.accept("Z")) {
      return local();
    }
    String text;
    if (in.peek() == 'S' && in.peek(1) != 't') {
      text = substitution().text();
      if (in.peek() != 'I') {
        throw new UnknownForm();
      }
    } else {
      text = (in.accept("St") ? "std::" : "") + unqualified("");
      if (in.peek() == 'I') {
        add(Declarator.plain(text));
      }
    }
    return in.peek() == 'I'
        ? new Name(withArguments(text), !isConversion(text), "")
        : new Name(text, false, "");
  }

  private static boolean isConversion(String text) {
    return text.matches("(.*::)?operator [a-zA-Z(].*")
        && !text.matches(".*operator (new|delete).*");
  }

  private Name nested() {
    String qualifiers = qualifiers();
    if (in.accept("R")) {
      qualifiers += " &";
    } else if (in.accept("O")) {
      qualifiers += " &&";
    }
    String text = "";
    boolean isAdded = true;
    boolean isTemplate = false;
    boolean isSpecial = false;
    while (!in.accept("E")) {
      if (!isAdded && !text.isEmpty()) {
        add(Declarator.plain(text));
        isAdded = true;
      }
      char c = in.peek();
      if (c == 'I' && !text.isEmpty()) {
        text = withArguments(text);
        isTemplate = true;
        isAdded = false;
      } else if (text.isEmpty() && c == 'S' && in.peek(1) == 't') {
        in.require("St");
        text = "std";
      } else if (text.isEmpty() && c == 'S') {
        text = substitution().text();
      } else if (text.isEmpty() && c == 'T') {
        text = parameter().text();
        isAdded = false;
      } else {
        isSpecial = in.peek() == 'C' || in.peek() == 'D';
        String part = unqualified(text);
        isSpecial |= isConversion(part);
        text = text.isEmpty() ? part : text + "::" + part;
        isTemplate = false;
        isAdded = false;
      }
      bound(text);
    }
    return new Name(text, isTemplate && !isSpecial, qualifiers);
  }

  private String qualifiers() {
    boolean isRestrict = in.accept("r");
    boolean isVolatile = in.accept("V");
    boolean isConst = in.accept("K");
    return (isConst ? " const" : "")
        + (isVolatile ? " volatile" : "")
        + (isRestrict ? " restrict" : "");
  }

  private Name local() {
    CxxName outer = encoding();
    in.require("E");
    String scope = outer.name() + outer.parameters();
    if (in.accept("s")) {
      discriminator();
      return new Name(scope + "::string literal", false, "");
    }
    if (in.accept("d")) {
      int unused = in.sequence(10);
    }
    Name inner = name();
    discriminator();
    return new Name(scope + "::" + inner.text(), inner.tellsResult(), inner.qualifiers());
  }

  private void discriminator() {
    if (in.accept("__")) {
      int unused = in.number();
      in.require("_");
    } else if (in.accept("_")) {
      int unused = in.number();
    }
  }

  /** Reads a name without scope; {@code scope} is the class of a constructor or destructor. */
  private String unqualified(String scope) {
    boolean unused = in.accept("L");
    String name;
    char c = in.peek();
    if (in.isDigit()) {
      String own = in.take(in.number());
      name = own.startsWith("_GLOBAL__N") ? "(anonymous namespace)" : own;
    } else if ((c == 'C' || c == 'D') && in.peek(1) >= '0' && in.peek(1) <= '5') {
      in.take(2);
      name = (c == 'D' ? "~" : "") + lastPart(scope);
    } else if (in.accept("Ut")) {
      name = "{unnamed type#" + (in.sequence(10) + 1) + "}";
    } else if (in.accept("Ul")) {
      String parameters = parameters();
      in.require("E");
      name = "{lambda" + parameters + "#" + (in.sequence(10) + 1) + "}";
    } else if (in.accept("cv")) {
      name = "operator " + type().text();
    } else if (in.accept("li")) {
      name = "operator\"\" " + in.take(in.number());
    } else {
      String operator = ItaniumCodes.OPERATORS.getOrDefault(in.take(2), "");
      name = operator.isEmpty() ? fail() : "operator" + operator;
    }
    while (in.accept("B")) {
      name += "[abi:" + in.take(in.number()) + "]";
    }
    return name;
  }

  /** Returns the last part of a scope without template arguments and ABI tags. */
  private static String lastPart(String tagged) {
    int tag = tagged.lastIndexOf("[abi:");
    String scope = tag > 0 && tagged.endsWith("]") ? tagged.substring(0, tag) : tagged;
    int nesting = 0;
    int end = scope.length();
    for (int i = scope.length() - 1; i >= 0; i--) {
      char c = scope.charAt(i);
      nesting += c == '>' || c == ')' || c == '}' ? 1 : c == '<' || c == '(' || c == '{' ? -1 : 0;
      if (nesting == 0 && c == '<') {
        end = i;
      } else if (nesting == 0 && c == ':') {
        return scope.substring(i + 1, Math.max(end, i + 1));
      }
    }
    return scope.substring(0, end);
  }

  /** Reads a type, whose own template arguments are none of the function's. */
  private Declarator type() {
    List<Declarator> outer = templateArguments;
    Declarator found = anyType();
    templateArguments = outer;
    return found;
  }

  private Declarator anyType() {
    enter();
    String qualifiers = qualifiers();
    if (!qualifiers.isEmpty()) {
      return leave(add(type().qualified(qualifiers)));
    }
    char c = in.peek();
    String builtin = ItaniumCodes.TYPES.getOrDefault(String.valueOf(c), "");
    if (!builtin.isEmpty()) {
      in.take(1);
      return leave(Declarator.plain(builtin));
    }
    return leave(
        switch (c) {
          case 'P' -> pointer("P", "*");
          case 'R' -> pointer("R", "&");
          case 'O' -> pointer("O", "&&");
          case 'F' -> add(function());
          case 'A' -> add(array());
          case 'M' -> add(memberPointer());
          case 'D' -> extended();
          case 'u' -> {
            in.take(1);
            yield add(Declarator.plain(in.take(in.number())));
          }
          case 'T' -> {
            Declarator parameter = add(parameter());
            yield in.peek() == 'I'
                ? add(Declarator.plain(withArguments(parameter.text())))
                : parameter;
          }
          case 'S' -> standard();
          default -> add(Declarator.plain(name().text()));
        });
  }

  private Declarator standard() {
    if (in.peek(1) == 't') {
      return add(Declarator.plain(name().text()));
    }
    Declarator known = substitution();
    return in.peek() == 'I' ? add(Declarator.plain(withArguments(known.text()))) : known;
  }

  private Declarator pointer(String letter, String sign) {
    in.require(letter);
    return add(type().pointer(sign));
  }

  private Declarator extended() {
    if (in.accept("Dp")) {
      return type();
    } else if (in.peek(1) == 'o' && in.peek(2) == 'F') {
      in.take(2);
      return add(function().qualified(" noexcept"));
    }
    String builtin = ItaniumCodes.TYPES.getOrDefault(in.take(2), "");
    return Declarator.plain(builtin.isEmpty() ? fail() : builtin);
  }

  private Declarator function() {
    in.require("F");
    boolean unused = in.accept("Y");
    Declarator result = type();
    List<String> all = new ArrayList<>();
    while (!isEndOfFunction()) {
      all.addAll(types());
    }
    String reference = in.accept("R") ? " &" : in.accept("O") ? " &&" : "";
    in.require("E");
    String list = all.equals(List.of("void")) ? "()" : "(" + String.join(", ", all) + ")";
    return new Declarator(
        result.left(), list + reference + result.right(), Declarator.Form.FUNCTION);
  }

  /** A reference qualifier is followed by the end of the function's type. */
  private boolean isEndOfFunction() {
    boolean isReference = in.peek() == 'R' || in.peek() == 'O';
    return in.peek() == 'E' || (isReference && in.peek(1) == 'E');
  }

  private Declarator array() {
    in.require("A");
    String length = in.isDigit() ? String.valueOf(in.number()) : "";
    in.require("_");
    Declarator element = type();
    boolean isArray = element.form() == Declarator.Form.ARRAY;
    String rest = isArray ? element.right().stripLeading() : element.right();
    return new Declarator(element.left(), " [" + length + "]" + rest, Declarator.Form.ARRAY);
  }

  private Declarator memberPointer() {
    in.require("M");
    String holder = type().text();
    return type().pointer(" " + holder + "::*");
  }

  private Declarator parameter() {
    in.require("T");
    int index = in.sequence(10);
    if (index >= templateArguments.size()) {
      throw new UnknownForm();
    }
    return templateArguments.get(index);
  }

  private Declarator substitution() {
    in.require("S");
    String standard = ItaniumCodes.STANDARD.getOrDefault(String.valueOf(in.peek()), "");
    if (!standard.isEmpty()) {
      in.take(1);
      return Declarator.plain(standard);
    }
    int index = in.sequence(36);
    if (index >= substitutions.size()) {
      throw new UnknownForm();
    }
    return substitutions.get(index);
  }

  private String withArguments(String name) {
    return name + (name.endsWith("<") ? " " : "") + arguments();
  }

  private String arguments() {
    enter();
    in.require("I");
    List<Declarator> all = new ArrayList<>();
    while (!in.accept("E")) {
      argument(all);
    }
    templateArguments = List.copyOf(all);
    String list =
        String.join(
            ", ", all.stream().map(Declarator::text).filter(text -> !text.isEmpty()).toList());
    bound(list);
    return leave("<" + list + (list.endsWith(">") ? " >" : ">"));
  }

  private void argument(List<Declarator> all) {
    if (in.accept("J")) {
      List<Declarator> pack = new ArrayList<>();
      while (!in.accept("E")) {
        argument(pack);
      }
      all.add(Declarator.plain(String.join(", ", pack.stream().map(Declarator::text).toList())));
    } else if (in.accept("L")) {
      all.add(Declarator.plain(literal()));
    } else if (in.peek() == 'X') {
      throw new UnknownForm();
    } else {
      all.add(type());
    }
  }

  private String literal() {
    if (in.accept("_Z")) {
      CxxName name = encoding();
      in.require("E");
      return "&" + name.name() + name.parameters();
    }
    String type = type().text();
    String sign = in.accept("n") ? "-" : "";
    StringBuilder digits = new StringBuilder();
    while (in.isDigit()) {
      digits.append(in.next());
    }
    in.require("E");
    String value = sign + digits;
    return switch (type) {
      case "bool" -> value.equals("1") ? "true" : "false";
      case "int" -> value;
      case "unsigned int" -> value + "u";
      case "long" -> value + "l";
      case "unsigned long" -> value + "ul";
      case "long long" -> value + "ll";
      case "unsigned long long" -> value + "ull";
      default -> "(" + type + ")" + value;
    };
  }

  private Declarator add(Declarator found) {
    bound(found.left());
    bound(found.right());
    substitutions.add(found);
    return found;
  }

  private void bound(String text) {
    produced += text.length();
    if (text.length() > LONGEST || produced > MOST_PRODUCED) {
      throw new UnknownForm();
    }
  }

  private void enter() {
    if (++depth > DEEPEST) {
      throw new UnknownForm();
    }
  }

  private <T> T leave(T value) {
    depth--;
    return value;
  }

  private static String fail() {
    throw new UnknownForm();
  }
}
