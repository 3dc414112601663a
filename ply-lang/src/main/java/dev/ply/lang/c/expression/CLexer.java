package dev.ply.lang.c.expression;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.c.expression.CToken.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Splits C into preprocessing tokens. Lines that a backslash continues are joined, comments are
 * white space.
 */
public final class CLexer {
  private static final List<String> OPERATORS =
      List.of(
          "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
          "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##");

  private final String name;
  private final String whole;
  private final Dialect dialect;

  /** The text without continued lines, and the offsets of its characters in the source. */
  private final String text;

  private final int[] offsets;
  private final int[] lines;
  private int next;
  private boolean isFirst;

  /** Which characters mean what. */
  public enum Dialect {
    /** As in headers. */
    C,
    /**
     * As in a script's directives and expressions: names may begin with {@code $} and {@code @}.
     */
    EXPRESSION,
    /** As between a script's probes: {@code #} begins a comment, too. */
    SCRIPT
  }

  /**
   * Creates a lexer.
   *
   * @param name of the source
   * @param whole text of the source
   * @param start the offset of the first character that is read
   */
  public CLexer(String name, String whole, int start, Dialect dialect) {
    this.name = name;
    this.whole = whole;
    this.dialect = dialect;
    this.isFirst = whole.substring(whole.lastIndexOf('\n', start - 1) + 1, start).isBlank();
    StringBuilder joined = new StringBuilder();
    int[] places = new int[whole.length() - start + 1];
    int i = start;
    while (i < whole.length()) {
      int continued = whole.charAt(i) == '\\' ? continuation(whole, i + 1) : 0;
      if (continued > 0) {
        i = continued;
        continue;
      }
      places[joined.length()] = i;
      joined.append(whole.charAt(i++));
    }
    places[joined.length()] = whole.length();
    this.text = joined.toString();
    this.offsets = places;
    this.lines = lineStarts(whole);
  }

  private static int continuation(String whole, int index) {
    if (whole.startsWith("\n", index)) {
      return index + 1;
    }
    return whole.startsWith("\r\n", index) ? index + 2 : 0;
  }

  private static int[] lineStarts(String whole) {
    List<Integer> starts = new ArrayList<>();
    for (int at = 0; at >= 0; ) {
      starts.add(at);
      int end = whole.indexOf('\n', at);
      at = end < 0 ? -1 : end + 1;
    }
    return starts.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the next token; at the end of the source, {@link Kind#END} again and again. */
  public CToken next() {
    boolean isSpaced = skipSpace();
    int start = next;
    boolean first = isFirst;
    isFirst = false;
    if (start == text.length()) {
      return token(Kind.END, start, isSpaced, true);
    }
    char c = text.charAt(start);
    char after = at(start + 1);
    Kind kind;
    if (isNameStart(c)) {
      while (isNamePart(at(next)) || next == start) {
        next++;
      }
      kind = isPrefix(text.substring(start, next)) ? quoted(at(next)) : Kind.NAME;
    } else if (Character.isDigit(c) || (c == '.' && Character.isDigit(after))) {
      number();
      kind = Kind.NUMBER;
    } else {
      kind = quoted(c);
      if (kind == Kind.NAME) {
        kind = Kind.PUNCTUATOR;
        next += operator();
      }
    }
    return token(kind, start, isSpaced, first);
  }

  /** Returns the tokens to the end of the line. */
  public List<CToken> line() {
    List<CToken> tokens = new ArrayList<>();
    while (true) {
      int before = next;
      CToken token = next();
      if (token.isFirst() || token.isEnd()) {
        next = before;
        return tokens;
      }
      tokens.add(token);
    }
  }

  /** Skips white space and comments; returns whether there was any. */
  private boolean skipSpace() {
    int start = next;
    while (next < text.length()) {
      char c = text.charAt(next);
      if (c == '\n') {
        isFirst = true;
        next++;
      } else if (c <= ' ') {
        next++;
      } else if (text.startsWith("/*", next)) {
        int end = text.indexOf("*/", next + 2);
        next = end < 0 ? text.length() : end + 2;
      } else if (text.startsWith("//", next) || isComment()) {
        int end = text.indexOf('\n', next);
        next = end < 0 ? text.length() : end;
      } else {
        break;
      }
    }
    return next > start;
  }

  /** In scripts, {@code #} begins a comment, unless it is a directive that is kept. */
  private boolean isComment() {
    return dialect == Dialect.SCRIPT
        && text.charAt(next) == '#'
        && !(isFirst && text.startsWith("#pragma", next));
  }

  private boolean isNameStart(char c) {
    return (isNamePart(c) && !Character.isDigit(c))
        || (dialect != Dialect.C && (c == '$' || c == '@'));
  }

  private static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private static boolean isPrefix(String word) {
    return word.equals("L") || word.equals("u") || word.equals("U") || word.equals("u8");
  }

  /** Reads a string or character; returns that it is a name if there is none. */
  private Kind quoted(char quote) {
    if (quote != '"' && quote != '\'') {
      return Kind.NAME;
    }
    int end = next + 1;
    while (end < text.length() && text.charAt(end) != quote) {
      if (text.charAt(end) == '\n' && !(dialect != Dialect.C && quote == '"')) {
        // No end on this line: the quote is a character of its own.
        next++;
        return Kind.PUNCTUATOR;
      }
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    if (end >= text.length()) {
      next++;
      return Kind.PUNCTUATOR;
    }
    next = end + 1;
    return quote == '"' ? Kind.STRING : Kind.CHARACTER;
  }

  private void number() {
    while (next < text.length()) {
      char c = text.charAt(next);
      boolean isSign =
          (c == '+' || c == '-') && "eEpP".indexOf(text.charAt(next - 1)) >= 0 && isDecimal();
      if (!isNamePart(c) && c != '.' && !isSign) {
        return;
      }
      next++;
    }
  }

  /** An exponent has a sign; the last digit of a hexadecimal number has none. */
  private boolean isDecimal() {
    char before = text.charAt(next - 1);
    int start = next - 1;
    while (start > 0 && isNamePart(text.charAt(start - 1))) {
      start--;
    }
    return before == 'p' || before == 'P' || !text.startsWith("0x", start);
  }

  private int operator() {
    for (String operator : OPERATORS) {
      if (text.startsWith(operator, next)) {
        return operator.length();
      }
    }
    return Character.charCount(text.codePointAt(next));
  }

  private char at(int index) {
    return index < text.length() ? text.charAt(index) : '\0';
  }

  private CToken token(Kind kind, int start, boolean isSpaced, boolean first) {
    int from = offsets[start];
    int to = start == next ? from : offsets[next - 1] + 1;
    return new CToken(
        kind, text.substring(start, next), span(from, to), from, to, first, isSpaced, Set.of());
  }

  private SourceSpan span(int from, int to) {
    int line = line(from);
    int end = line(Math.max(from, to));
    int first = column(line, from);
    int last = to > from ? column(end, to) : first + 1;
    return new SourceSpan(name, line + 1, first, end + 1, last);
  }

  private int column(int line, int offset) {
    return whole.codePointCount(lines[line], offset) + 1;
  }

  private int line(int offset) {
    int found = Arrays.binarySearch(lines, offset);
    return found >= 0 ? found : -found - 2;
  }
}
