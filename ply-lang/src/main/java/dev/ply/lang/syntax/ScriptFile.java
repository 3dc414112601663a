package dev.ply.lang.syntax;

import dev.ply.diagnostic.Source;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.Positions;
import dev.ply.lang.token.Tokenizer;
import java.util.List;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;

/**
 * The syntax tree of a script, or of a file that it imports.
 *
 * @param isImported whether another file imports it
 * @param tokens the same, with the indices that the tree has
 */
public record ScriptFile(
    Source source,
    boolean isImported,
    List<Token> words,
    CommonTokenStream tokens,
    PlyParser.ScriptContext tree,
    SyntaxErrors faults) {
  /** Parses tokens. */
  public static ScriptFile parse(
      Source source, boolean isImported, List<Token> words, Positions positions) {
    CommonTokenStream tokens = new CommonTokenStream(new ListTokenSource(words));
    PlyParser parser = new PlyParser(tokens);
    parser.removeErrorListeners();
    // SLL suffices for this grammar; full LL would only be slower.
    parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
    SyntaxErrors faults = new SyntaxErrors(positions, Tokenizer.withoutEnd(words));
    parser.setErrorHandler(faults);
    return new ScriptFile(source, isImported, words, tokens, parser.script(), faults);
  }

  /** Returns the index of the token after a child of the tree. */
  public int endOf(int child) {
    return tree.getChild(child + 1) instanceof ParserRuleContext following
        ? following.getStart().getTokenIndex() + 1
        : tokens.size();
  }
}
