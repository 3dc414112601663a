package dev.ply.lang.token;

import dev.ply.diagnostic.Source;
import dev.ply.lang.c.CFrontEnd;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.preprocess.ScriptDeclarations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CodePointCharStream;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;

/**
 * Splits a script into tokens. {@link ContextualTokens} assigns the types that depend on
 * neighbours, and a missing semicolon of the last statement is added: the parser needs one token of
 * lookahead, and linear time.
 */
public final class Tokenizer {
  /** An odd number of quotation marks, as a backslash takes the next character. */
  private static final Pattern UNCLOSED =
      Pattern.compile("(?:[^\"\\\\]|\"(?:[^\"\\\\]|\\\\.)*+\")*+\".*");

  private Tokenizer() {}

  /**
   * Returns the tokens of a script, with the end of the file last.
   *
   * @param c reads declarations of C, and knows the macros
   * @param withoutDefinitions removes the definitions of maps
   */
  public static List<Token> of(
      ScriptDeclarations c, UnaryOperator<List<Token>> withoutDefinitions) {
    Source source = c.source();
    CodePointCharStream input = CharStreams.fromString(source.text(), source.name());
    Offsets offsets = Offsets.of(source.text());
    PlyLexer lexer = new PlyLexer(input);
    lexer.removeErrorListeners();
    List<Token> all = new ArrayList<>();
    while (true) {
      boolean isProbeNext = lexer.isProbeNext();
      Token read = lexer.nextToken();
      if (read.getType() == Token.EOF) {
        all.add(read);
        break;
      }
      boolean isWord = read.getType() == PlyLexer.NAME || read.getType() == PlyLexer.TAGGED;
      int start = isWord ? offsets.inText(read.getStartIndex()) : 0;
      if (isWord && isProbeNext && c.begins(start, read.getText())) {
        lexer.continueAt(offsets.inCodePoints(c.declaration(start)), true);
        continue;
      }
      Optional<CFrontEnd.Expansion> expansion =
          isWord
              ? c.expansion(start, read.getText(), BuiltIns.isKnown(read.getText()))
              : Optional.empty();
      if (expansion.isEmpty()) {
        all.add(read);
        continue;
      }
      all.addAll(expanded(expansion.get().text(), read));
      int end = offsets.inCodePoints(expansion.get().end());
      if (end > read.getStopIndex() + 1) {
        lexer.continueAt(end, false);
      }
    }
    c.finish();
    return completed(withoutDefinitions.apply(all), c.typedefs());
  }

  /** Returns the tokens of a script as it is written: directives are comments. */
  public static List<Token> plain(Source source) {
    PlyLexer lexer = new PlyLexer(CharStreams.fromString(source.text(), source.name()));
    lexer.removeErrorListeners();
    List<Token> all = new ArrayList<>(lexer.getAllTokens());
    all.add(lexer.emitEOF());
    return completed(all, Set.of());
  }

  private static List<Token> completed(List<Token> all, Set<String> typedefs) {
    List<Token> words = new ArrayList<>();
    Token previous = new CommonToken(PlyLexer.LBRACE, "");
    for (Token word : ContextualTokens.of(all, typedefs)) {
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

  private static List<Token> expanded(String text, Token use) {
    PlyLexer lexer = new PlyLexer(CharStreams.fromString(text));
    lexer.removeErrorListeners();
    lexer.mode(Lexer.DEFAULT_MODE);
    List<Token> tokens = new ArrayList<>();
    lexer.getAllTokens().forEach(word -> tokens.add(new MacroToken(word, use)));
    return tokens;
  }

  /** Returns an unterminated string or comment. */
  public static Optional<Token> withoutEnd(List<Token> words) {
    for (Token word : words) {
      if (word.getType() == PlyLexer.UNTERMINATED_STRING
          || word.getType() == PlyLexer.UNTERMINATED_COMMENT
          || isUnclosed(word)) {
        return Optional.of(word);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns whether a word is a definition that a quotation mark extends to the end of its line.
   */
  private static boolean isUnclosed(Token word) {
    return word.getType() == PlyLexer.DEFINITION && UNCLOSED.matcher(word.getText()).matches();
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
