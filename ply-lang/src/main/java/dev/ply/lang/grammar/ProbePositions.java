package dev.ply.lang.grammar;

import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;

/**
 * Decides where the definition of a probe can start: at the script's start, after a comma in a list
 * of definitions, and outside of braces after a brace or semicolon. Only there, the lexer is in
 * mode {@code PROBE}.
 *
 * <p>An unmistakable definition is recognised inside of braces too: a closing brace is missing
 * then, and the probe can still be parsed.
 */
abstract class ProbePositions extends Lexer {
  private int depth;
  private int previous = Token.INVALID_TYPE;
  private int previousLine;

  /** The number of conditional expressions whose colon is still missing. */
  private int questions;

  ProbePositions(CharStream input) {
    super(input);
    mode(PlyLexer.PROBE);
  }

  @Override
  public Token nextToken() {
    Token token = super.nextToken();
    if (token.getType() == PlyLexer.NAME && isMisplacedDefinition(token)) {
      token = again(token);
    }
    int type = token.getType();
    if (type == PlyLexer.LBRACE || type == PlyLexer.PREDICATE_END) {
      depth++;
    } else if (type == PlyLexer.RBRACE) {
      depth = Math.max(0, depth - 1);
    }
    if (type == PlyLexer.QUESTION) {
      questions++;
    } else if (type == PlyLexer.COLON) {
      questions = Math.max(0, questions - 1);
    } else if (type == PlyLexer.SEMICOLON || type == PlyLexer.RBRACE || type == PlyLexer.LBRACE) {
      questions = 0;
    }
    mode(isProbeNext(type) ? PlyLexer.PROBE : DEFAULT_MODE);
    previous = type;
    previousLine = token.getLine();
    return token;
  }

  private boolean isProbeNext(int type) {
    if (type == PlyLexer.COMMA) {
      return isDefinition(previous) && !isBodyNext();
    }
    return depth == 0 && (type == PlyLexer.RBRACE || type == PlyLexer.SEMICOLON);
  }

  /** A list of definitions may end with a comma, before a predicate or the body. */
  private boolean isBodyNext() {
    int ahead = 1;
    while (Character.isWhitespace(_input.LA(ahead))) {
      ahead++;
    }
    int first = _input.LA(ahead);
    return first == '{'
        || (first == '/' && _input.LA(ahead + 1) != '/' && _input.LA(ahead + 1) != '*');
  }

  /** Returns whether a probe, or a declaration of C, can be next. */
  public boolean isProbeNext() {
    return _mode == PlyLexer.PROBE;
  }

  /**
   * Continues at another position, after text outside the language.
   *
   * @param start its offset in code points
   * @param isDeclaration whether a declaration ends there, so that a probe can be next
   */
  public void continueAt(int start, boolean isDeclaration) {
    int from = _input.index();
    _input.seek(Math.min(from, start));
    while (_input.index() < Math.min(start, _input.size())) {
      getInterpreter().consume(_input);
    }
    if (isDeclaration) {
      depth = 0;
      questions = 0;
      previous = PlyLexer.SEMICOLON;
      previousLine = getLine();
      mode(PlyLexer.PROBE);
    }
  }

  /**
   * Returns whether a name and equals sign precede a definition; those of {@code config} do not.
   */
  boolean isNameOfProbe() {
    int next = _input.LA(1);
    boolean isConfiguration = getText().replaceAll("[\\s=]", "").equals("config");
    return !isConfiguration && (Character.isLetter(next) || next == '_' || next == '$');
  }

  private static boolean isDefinition(int type) {
    return type == PlyLexer.DEFINITION || type == PlyLexer.BEGIN || type == PlyLexer.END;
  }

  /**
   * No statement starts with {@code name:}, BEGIN and END are reserved, and no value is before a
   * block.
   */
  private boolean isMisplacedDefinition(Token name) {
    boolean isFirst =
        previous == PlyLexer.SEMICOLON
            || previous == PlyLexer.RBRACE
            || previous == PlyLexer.LBRACE
            || previous == PlyLexer.PREDICATE_END
            || isDefinition(previous)
            || (depth > 0 && questions == 0 && name.getLine() > previousLine);
    if (!isFirst) {
      return false;
    }
    String text = name.getText();
    return _input.LA(1) == ':'
        || text.equals("BEGIN")
        || text.equals("END")
        || (text.equals("offcpu") && isBodyNext());
  }

  /** Reads a token again, as the start of a probe. */
  private Token again(Token word) {
    _input.seek(word.getStartIndex());
    setLine(word.getLine());
    setCharPositionInLine(word.getCharPositionInLine());
    mode(PlyLexer.PROBE);
    depth = 0;
    return super.nextToken();
  }

  @Override
  public void reset() {
    super.reset();
    depth = 0;
    questions = 0;
    previous = Token.INVALID_TYPE;
    previousLine = 0;
    mode(PlyLexer.PROBE);
  }
}
