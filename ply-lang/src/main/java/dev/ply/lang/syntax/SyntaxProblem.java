package dev.ply.lang.syntax;

import dev.ply.diagnostic.Quotation;
import dev.ply.diagnostic.Suggestions;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.token.BuiltIns;
import dev.ply.lang.token.TypeNames;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.antlr.v4.runtime.Token;

/**
 * A syntax error as a message.
 *
 * @param message what is wrong
 * @param hints what to do instead; can be empty
 */
public record SyntaxProblem(String message, List<String> hints) {
  private static final String SLASHES =
      "a predicate is written between two slashes, before the brace: \"/ pid == 1 / { … }\"";

  public SyntaxProblem {
    hints = List.copyOf(hints);
  }

  SyntaxProblem(String message, String hint) {
    this(message, List.of(hint));
  }

  /** Returns the error for a token that is not in the language. */
  public static Optional<SyntaxProblem> ofWord(Token token) {
    String text = token.getText();
    return switch (token.getType()) {
      case PlyLexer.UNTERMINATED_STRING ->
          Optional.of(new SyntaxProblem("this string has no end", "add a \" where it ends"));
      case PlyLexer.UNTERMINATED_COMMENT ->
          Optional.of(new SyntaxProblem("this comment has no end", "add a */ where it ends"));
      case PlyLexer.BAD_NUMBER -> Optional.of(badNumber(text));
      case PlyLexer.CHARACTER ->
          Optional.of(
              new SyntaxProblem(
                  quote(token) + " is no character",
                  "a character is written in single quotes, a string in double quotes: \""
                      + text.replace("'", "")
                      + "\""));
      case PlyLexer.UNKNOWN, PlyLexer.OTHER -> unknownCharacter(token);
      default -> Optional.empty();
    };
  }

  private static SyntaxProblem badNumber(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    String digits = text.replaceFirst("[a-zA-Z.].*", "");
    String hint;
    if (lower.startsWith("0x")) {
      hint = "hexadecimal digits are 0 to 9 and a to f: 0xff";
    } else if (lower.startsWith("0b")) {
      hint = "binary digits are 0 and 1, after a small b: 0b11";
    } else if (lower.contains(".") || lower.matches("[0-9_]+e[0-9_]+")) {
      hint = "numbers are whole: 1500, 1_500_000 or 15e5";
    } else {
      hint = "suffixes are C's, u to ull, and units of time, ns to d: write " + digits;
    }
    return new SyntaxProblem("\"" + Quotation.shortened(text) + "\" is not a number", hint);
  }

  private static Optional<SyntaxProblem> unknownCharacter(Token token) {
    String text = token.getText();
    return switch (text) {
      case "“", "”", "„", "«", "»", "‘", "’" ->
          Optional.of(
              new SyntaxProblem(
                  "unexpected quotation mark " + text, "strings are in plain double quotes: \""));
      default ->
          token.getType() == PlyLexer.UNKNOWN
              ? Optional.of(new SyntaxProblem("unexpected character " + visible(text), List.of()))
              : Optional.empty();
    };
  }

  /** Returns the error for a valid token in the wrong position. */
  static SyntaxProblem unexpected(Token found, String expected, Token before) {
    if (expected.equals("<probe>") && found.getType() == PlyLexer.NAME) {
      return UnknownProbe.of(found);
    }
    String what = isEnd(found) ? "end of script" : quote(found);
    String message = "unexpected " + what + ", expected " + expected;
    return new SyntaxProblem(
        message, hint(found, expected, before).map(List::of).orElse(List.of()));
  }

  /** Returns the error for a block after a predicate without slashes. */
  static SyntaxProblem bareCondition(Token found) {
    return new SyntaxProblem(
        "unexpected " + quote(found) + ", expected <predicate> or <statement>", SLASHES);
  }

  /** Returns the error for a word before a block, as other languages have. */
  static SyntaxProblem unknownStatement(String word) {
    String message = "unknown statement \"" + Quotation.shortened(word) + "\"";
    return switch (word) {
      case "foreach" ->
          new SyntaxProblem(message, "for ($kv : @map) { … } and for ($i : 0..10) { … } loop");
      case "switch", "case", "when", "elif", "elseif", "elsif", "unless" ->
          new SyntaxProblem(message, "write if (…) { … } else if (…) { … } else { … }");
      case "do", "until", "loop", "repeat" ->
          new SyntaxProblem(message, "write while (…) { … } or for ($i : 0..10) { … }");
      case "function", "func", "def" ->
          new SyntaxProblem(
              message,
              "functions stand outside of probes: fn name($a: int64): int64 { return $a + 1; }");
      default ->
          new SyntaxProblem(
              message, List.of(Suggestions.hint(word, Stream.of("if", "while", "for", "unroll"))));
    };
  }

  /** Returns the error for a token between the name of a function and its body. */
  static SyntaxProblem functionHead(Token found, String expected, Token before) {
    String message =
        "unexpected "
            + (isEnd(found) ? "end of script" : quote(found))
            + ", expected "
            + expected.replace("<expression>", "a parameter");
    boolean isResult = before.getType() == PlyLexer.RPAREN || before.getType() == PlyLexer.COLON;
    if (isResult && !expected.contains("a variable")) {
      return new SyntaxProblem(
          message,
          "what a function returns has a type, or is void: fn name($a: int64): int64 { … }");
    }
    boolean isName =
        found.getType() == PlyLexer.NAME && !TypeNames.isType(List.of(found.getText()));
    String name =
        before.getType() == PlyLexer.VARIABLE
            ? before.getText()
            : isName ? "$" + found.getText() : "$a";
    return new SyntaxProblem(
        message,
        "a parameter has a name with \"$\" and a type: " + Quotation.shortened(name) + ": int64");
  }

  /** Returns the error for a token in place of the map entry after {@code delete}. */
  static SyntaxProblem noEntry(Token found) {
    String text = found.getText();
    return switch (found.getType()) {
      case PlyLexer.MAP, PlyLexer.NAME, PlyLexer.AGGREGATION ->
          new SyntaxProblem(
              "delete removes one entry of a map, not " + quote(found),
              "write delete " + text + "[key]; for one, clear(" + text + "); for all");
      default ->
          new SyntaxProblem(
              "unexpected "
                  + (isEnd(found) ? "end of script" : quote(found))
                  + ", expected a map's entry",
              "an entry is removed by its key: delete m[key];");
    };
  }

  /** Returns whether a token is the end of the script. */
  static boolean isEnd(Token token) {
    return token.getType() == Token.EOF
        || (token.getType() == PlyLexer.LAST_END && token.getText().isEmpty());
  }

  /** Returns the error for a body without braces after a condition without parentheses. */
  static SyntaxProblem noBraces(Token keyword) {
    return new SyntaxProblem(
        "expected \"{\" after a condition without parentheses",
        "a condition needs parentheses: " + keyword.getText() + " (…); or before braces");
  }

  /** Returns the error for a token outside of probes. */
  public static SyntaxProblem stray(Token found) {
    String message = "unexpected " + quote(found) + ", expected <probe>";
    if (found.getText().equals("fn")) {
      return new SyntaxProblem(
          "a function has a name and parameters", "fn name($a: int64): int64 { return $a + 1; }");
    }
    if (found.getText().equals("import")) {
      return new SyntaxProblem(
          "an import names a file in quotes", "import \"lib.bt\"; at the head of the script");
    }
    if (found.getText().equals("config")) {
      return new SyntaxProblem(message, "config = { … } comes before the first probe");
    }
    return switch (found.getType()) {
      case PlyLexer.RBRACE -> new SyntaxProblem(message, "no \"{\" is open here");
      case PlyLexer.NAME, PlyLexer.OTHER, PlyLexer.FUNCTION -> UnknownProbe.of(found);
      case PlyLexer.SEMICOLON -> new SyntaxProblem(message, "no \";\" follows a probe");
      default -> new SyntaxProblem(message, List.of());
    };
  }

  private static Optional<String> hint(Token found, String expected, Token before) {
    boolean inProbe = expected.contains("\"}\"");
    String hint =
        switch (found.getType()) {
          case PlyLexer.ELSE ->
              expected.startsWith("\";\"")
                  ? "the statement before the \"else\" ends with \";\", too"
                  : "an \"else\" follows an if: if (…) { … } else { … }";
          case PlyLexer.SLASH ->
              inProbe ? "a predicate comes before the brace: kprobe:f / pid == 1 / { … }" : "";
          case PlyLexer.ASSIGN -> assignmentHint(expected);
          case PlyLexer.PREDICATE_END ->
              "a predicate comes before the brace, between two slashes: \"/ pid == 1 / { … }\"";
          case PlyLexer.PLUS -> "there is no unary \"+\": leave it out";
          case PlyLexer.SEMICOLON, PlyLexer.RPAREN ->
              before.getType() == PlyLexer.MINUS
                  ? "\"--\" changes a variable or a map's entry: $n--; or @n[pid]--;"
                  : "";
          case PlyLexer.DEFINITION, PlyLexer.BEGIN, PlyLexer.END ->
              inProbe ? "the probe before has a \"{\" without its \"}\"" : "";
          case Token.EOF -> inProbe ? "some \"{\" has no \"}\"" : "";
          case PlyLexer.NAME, PlyLexer.FUNCTION, PlyLexer.MAP, PlyLexer.NUMBER ->
              nameHint(found, expected, before);
          case PlyLexer.LAST_END ->
              found.getText().isEmpty() ? "the script ends too early: something is missing" : "";
          default -> "";
        };
    if (hint.isEmpty() && isArgument(found, before)) {
      hint = "arguments are in parentheses: " + before.getText() + "(…)";
    }
    if (expected.equals(ExpectedTokens.ELSE)) {
      hint = "an if with a value has two: $x = if ($y) { 1 } else { 2 };";
    }
    if (before.getText().equals("macro")) {
      hint = "macros stand outside of probes: macro name($a) { $a + 1 } BEGIN { print(name(1)); }";
    }
    if (hint.isEmpty()) {
      hint =
          switch (before.getType()) {
            case PlyLexer.IF, PlyLexer.BARE_IF, PlyLexer.VALUE_IF, PlyLexer.BARE_VALUE_IF ->
                "a condition needs parentheses: if (…)";
            case PlyLexer.WHILE, PlyLexer.BARE_WHILE -> "a condition needs parentheses: while (…)";
            case PlyLexer.LET -> "variables begin with \"$\": let $x = 0;";
            case PlyLexer.FOR, PlyLexer.BARE_FOR -> "a range is written as for ($i : 0..10) { … }";
            case PlyLexer.UNROLL -> "the count is a number: unroll (5) { … }";
            default -> "";
          };
    }
    boolean isList =
        found.getType() == PlyLexer.DEFINITION
            && before.getType() == PlyLexer.DEFINITION
            && found.getLine() == before.getLine();
    if (isList) {
      hint = "commas separate the probes of a list: k:vfs_read, k:vfs_write { … }";
    }
    boolean isRange =
        expected.equals("a variable")
            || expected.contains("\"..\"")
            || (expected.equals("\":\"")
                && before.getType() == PlyLexer.VARIABLE
                && found.getType() != PlyLexer.COMMA
                && found.getType() != PlyLexer.RPAREN);
    if (hint.isEmpty() && isRange) {
      hint = "a range is written as for ($i : 0..10) { … }";
    }
    if (hint.isEmpty() && ExpectedTokens.isBody(expected)) {
      hint = "add a block: { print(comm, pid); }";
    }
    if (hint.isEmpty() && expected.contains(ExpectedTokens.PREDICATE_END)) {
      hint = SLASHES;
    }
    return hint.isEmpty() ? Optional.empty() : Optional.of(hint);
  }

  /** Returns whether a token may be meant as an argument of the preceding function. */
  private static boolean isArgument(Token found, Token before) {
    return before.getType() == PlyLexer.NAME
        && BuiltIns.isKnown(before.getText())
        && switch (found.getType()) {
          case PlyLexer.STRING, PlyLexer.NUMBER, PlyLexer.NAME, PlyLexer.FUNCTION -> true;
          default -> false;
        };
  }

  private static String assignmentHint(String expected) {
    if (expected.contains("\")\"") || expected.contains(ExpectedTokens.PREDICATE_END)) {
      return "to compare, write \"==\"";
    }
    return expected.startsWith("\";\"") ? "a statement assigns once" : "";
  }

  private static String nameHint(Token found, String expected, Token before) {
    if (expected.startsWith("\";\"") && TypeNames.isType(List.of(before.getText()))) {
      String name = "$" + Quotation.shortened(found.getText());
      return "variables begin with \"$\", and need no type: " + name + " = 0;";
    }
    return before.getType() == PlyLexer.RPAREN && !expected.startsWith("\";\"")
        ? "a cast names a type: (uint32)x, (int8)x or (struct sock *)x"
        : "";
  }

  static String quote(Token token) {
    String text = Quotation.shortened(visibly(token.getText().strip()));
    return token.getType() == PlyLexer.STRING ? text : "\"" + text + "\"";
  }

  /** Returns a string without control characters. */
  private static String visibly(String text) {
    return text.replaceAll("\\p{Cntrl}", "\ufffd");
  }

  private static String visible(String character) {
    int code = character.codePointAt(0);
    boolean shows =
        !Character.isISOControl(code)
            && !Character.isWhitespace(code)
            && !Character.isSpaceChar(code)
            && Character.isDefined(code)
            && Character.getType(code) != Character.FORMAT
            && Character.getType(code) != Character.SURROGATE;
    return shows ? "\"" + character + "\"" : String.format(Locale.ROOT, "U+%04X", code);
  }
}
