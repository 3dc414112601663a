package dev.ply.lang.argdist;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A token of an expression of C.
 *
 * @param text its characters; empty at the end
 */
record CToken(Kind kind, String text, Slice slice) {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<number>\\d\\w*)"
              + "|(?<name>\\$?[A-Za-z_]\\w*)"
              + "|(?<string>\"(?:[^\"\\\\]|\\\\.)*+\")"
              + "|(?<character>'(?:[^'\\\\]|\\\\.)++')"
              + "|(?<operator>->|<<|>>|<=|>=|==|!=|&&|\\|\\||[-+*/%&|^~!<>()\\[\\].,?=])",
          Pattern.DOTALL);

  private static final Pattern SPACE = Pattern.compile("\\s*+");

  /** The kinds of tokens. */
  enum Kind {
    NUMBER,
    NAME,
    STRING,
    CHARACTER,
    OPERATOR,
    END
  }

  /** Splits an expression into its tokens and an end. */
  static List<CToken> all(Slice expression) throws SpecifierException {
    List<CToken> tokens = new ArrayList<>();
    String text = expression.text();
    Matcher token = TOKEN.matcher(text);
    int at = afterSpace(text, 0);
    while (at < text.length()) {
      token.region(at, text.length());
      if (!token.lookingAt()) {
        throw new SpecifierException(
            expression.part(at, at + 1).span(),
            text.charAt(at) == '"' || text.charAt(at) == '\''
                ? "the string has no end"
                : "\"" + text.charAt(at) + "\" is no part of an expression");
      }
      tokens.add(new CToken(kind(token), token.group(), expression.part(at, token.end())));
      at = afterSpace(text, token.end());
    }
    tokens.add(new CToken(Kind.END, "", expression.part(text.length(), text.length())));
    return tokens;
  }

  private static int afterSpace(String text, int at) {
    Matcher space = SPACE.matcher(text).region(at, text.length());
    return space.lookingAt() ? space.end() : at;
  }

  private static Kind kind(Matcher token) {
    if (token.group("number") != null) {
      return Kind.NUMBER;
    } else if (token.group("name") != null) {
      return Kind.NAME;
    } else if (token.group("string") != null) {
      return Kind.STRING;
    }
    return token.group("character") != null ? Kind.CHARACTER : Kind.OPERATOR;
  }

  /** Returns whether this is an operator or a bracket. */
  boolean is(String operator) {
    return kind == Kind.OPERATOR && text.equals(operator);
  }

  /** Returns how messages name the token. */
  String quoted() {
    return kind == Kind.END ? "end of expression" : "\"" + text + "\"";
  }
}
