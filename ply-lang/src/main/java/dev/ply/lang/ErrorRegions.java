package dev.ply.lang;

import dev.ply.lang.grammar.PlyParser;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ErrorNode;
import org.antlr.v4.runtime.tree.ParseTree;

/** Which parts of a syntax tree were not understood. */
final class ErrorRegions {
  private final Set<ParseTree> damaged = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The damage to a tree. Chains of operators make trees too high to recurse. */
  ErrorRegions(ParseTree root) {
    Deque<ParseTree> pending = new ArrayDeque<>();
    pending.add(root);
    while (!pending.isEmpty()) {
      ParseTree tree = pending.remove();
      if (tree instanceof ErrorNode
          || (tree instanceof ParserRuleContext context && context.exception != null)) {
        markUpwards(tree);
      }
      for (int i = 0; i < tree.getChildCount(); i++) {
        pending.add(tree.getChild(i));
      }
    }
  }

  private void markUpwards(ParseTree tree) {
    for (ParseTree node = tree; node != null && damaged.add(node); node = node.getParent()) {}
  }

  /** Tells whether the tree is damaged somewhere. */
  boolean isIn(ParseTree tree) {
    return damaged.contains(tree);
  }

  /**
   * Returns the expressions in a damaged part that were certainly meant as they were read: whole
   * arguments and keys with a comma behind them.
   */
  List<PlyParser.ExpressionContext> wholeExpressionsIn(ParseTree part) {
    List<PlyParser.ExpressionContext> whole = new ArrayList<>();
    Deque<ParseTree> pending = new ArrayDeque<>();
    pending.add(part);
    while (!pending.isEmpty()) {
      ParseTree tree = pending.remove();
      for (int i = 0; i < tree.getChildCount(); i++) {
        ParseTree child = tree.getChild(i);
        if (isIn(child)) {
          pending.add(child);
        } else if (tree instanceof PlyParser.ExpressionsContext
            && i + 1 < tree.getChildCount()
            && !isIn(tree.getChild(i + 1))
            && child instanceof PlyParser.ExpressionContext expression) {
          whole.add(expression);
        }
      }
    }
    return whole;
  }

  /** Returns the words of a tree that were skipped. */
  List<Token> skippedIn(ParseTree root) {
    List<Token> skipped = new ArrayList<>();
    Deque<ParseTree> pending = new ArrayDeque<>();
    pending.add(root);
    while (!pending.isEmpty()) {
      ParseTree tree = pending.remove();
      if (tree instanceof ErrorNode error) {
        skipped.add(error.getSymbol());
      }
      for (int i = 0; i < tree.getChildCount(); i++) {
        if (isIn(tree.getChild(i))) {
          pending.add(tree.getChild(i));
        }
      }
    }
    return skipped;
  }
}
