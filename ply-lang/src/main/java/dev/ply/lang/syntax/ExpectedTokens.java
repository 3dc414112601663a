package dev.ply.lang.syntax;

import dev.ply.lang.grammar.PlyLexer;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;

/** Names the tokens that could follow, for error messages. */
final class ExpectedTokens {
  /** The end of a predicate. */
  static final String PREDICATE_END = "the predicate's end \"/ {\"";

  /** Expected after the first value of an if. */
  static final String ELSE = "\"else\"";

  private static final String PREDICATE = "<predicate>";

  private ExpectedTokens() {}

  /** Returns whether the body of a probe was expected. */
  static boolean isBody(String expected) {
    return expected.startsWith(PREDICATE);
  }

  /** Returns the expected tokens: {@code "<expression>"}, {@code "\";\" or an operator"}. */
  static String at(Parser parser, RecognitionException fault, Token before) {
    IntervalSet tokens =
        fault instanceof NoViableAltException
            ? parser.getATN().getExpectedTokens(fault.getOffendingState(), fault.getCtx())
            : parser.getExpectedTokens();
    List<String> words = new ArrayList<>();
    boolean isExpression = tokens.contains(PlyLexer.STRING);
    boolean isStatement = isExpression && tokens.contains(PlyLexer.IF);
    boolean isWithinProbe = tokens.contains(PlyLexer.RBRACE);
    if (isStatement && tokens.contains(PlyLexer.SLASH)) {
      words.add(PREDICATE);
    }
    if (isStatement) {
      words.add("<statement>");
    } else if (isExpression) {
      words.add("<expression>");
    }
    // Outside of braces, the grammar accepts any token as stray input.
    if (tokens.contains(PlyLexer.DEFINITION) && !isWithinProbe) {
      words.add("<probe>");
    }
    if (!isExpression || (!isStatement && tokens.contains(PlyLexer.RPAREN))) {
      addPunctuation(words, tokens);
    }
    if (tokens.contains(PlyLexer.VARIABLE) && !isExpression) {
      words.add("a variable");
    }
    if (tokens.contains(PlyLexer.NAME) && !isExpression) {
      words.add("a name");
    }
    // At the end of a list, the parser state no longer includes its continuation.
    if (words.equals(List.of("\"}\""))) {
      words.add(0, "<statement>");
    } else if (words.equals(List.of("\")\"")) && before.getType() == PlyLexer.LPAREN) {
      words.add(0, "<expression>");
    } else if (before.getType() == PlyLexer.DELETE) {
      words.set(0, "a map's entry");
    }
    if (isWithinProbe && isStatement) {
      words.add("\"}\"");
    }
    if (tokens.contains(PlyLexer.PLUS) && !isExpression) {
      words.add("an operator");
    }
    return words.isEmpty() ? "nothing more" : join(words);
  }

  private static void addPunctuation(List<String> words, IntervalSet tokens) {
    // After a name, an opening bracket is omitted: operators suffice.
    boolean isOperand = tokens.contains(PlyLexer.PLUS);
    for (int type : tokens.toArray()) {
      switch (type) {
        case PlyLexer.SEMICOLON -> words.add("\";\"");
        case PlyLexer.COMMA -> words.add("\",\"");
        case PlyLexer.RPAREN -> words.add("\")\"");
        case PlyLexer.COLON -> words.add("\":\"");
        case PlyLexer.RANGE -> words.add("\"..\"");
        case PlyLexer.RBRACKET -> words.add("\"]\"");
        case PlyLexer.RBRACE -> words.add("\"}\"");
        case PlyLexer.LPAREN ->
            words.addAll(
                isOperand || tokens.contains(PlyLexer.NUMBER) ? List.of() : List.of("\"(\""));
        case PlyLexer.LBRACKET -> words.addAll(isOperand ? List.of() : List.of("\"[\""));
        case PlyLexer.ELSE ->
            words.addAll(tokens.contains(PlyLexer.NAME) ? List.of() : List.of(ELSE));
        case PlyLexer.VALUE_START -> words.add("\"{\"");
        case PlyLexer.PREDICATE_END -> words.add(PREDICATE_END);
        default -> {}
      }
    }
  }

  private static String join(List<String> words) {
    int last = words.size() - 1;
    return last == 0
        ? words.get(0)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }
}
