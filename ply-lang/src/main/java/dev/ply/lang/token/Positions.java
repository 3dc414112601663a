package dev.ply.lang.token;

import dev.ply.diagnostic.SourceSpan;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.IntStream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/**
 * Converts ANTLR's positions, whose columns count from 0, to spans. The source is that of the
 * token: the body of a macro can be in another file than its call.
 */
public final class Positions {
  private final String main;

  /**
   * Creates the converter.
   *
   * @param main the source of tokens without one
   */
  public Positions(String main) {
    this.main = main;
  }

  public SourceSpan of(ParserRuleContext context) {
    Token start = context.getStart();
    Token stop = context.getStop();
    return stop == null || stop.getTokenIndex() < start.getTokenIndex()
        ? of(start)
        : of(start).through(of(stop));
  }

  public SourceSpan of(Token token) {
    String source = source(token);
    int line = token.getLine();
    int column = token.getCharPositionInLine() + 1;
    if (token.getType() == Token.EOF) {
      return new SourceSpan(source, line, column, line, column + 1);
    }
    String text = token instanceof MacroToken expanded ? expanded.use() : token.getText();
    int lastBreak = text.lastIndexOf('\n');
    if (lastBreak < 0) {
      return new SourceSpan(source, line, column, line, column + length(text));
    }
    int lines = (int) text.chars().filter(c -> c == '\n').count();
    int endColumn = length(text.substring(lastBreak + 1)) + 1;
    return new SourceSpan(source, line, column, line + lines, endColumn);
  }

  /** Returns the position after a token. */
  public SourceSpan after(Token token) {
    SourceSpan span = of(token);
    int line = span.endLine();
    return new SourceSpan(span.source(), line, span.endColumn(), line, span.endColumn() + 1);
  }

  private String source(Token token) {
    CharStream input = token.getInputStream();
    return input == null || input.getSourceName().equals(IntStream.UNKNOWN_SOURCE_NAME)
        ? main
        : input.getSourceName();
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
