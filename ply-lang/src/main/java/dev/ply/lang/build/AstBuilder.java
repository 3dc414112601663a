package dev.ply.lang.build;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.lang.argument.EnvironmentVariables;
import dev.ply.lang.declare.Macro;
import dev.ply.lang.declare.Macros;
import dev.ply.lang.grammar.NestingException;
import dev.ply.lang.grammar.NestingLimit;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.grammar.PlyParserBaseVisitor;
import dev.ply.lang.syntax.ErrorRegions;
import dev.ply.lang.token.MapNames;
import dev.ply.lang.token.Positions;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.TracerProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/**
 * Builds clauses and statements from the syntax tree, and reports errors that the grammar accepts.
 */
public final class AstBuilder extends PlyParserBaseVisitor<Statement> {
  /**
   * The parser counts the nesting of what is written, an if and its block once; here what calls of
   * macros and functions stand for counts, too, an if and its block twice.
   */
  private static final int DEEPEST = 2 * NestingLimit.DEEPEST;

  private final Positions positions;
  private final Diagnostics diagnostics;
  private final Set<String> mapNames;
  private final Set<String> constants;
  private final Macros macros;
  private final EnvironmentVariables variables;
  private final ErrorRegions damage;
  private final CommonTokenStream words;
  private ExpressionBuilder expressions;
  private int depth;
  private boolean isTooDeep;

  public AstBuilder(
      Positions positions,
      Diagnostics diagnostics,
      Set<String> mapNames,
      Set<String> constants,
      Macros macros,
      EnvironmentVariables variables,
      ErrorRegions damage,
      CommonTokenStream words) {
    this.positions = positions;
    this.diagnostics = diagnostics;
    this.mapNames = mapNames;
    this.constants = constants;
    this.macros = macros;
    this.variables = variables;
    this.damage = damage;
    this.words = words;
    this.expressions = expressions();
  }

  private ExpressionBuilder expressions() {
    return new ExpressionBuilder(
        positions,
        diagnostics,
        new NameResolver(positions, diagnostics, mapNames, constants, macros),
        macros,
        variables,
        this);
  }

  /** Returns a clause for each attach point of a probe, all with the same body. */
  public List<Clause> clauses(PlyParser.ProbeContext probe) {
    expressions = expressions();
    Optional<Expr> predicate =
        Optional.ofNullable(probe.predicate()).map(context -> predicate(probe, context));
    SourceSpan span = positions.of(probe);
    Statement.Block body = body(probe, predicate.isPresent(), span);
    List<Clause> clauses = new ArrayList<>();
    for (PlyParser.PointContext point : probe.point()) {
      SourceSpan pointSpan = positions.of(point);
      AttachPoint attach =
          attachPoint(point, pointSpan).orElseGet(() -> new AttachPoint.Unknown(point.getText()));
      clauses.add(new Clause(attach, pointSpan, predicate, body, span));
    }
    return clauses;
  }

  /** Returns the statements of a function that nothing calls. */
  public Statement.Block uncalled(Macro function) {
    expressions = expressions();
    return expressions.uncalled(function);
  }

  /** Returns a clause for unparsed input outside of probes. */
  public Clause unknown(PlyParser.StrayContext stray) {
    SourceSpan span = positions.of(stray);
    Statement.Block body = new Statement.Block(List.of(unknownStatement(stray)), span);
    AttachPoint nowhere = new AttachPoint.Unknown(stray.getStart().getText());
    return new Clause(nowhere, span, Optional.empty(), body, span);
  }

  private Statement.Block body(PlyParser.ProbeContext probe, boolean isBlock, SourceSpan span) {
    List<Statement> statements = new ArrayList<>();
    if (damage.isIn(probe)) {
      List<String> maps = MapNames.mentioned(damage.skippedIn(probe), mapNames);
      statements.add(new Statement.Evaluate(new Expr.Unknown(List.of(), maps, span), span));
    }
    if (damage.isIn(probe) && !isBlock && isForeign(probe)) {
      probe.statement().stream()
          .map(
              one ->
                  damage.isIn(one) && one instanceof PlyParser.SimpleStatementContext
                      ? new Statement.Evaluate(new Expr.Unknown(span), span)
                      : visit(one))
          .forEach(statements::add);
      return new Statement.Block(statements, span);
    }
    if (statements.isEmpty() && !isBlock) {
      return asBlock(visit(probe.statement(0)));
    }
    statements.addAll(block(probe.statement(), span).statements());
    return new Statement.Block(statements, span);
  }

  /** Input after an unknown provider's definition can be a part of it. */
  private Expr predicate(PlyParser.ProbeContext probe, PlyParser.PredicateContext context) {
    return damage.isIn(context) && isForeign(probe)
        ? new Expr.Unknown(positions.of(context))
        : condition(context.expression(), context);
  }

  /** Returns whether the input before the body can belong to the definition. */
  public static boolean isForeign(PlyParser.ProbeContext probe) {
    for (PlyParser.PointContext point : probe.point()) {
      if (ProbeDefinition.isForeign(point.getText())) {
        return true;
      }
    }
    return false;
  }

  private Expr condition(PlyParser.@Nullable ExpressionContext condition, ParserRuleContext whole) {
    return condition == null || damage.isIn(condition)
        ? unknown(condition == null ? whole : condition)
        : expressions.visit(condition);
  }

  /** Returns a node for unparsed input. */
  private Expr unknown(ParserRuleContext part) {
    List<Expr> whole = new ArrayList<>();
    damage.wholeExpressionsIn(part).forEach(one -> whole.add(expressions.visit(one)));
    int first = part.getStart().getTokenIndex();
    int last = part.getStop() == null ? first : part.getStop().getTokenIndex();
    List<Token> all = last < first ? List.of() : words.get(first, last);
    return new Expr.Unknown(whole, MapNames.mentioned(all, mapNames), positions.of(part));
  }

  private Statement unknownStatement(ParserRuleContext part) {
    return new Statement.Evaluate(unknown(part), positions.of(part));
  }

  private Optional<AttachPoint> attachPoint(PlyParser.PointContext point, SourceSpan span) {
    if (damage.isIn(point)) {
      return Optional.empty();
    }
    return switch (point.getStart().getType()) {
      case PlyLexer.BEGIN -> Optional.of(new TracerProbe.Begin());
      case PlyLexer.END -> Optional.of(new TracerProbe.End());
      default ->
          variables
              .inDefinition(point.getText(), span)
              .flatMap(
                  text -> new ProbeDefinition(diagnostics, variables.timers()).parse(text, span));
    };
  }

  private static Statement.Block asBlock(Statement statement) {
    return statement instanceof Statement.Block block
        ? block
        : new Statement.Block(List.of(statement), statement.span());
  }

  /** Returns whether a part contains a syntax error, which has been reported. */
  boolean isDamaged(ParserRuleContext part) {
    return damage.isIn(part);
  }

  /** Returns statements as a block. */
  Statement.Block block(List<PlyParser.StatementContext> statements, SourceSpan span) {
    List<Statement> built = new ArrayList<>();
    for (PlyParser.StatementContext statement : statements) {
      if (!(statement instanceof PlyParser.EmptyStatementContext)) {
        built.add(visit(statement));
      }
    }
    return new Statement.Block(built, span);
  }

  /** An erroneous statement is none of the others. */
  @Override
  public Statement visit(ParseTree statement) {
    boolean isMadeOfStatements =
        statement instanceof PlyParser.BlockStatementContext
            || statement instanceof PlyParser.IfStatementContext
            || statement instanceof PlyParser.WhileStatementContext
            || statement instanceof PlyParser.ForStatementContext
            || statement instanceof PlyParser.UnrollStatementContext;
    if (!(statement instanceof ParserRuleContext part)) {
      return super.visit(statement);
    }
    if (damage.isIn(part) && !isMadeOfStatements && !isOnlyWithoutEnd(part)) {
      return unknownStatement(part);
    }
    if (depth == DEEPEST) {
      tooDeep(part);
      return unknownStatement(part);
    }
    depth++;
    try {
      return super.visit(part);
    } finally {
      depth--;
    }
  }

  /** Reported once, since all enclosing statements are too deep as well. */
  private void tooDeep(ParserRuleContext statement) {
    if (!isTooDeep) {
      isTooDeep = true;
      NestingException.Construct construct = NestingException.Construct.STATEMENT;
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          positions.of(statement),
          construct.complaint(),
          construct.advice());
    }
  }

  /** Returns whether a statement's only error is the missing semicolon. */
  private boolean isOnlyWithoutEnd(ParserRuleContext statement) {
    int last = statement.getChildCount() - 1;
    return last > 0
        && statement.getChild(last) instanceof PlyParser.EndContext end
        && end.getChildCount() == 0
        && statement.children.subList(0, last).stream().noneMatch(damage::isIn);
  }

  @Override
  public Statement visitBlockStatement(PlyParser.BlockStatementContext context) {
    return block(context.block().statement(), positions.of(context));
  }

  @Override
  public Statement visitEmptyStatement(PlyParser.EmptyStatementContext context) {
    return new Statement.Block(List.of(), positions.of(context));
  }

  @Override
  public Statement visitIfStatement(PlyParser.IfStatementContext context) {
    SourceSpan span = positions.of(context);
    // What precedes the wrong token is only a part of the condition.
    boolean isCut = context.RPAREN() != null && damage.isIn(context.RPAREN());
    Expr condition = isCut ? unknown(context) : condition(context.expression(), context);
    Statement.Block then = body(context.then, context.block(), span);
    Statement.Block otherwise = body(context.otherwise, null, then.span());
    return new Statement.If(condition, then, otherwise, span);
  }

  @Override
  public Statement visitWhileStatement(PlyParser.WhileStatementContext context) {
    SourceSpan span = positions.of(context);
    Expr condition = condition(context.expression(), context);
    return new Statement.While(condition, body(context.statement(), context.block(), span), span);
  }

  /** Returns a body; after a condition without parentheses, it is {@code braced}. */
  private Statement.Block body(
      PlyParser.@Nullable StatementContext body,
      PlyParser.@Nullable BlockContext braced,
      SourceSpan otherwise) {
    if (braced != null) {
      return block(braced.statement(), positions.of(braced));
    }
    return body == null ? new Statement.Block(List.of(), otherwise) : asBlock(visit(body));
  }

  @Override
  public Statement visitForStatement(PlyParser.ForStatementContext context) {
    SourceSpan span = positions.of(context);
    PlyParser.RangeContext range = context.range();
    Statement.Block body = body(context.statement(), context.block(), span);
    if (range == null || damage.isIn(range)) {
      Expr unknown = unknown(range == null ? context : range);
      Statement head =
          range == null || range.VARIABLE() == null
              ? new Statement.Evaluate(unknown, span)
              : new Statement.Declare(
                  expressions.variable(range.VARIABLE().getText()),
                  Optional.empty(),
                  Optional.of(unknown),
                  span);
      return new Statement.Block(List.of(head, body), span);
    }
    if (range.RANGE() == null) {
      return overMap(range, body, span);
    }
    return new Statement.ForRange(
        expressions.variable(range.VARIABLE().getText()),
        expressions.visit(range.expression(0)),
        expressions.visit(range.expression(1)),
        body,
        span);
  }

  private Statement overMap(PlyParser.RangeContext range, Statement.Block body, SourceSpan span) {
    String variable = expressions.variable(range.VARIABLE().getText());
    Expr over = expressions.visit(range.expression(0));
    if (over instanceof Expr.MapRead read && read.map().keys().isEmpty()) {
      return new Statement.ForEach(variable, read.map(), body, span);
    }
    diagnostics.error(
        DiagnosticCode.SYNTAX,
        over.span(),
        "a loop iterates over a map or over integers",
        "write for (" + variable + " : @map) or for (" + variable + " : 0..n)");
    Expr unknown = new Expr.Unknown(List.of(over), List.of(), over.span());
    Statement head = new Statement.Declare(variable, Optional.empty(), Optional.of(unknown), span);
    return new Statement.Block(List.of(head, body), span);
  }

  @Override
  public Statement visitUnrollStatement(PlyParser.UnrollStatementContext context) {
    SourceSpan span = positions.of(context);
    Expr count = condition(context.expression(), context);
    return new Statement.Unroll(count, body(context.statement(), null, span), span);
  }

  @Override
  public Statement visitLetStatement(PlyParser.LetStatementContext context) {
    SourceSpan span = positions.of(context);
    Token variable = context.VARIABLE().getSymbol();
    Optional<Expr> value = Optional.ofNullable(context.expression()).map(expressions::visit);
    if (!assignments().isAssignable(variable)) {
      return new Statement.Evaluate(
          new Expr.Unknown(value.stream().toList(), List.of(), span), span);
    }
    return new Statement.Declare(
        expressions.variable(variable.getText()),
        Optional.ofNullable(context.typeName()).map(expressions.types()::of),
        value,
        span);
  }

  @Override
  public Statement visitBreakStatement(PlyParser.BreakStatementContext context) {
    return new Statement.Break(positions.of(context.BREAK().getSymbol()));
  }

  @Override
  public Statement visitContinueStatement(PlyParser.ContinueStatementContext context) {
    return new Statement.Continue(positions.of(context.CONTINUE().getSymbol()));
  }

  @Override
  public Statement visitDeleteStatement(PlyParser.DeleteStatementContext context) {
    SourceSpan span = positions.of(context);
    if (context.target() != null) {
      return new Statement.Delete(expressions.map(context.target()), span);
    }
    return expressions
        .entry(context.wholeMap(), context.expressions())
        .<Statement>map(map -> new Statement.Delete(map, span))
        .orElseGet(() -> new Statement.Evaluate(new Expr.Unknown(span), span));
  }

  @Override
  public Statement visitReturnStatement(PlyParser.ReturnStatementContext context) {
    return new Statement.Return(
        Optional.ofNullable(context.expression()).map(expressions::visit),
        positions.of(context.RETURN().getSymbol()));
  }

  @Override
  public Statement visitSimpleStatement(PlyParser.SimpleStatementContext context) {
    return assignments().build(context);
  }

  private AssignmentBuilder assignments() {
    return new AssignmentBuilder(expressions, positions, diagnostics);
  }
}
