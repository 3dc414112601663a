package dev.ply.lang.syntax;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.grammar.NestingException;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.BuiltIns;
import dev.ply.lang.token.Positions;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.InputMismatchException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;

/**
 * Reports syntax errors: the first of each statement and of each probe's head. Parsing resumes at
 * the next statement or probe, or at the closing brace.
 */
public final class SyntaxErrors extends DefaultErrorStrategy {
  private static final Set<Integer> PROBE =
      Set.of(
          Token.EOF,
          PlyLexer.DEFINITION,
          PlyLexer.BEGIN,
          PlyLexer.END,
          PlyLexer.MACRO,
          PlyLexer.FN);

  private static final Set<Integer> STATEMENT =
      Set.of(
          PlyLexer.SEMICOLON,
          PlyLexer.LAST_END,
          PlyLexer.LBRACE,
          PlyLexer.RBRACE,
          PlyLexer.PREDICATE_END,
          PlyLexer.ELSE);

  private final Positions positions;
  private final Optional<Token> withoutEnd;
  private final TreeMap<Integer, Diagnostic> found = new TreeMap<>();
  private final Set<RuleContext> blamed = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * Creates the error strategy.
   *
   * @param withoutEnd an unterminated string or comment, which extends to the end of the input
   */
  SyntaxErrors(Positions positions, Optional<Token> withoutEnd) {
    this.positions = positions;
    this.withoutEnd = withoutEnd;
  }

  /** Returns the errors between two token indices, the latter exclusive. */
  public Collection<Diagnostic> between(int from, int to) {
    return from < to ? found.subMap(from, to).values() : List.of();
  }

  @Override
  public void reportError(Parser parser, RecognitionException fault) {
    if (inErrorRecoveryMode(parser)) {
      return;
    }
    beginErrorCondition(parser);
    Token token = fault.getOffendingToken();
    if (!blamed.add(statementOrProbe(parser.getContext()))) {
      return;
    }
    if (withoutEnd.isPresent() && SyntaxProblem.isEnd(token)) {
      Token culprit = withoutEnd.get();
      SyntaxProblem.ofWord(culprit)
          .ifPresent(
              finding ->
                  found.put(culprit.getTokenIndex(), diagnostic(positions.of(culprit), finding)));
      return;
    }
    found.put(
        token.getTokenIndex(),
        fault instanceof NestingException nesting
            ? diagnostic(
                positions.of(token),
                new SyntaxProblem(nesting.construct().complaint(), nesting.construct().advice()))
            : describe(parser, fault, token));
  }

  /** An error in a block is one of the statement it is. */
  private static RuleContext statementOrProbe(RuleContext place) {
    RuleContext context = place;
    while (context.parent != null
        && context.getRuleIndex() != PlyParser.RULE_statement
        && context.getRuleIndex() != PlyParser.RULE_probe
        && context.getRuleIndex() != PlyParser.RULE_macro
        && context.getRuleIndex() != PlyParser.RULE_function) {
      context = context.parent;
    }
    return context;
  }

  private Diagnostic describe(Parser parser, RecognitionException fault, Token token) {
    SourceSpan span = positions.of(token);
    Optional<SyntaxProblem> word = SyntaxProblem.ofWord(token);
    if (word.isPresent()) {
      return diagnostic(span, word.get());
    }
    Token before = parser.getInputStream().get(Math.max(0, token.getTokenIndex() - 1));
    if (isDeleted(parser, before)) {
      return diagnostic(span, SyntaxProblem.noEntry(token));
    }
    Optional<Token> bare = bareKeyword(parser.getContext());
    if (bare.isPresent()) {
      return diagnostic(span, SyntaxProblem.noBraces(bare.get()));
    }
    Optional<Token> unknown = unknownStatement(parser);
    if (unknown.isPresent()) {
      return diagnostic(
          positions.of(unknown.get()), SyntaxProblem.unknownStatement(unknown.get().getText()));
    }
    if (isBareCondition(parser)) {
      return diagnostic(span, SyntaxProblem.bareCondition(token));
    }
    String expected = ExpectedTokens.at(parser, fault, before);
    if (isFunctionHead(parser.getContext())) {
      return diagnostic(
          SyntaxProblem.isEnd(token) ? positions.after(before) : span,
          SyntaxProblem.functionHead(token, expected, before));
    }
    boolean isOnLaterLine = token.getLine() > positions.of(before).endLine();
    if (isOnLaterLine && expected.startsWith("\";\"")) {
      return diagnostic(
          positions.after(before),
          new SyntaxProblem("expected \";\" after this statement", List.of()));
    }
    // Missing input at the end is reported after the last token, not on an empty line below.
    boolean isAtEnd = SyntaxProblem.isEnd(token) && token.getTokenIndex() > 0;
    boolean isBodyMissing = isOnLaterLine && ExpectedTokens.isBody(expected);
    return diagnostic(
        isAtEnd || isBodyMissing ? positions.after(before) : span,
        SyntaxProblem.unexpected(token, expected, before));
  }

  /** Returns the keyword of a condition without parentheses whose body has no brace. */
  private static Optional<Token> bareKeyword(RuleContext context) {
    return context instanceof PlyParser.BlockContext
            && (context.parent instanceof PlyParser.IfStatementContext
                || context.parent instanceof PlyParser.WhileStatementContext
                || context.parent instanceof PlyParser.ForStatementContext)
            && context.getChildCount() == 0
        ? Optional.of(((ParserRuleContext) context.parent).getStart())
        : Optional.empty();
  }

  /** Returns whether a function's parameters or the type of its result are being parsed. */
  private static boolean isFunctionHead(RuleContext context) {
    return context instanceof PlyParser.FunctionContext
        || context instanceof PlyParser.TypedParameterContext
        || (context instanceof PlyParser.TypeNameContext
            && context.parent != null
            && isFunctionHead(context.parent));
  }

  /** Returns the word before a block that is meant as a statement: {@code foreach (…) { … }}. */
  private static Optional<Token> unknownStatement(Parser parser) {
    return parser.getCurrentToken().getType() == PlyLexer.LBRACE
            && parser.getContext() instanceof PlyParser.EndContext
            && statementOrProbe(parser.getContext()) instanceof ParserRuleContext statement
            && (statement.getStart().getType() == PlyLexer.NAME
                || statement.getStart().getType() == PlyLexer.FUNCTION)
            && !BuiltIns.isKnown(statement.getStart().getText())
        ? Optional.of(statement.getStart())
        : Optional.empty();
  }

  /**
   * Returns whether a block follows an expression after a probe: {@code kprobe:f pid == 1 { … }}.
   */
  private static boolean isBareCondition(Parser parser) {
    return parser.getCurrentToken().getType() == PlyLexer.LBRACE
        && parser.getContext() instanceof PlyParser.EndContext
        && parser.getContext().parent instanceof PlyParser.SimpleStatementContext statement
        && statement.parent instanceof PlyParser.ProbeContext probe
        && probe.predicate() == null;
  }

  /** Returns whether the token before is {@code delete}, or {@code delete} and a parenthesis. */
  private static boolean isDeleted(Parser parser, Token before) {
    Token word =
        before.getType() == PlyLexer.LPAREN
            ? parser.getInputStream().get(Math.max(0, before.getTokenIndex() - 1))
            : before;
    return word.getType() == PlyLexer.DELETE;
  }

  private static Diagnostic diagnostic(SourceSpan span, SyntaxProblem finding) {
    return new Diagnostic(
        Severity.ERROR, DiagnosticCode.SYNTAX, span, finding.message(), finding.hints());
  }

  @Override
  public void recover(Parser parser, RecognitionException fault) {
    boolean isProbe =
        parser.getContext() instanceof PlyParser.ProbeContext
            || parser.getContext() instanceof PlyParser.MacroContext
            || parser.getContext() instanceof PlyParser.FunctionContext
            || parser.getContext() instanceof PlyParser.TypedParameterContext
            || parser.getContext() instanceof PlyParser.ParameterContext;
    if (fault instanceof NestingException || isProbe) {
      skip(parser, PROBE);
    } else if (unknownStatement(parser).isPresent()) {
      skipBlock(parser);
    } else if (!(parser.getContext() instanceof PlyParser.EndContext) || !isNextStatement(parser)) {
      skipStatement(parser);
    }
  }

  /** Returns whether only the end of a statement is missing before the next one. */
  private boolean isNextStatement(Parser parser) {
    Token next = parser.getCurrentToken();
    Token before = parser.getInputStream().LT(-1);
    return next.getType() == PlyLexer.IF
        || next.getType() == PlyLexer.DELETE
        || next.getLine() > positions.of(before).endLine();
  }

  /**
   * Resumes after an {@code if} with wrong parentheses; otherwise no token is inserted or deleted,
   * since the intention is unknown.
   */
  @Override
  public Token recoverInline(Parser parser) {
    InputMismatchException fault = new InputMismatchException(parser);
    if (parser.getContext() instanceof PlyParser.IfStatementContext condition) {
      reportError(parser, fault);
      if (condition.LPAREN() != null) {
        skipStatement(parser);
      }
      return getMissingSymbol(parser);
    }
    throw fault;
  }

  /** Skips tokens that can start neither a statement nor a probe's body. */
  @Override
  public void sync(Parser parser) {
    ParserRuleContext context = parser.getContext();
    boolean isList =
        context instanceof PlyParser.BlockContext || context instanceof PlyParser.ProbeContext;
    if (!isList || isAcceptable(parser)) {
      return;
    }
    if (isElseOfWrongIf(parser)) {
      // The error that separates it from its if comes later.
      beginErrorCondition(parser);
    }
    reportError(parser, new InputMismatchException(parser));
    if (parser.getCurrentToken().getType() == PlyLexer.SLASH) {
      skipStatement(parser);
    }
    while (!isAcceptable(parser)) {
      parser.consume();
    }
  }

  private static boolean isElseOfWrongIf(Parser parser) {
    List<ParseTree> before = parser.getContext().children;
    return parser.getInputStream().LA(1) == PlyLexer.ELSE
        && before.get(before.size() - 1) instanceof PlyParser.IfStatementContext;
  }

  private static boolean isAcceptable(Parser parser) {
    int next = parser.getInputStream().LA(1);
    return PROBE.contains(next)
        || parser.getATN().nextTokens(parser.getATN().states.get(parser.getState())).contains(next);
  }

  private static void skipStatement(Parser parser) {
    boolean isLoop =
        statementOrProbe(parser.getContext()) instanceof ParserRuleContext statement
            && statement.getStart().getText().equals("for");
    int next = parser.getInputStream().LA(1);
    // The semicolons in the head of such a loop are not those of statements.
    while ((!STATEMENT.contains(next) || (isLoop && next == PlyLexer.SEMICOLON))
        && !PROBE.contains(next)) {
      parser.consume();
      next = parser.getInputStream().LA(1);
    }
    boolean isPredicate = false;
    for (RuleContext context = parser.getContext(); context != null; context = context.parent) {
      isPredicate |= context instanceof PlyParser.PredicateContext;
    }
    if (!isPredicate
        && parser.getCurrentToken() instanceof CommonToken brace
        && brace.getType() == PlyLexer.PREDICATE_END) {
      // Where no predicate can end, a block starts.
      brace.setType(PlyLexer.LBRACE);
    }
  }

  private static void skipBlock(Parser parser) {
    int depth = 0;
    do {
      int next = parser.getInputStream().LA(1);
      depth += next == PlyLexer.LBRACE ? 1 : next == PlyLexer.RBRACE ? -1 : 0;
      parser.consume();
    } while (depth > 0 && !PROBE.contains(parser.getInputStream().LA(1)));
  }

  private static void skip(Parser parser, Set<Integer> until) {
    while (!until.contains(parser.getInputStream().LA(1))) {
      parser.consume();
    }
  }
}
