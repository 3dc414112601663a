package dev.ply.lang;

import dev.ply.diagnostic.Source;
import dev.ply.lang.grammar.PlyLexer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;

/**
 * Splits a script into tokens. {@link ContextualTokens} assigns the types that depend on
 * neighbours, and a missing semicolon of the last statement is added: the parser needs one token of
 * lookahead, and linear time.
 */
final class Tokenizer {
  private Tokenizer() {}

  /**
   * Returns the tokens of a script, with the end of the file last.
   *
   * @param macros bodies of macros, by name
   * @param withoutDefinitions removes the definitions of types and maps
   */
  static List<Token> of(
      Source source, Map<String, String> macros, UnaryOperator<List<Token>> withoutDefinitions) {
    MacroExpansion expansion = new MacroExpansion(macros);
    PlyLexer lexer = new PlyLexer(CharStreams.fromString(source.text(), source.name()));
    lexer.removeErrorListeners();
    List<Token> all = new ArrayList<>();
    for (Token read : lexer.getAllTokens()) {
      all.addAll(expansion.of(read));
    }
    all.add(lexer.emitEOF());
    List<Token> words = new ArrayList<>();
    Token previous = new CommonToken(PlyLexer.LBRACE, "");
    for (Token word : ContextualTokens.of(withoutDefinitions.apply(all))) {
      int type = word.getType();
      boolean isEnd = type == PlyLexer.RBRACE || type == PlyLexer.VALUE_END || type == Token.EOF;
      if (isEnd && isStatementOpen(previous)) {
        CommonToken end = new CommonToken(word);
        end.setText(type == Token.EOF ? "" : word.getText());
        end.setType(PlyLexer.LAST_END);
        words.add(end);
      }
      words.add(word);
      previous = word;
    }
    return words;
  }

  /** Returns an unterminated string or comment. */
  static Optional<Token> withoutEnd(List<Token> words) {
    for (Token word : words) {
      if (word.getType() == PlyLexer.UNTERMINATED_STRING
          || word.getType() == PlyLexer.UNTERMINATED_COMMENT
          || ProbeDefinition.isUnclosed(word)) {
        return Optional.of(word);
      }
    }
    return Optional.empty();
  }

  private static boolean isStatementOpen(Token last) {
    return switch (last.getType()) {
      case PlyLexer.LBRACE,
          PlyLexer.VALUE_START,
          PlyLexer.RBRACE,
          PlyLexer.SEMICOLON,
          PlyLexer.PREDICATE_END,
          PlyLexer.DEFINITION,
          PlyLexer.BEGIN,
          PlyLexer.END ->
          false;
      default -> true;
    };
  }
}
