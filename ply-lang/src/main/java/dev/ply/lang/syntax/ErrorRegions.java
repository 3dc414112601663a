package dev.ply.lang.syntax;

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

/** The erroneous parts of a syntax tree. */
public final class ErrorRegions {
  private final Set<ParseTree> damaged = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Collects the errors of a tree. Iterative, since chains of operators make deep trees. */
  public ErrorRegions(ParseTree root) {
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

  /** Returns whether a subtree contains an error. */
  public boolean isIn(ParseTree tree) {
    return damaged.contains(tree);
  }

  /**
   * Returns the expressions in an erroneous part that were parsed completely: arguments and keys
   * followed by a comma.
   */
  public List<PlyParser.ExpressionContext> wholeExpressionsIn(ParseTree part) {
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

  /** Returns the tokens of a tree that the parser skipped. */
  public List<Token> skippedIn(ParseTree root) {
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
