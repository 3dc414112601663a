package dev.ply.lang.build;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.BuiltIns;
import dev.ply.lang.token.Positions;
import dev.ply.lang.token.VariableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.antlr.v4.runtime.Token;

/** Builds statements that assign to variables and maps, or evaluate an expression. */
final class AssignmentBuilder {
  private final ExpressionBuilder expressions;
  private final Positions positions;
  private final Diagnostics diagnostics;

  AssignmentBuilder(ExpressionBuilder expressions, Positions positions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Returns an assignment, an update, or an expression as a statement. */
  Statement build(PlyParser.SimpleStatementContext context) {
    PlyParser.ExpressionContext left = context.expression(0);
    PlyParser.ExpressionContext last = context.expression(context.expression().size() - 1);
    SourceSpan span = positions.of(left).through(positions.of(last));
    if (context.COMPOUND_ASSIGN() != null) {
      return compound(left, context.COMPOUND_ASSIGN().getSymbol(), last, span);
    }
    if (context.ASSIGN() == null) {
      return expressions.statement(left).orElseGet(() -> evaluate(expressions.visit(left), span));
    }
    if (left.getText().equals("_")) {
      return expressions.statement(last).orElseGet(() -> evaluate(expressions.visit(last), span));
    }
    Optional<Token> variable = loneVariable(left);
    if (variable.isPresent()) {
      return assign(variable.get(), expressions.visit(last), span);
    }
    if (loneName(last).equals(Optional.of("nil"))) {
      VersionOne.nil(left, positions.of(last), diagnostics);
      return new Statement.Evaluate(expressions.visit(left), span);
    }
    Optional<MapRef> target = target(left);
    if (target.isPresent()) {
      return expressions
          .aggregate(target.get(), last, span)
          .orElseGet(() -> new Statement.Store(target.get(), expressions.visit(last), span));
    }
    List<Expr> parts =
        new AggregationBuilder(expressions, positions, diagnostics)
            .build(last)
            .map(Aggregation::arguments)
            .orElseGet(() -> List.of(expressions.visit(last)));
    Expr unknown = new Expr.Unknown(parts, loneName(left).stream().toList(), span);
    return new Statement.Evaluate(unknown, span);
  }

  /** A conditional expression as a statement is an if statement. */
  static Statement evaluate(Expr expression, SourceSpan span) {
    if (expression instanceof Expr.Block block) {
      List<Statement> all = new ArrayList<>(block.statements().statements());
      all.add(evaluate(block.value(), block.value().span()));
      return new Statement.Block(all, span);
    }
    if (expression instanceof Expr.Conditional choice && choice.then().isPresent()) {
      Expr then = choice.then().get();
      Expr otherwise = choice.otherwise();
      return new Statement.If(
          choice.condition(),
          new Statement.Block(List.of(evaluate(then, then.span())), then.span()),
          new Statement.Block(List.of(evaluate(otherwise, otherwise.span())), otherwise.span()),
          span);
    }
    return new Statement.Evaluate(expression, span);
  }

  private Statement assign(Token variable, Expr value, SourceSpan span) {
    return isAssignable(variable)
        ? new Statement.Assign(
            expressions.variable(variable.getText()), positions.of(variable), value, span)
        : new Statement.Evaluate(new Expr.Unknown(List.of(value), List.of(), span), span);
  }

  /** Returns whether a name is that of a variable, and reports it if not. */
  boolean isAssignable(Token variable) {
    boolean isVariable = VariableNames.isVariable(variable.getText());
    if (!isVariable) {
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          positions.of(variable),
          "\"" + variable.getText() + "\" cannot be assigned to",
          variable.getText().equals("$")
              ? "variables have names: $x"
              : "it is a parameter of the command line; variables begin with a letter: $x");
    }
    return isVariable;
  }

  private Statement compound(
      PlyParser.ExpressionContext left,
      Token operator,
      PlyParser.ExpressionContext right,
      SourceSpan span) {
    String symbol = operator.getText().substring(0, operator.getText().length() - 1);
    BinaryOp op = BinaryOp.named(symbol);
    Expr value = expressions.visit(right);
    Optional<Token> variable = loneVariable(left);
    if (variable.isPresent()) {
      Expr old = expressions.visit(left);
      return assign(variable.get(), new Expr.Binary(op, old, value, span), span);
    }
    return target(left)
        .<Statement>map(map -> new Statement.Update(map, op, value, span))
        .orElseGet(
            () ->
                new Statement.Evaluate(
                    new Expr.Unknown(List.of(value), loneName(left).stream().toList(), span),
                    span));
  }

  private Optional<MapRef> target(PlyParser.ExpressionContext left) {
    Optional<String> name = loneName(left);
    if (name.isPresent()) {
      String map = name.get();
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          positions.of(left),
          BuiltIns.isKnown(map)
              ? "\"" + map + "\" is built in and cannot be assigned to"
              : "\"" + map + "\" cannot be assigned to: a map without @ needs a key",
          "write " + map + "[key] = …; or, without a key, @" + map + " = …;");
      return Optional.empty();
    }
    if (expressions.visit(left) instanceof Expr.MapRead read && isBare(left)) {
      return Optional.of(read.map());
    }
    diagnostics.error(
        DiagnosticCode.SYNTAX,
        positions.of(left),
        "this cannot be assigned to",
        "variables and maps can: $x = value; m[key] = value; @[key] = count();");
    return Optional.empty();
  }

  /** Returns the name if the expression is a single name. */
  private static Optional<String> loneName(PlyParser.ExpressionContext context) {
    return isBare(context)
            && context instanceof PlyParser.OperandExpressionContext operand
            && operand.operand().atom() instanceof PlyParser.NameContext name
        ? Optional.of(name.getText())
        : Optional.empty();
  }

  private static Optional<Token> loneVariable(PlyParser.ExpressionContext context) {
    return isBare(context)
            && context instanceof PlyParser.OperandExpressionContext operand
            && operand.operand().atom() instanceof PlyParser.VariableContext variable
        ? Optional.of(variable.getStart())
        : Optional.empty();
  }

  private static boolean isBare(PlyParser.ExpressionContext context) {
    return context instanceof PlyParser.OperandExpressionContext operand
        && operand.operand().member().isEmpty()
        && operand.operand().INCREMENT() == null
        && operand.operand().DECREMENT() == null
        && !(operand.operand().atom() instanceof PlyParser.ParenthesizedContext);
  }
}
