package dev.ply.lang.grammar;

import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.TokenStream;

/** A parser that stops at too deep nesting, before its own recursion overflows the stack. */
public abstract class NestingLimit extends Parser {
  /**
   * The maximum depth of expressions and statements: all that walks the tree, compiled or
   * interpreted, stays below half of a thread's usual stack of 1 MB.
   */
  public static final int DEEPEST = 256;

  private int expressions;
  private int statements;

  /** Creates a parser of {@code input}. */
  protected NestingLimit(TokenStream input) {
    super(input);
  }

  @Override
  public void enterRule(ParserRuleContext context, int state, int rule) {
    if (rule == PlyParser.RULE_statement && !isBody(_input.LA(1), getContext())) {
      if (statements == DEEPEST) {
        throw new NestingException(this, NestingException.Construct.STATEMENT);
      }
      statements++;
    }
    super.enterRule(context, state, rule);
  }

  @Override
  public void exitRule() {
    ParserRuleContext context = getContext();
    if (context.getRuleIndex() == PlyParser.RULE_statement
        && !isBody(context.getStart().getType(), context.getParent())) {
      statements--;
    }
    super.exitRule();
  }

  /** The braces around a body do not count as a level. */
  private static boolean isBody(int firstType, ParserRuleContext parent) {
    return firstType == PlyLexer.LBRACE
        && (parent instanceof PlyParser.IfStatementContext
            || parent instanceof PlyParser.WhileStatementContext
            || parent instanceof PlyParser.ForStatementContext
            || parent instanceof PlyParser.UnrollStatementContext
            || parent instanceof PlyParser.ProbeContext);
  }

  @Override
  public void enterRecursionRule(ParserRuleContext context, int state, int rule, int precedence) {
    if (expressions == DEEPEST) {
      throw new NestingException(this, NestingException.Construct.EXPRESSION);
    }
    expressions++;
    super.enterRecursionRule(context, state, rule, precedence);
  }

  @Override
  public void unrollRecursionContexts(ParserRuleContext parent) {
    expressions--;
    super.unrollRecursionContexts(parent);
  }

  @Override
  public void reset() {
    super.reset();
    expressions = 0;
    statements = 0;
  }
}
