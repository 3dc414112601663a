package dev.ply.lang.build;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.lang.declare.Macro;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.Positions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.antlr.v4.runtime.ParserRuleContext;

/**
 * Builds blocks with a value, and the bodies of macros, which are such blocks: the value is the
 * last statement if it is an expression without semicolon.
 */
final class BlockBuilder {
  private final ExpressionBuilder expressions;
  private final AstBuilder statements;
  private final MacroScope scope;
  private final AggregationBuilder aggregations;
  private final Positions positions;
  private final Diagnostics diagnostics;

  BlockBuilder(
      ExpressionBuilder expressions,
      AstBuilder statements,
      MacroScope scope,
      Positions positions,
      Diagnostics diagnostics) {
    this.expressions = expressions;
    this.statements = statements;
    this.scope = scope;
    this.aggregations = new AggregationBuilder(expressions, positions, diagnostics);
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Returns a block in the place of a value. */
  Expr value(PlyParser.ValueBlockContext context) {
    return value(context.statement(), context, "this block has no value");
  }

  /** Returns the value of a macro. */
  Expr expand(String name, List<PlyParser.ExpressionContext> arguments, SourceSpan call) {
    return scope
        .find(name, arguments, call)
        .map(
            macro ->
                macro.types().isPresent()
                    ? result(macro, arguments, call)
                    : scope.in(
                        new Expansion(macro, scope.current(), arguments),
                        unused ->
                            value(
                                macro.body().statement(),
                                macro.body(),
                                "macro \"" + name + "\" has no value")))
        .orElseGet(() -> new Expr.Unknown(call));
  }

  /** Returns the value that a function returns. */
  private Expr result(
      Macro function, List<PlyParser.ExpressionContext> arguments, SourceSpan call) {
    FunctionCall expanded = call(function, arguments, call);
    return expanded
        .result()
        .<Expr>map(
            variable ->
                new Expr.Block(expanded.statements(), new Expr.VariableRead(variable, call), call))
        .orElseGet(
            () -> {
              diagnostics.error(
                  DiagnosticCode.TYPE_MISMATCH,
                  call,
                  "function \"" + function.name() + "\" returns no value");
              return new Expr.Unknown(call);
            });
  }

  /**
   * Statements that a call stands for.
   *
   * @param result the variable that has the result after them
   */
  private record FunctionCall(Statement.Block statements, Optional<String> result) {}

  /**
   * Arguments are evaluated once, in the caller; the function's variables are those of the call.
   */
  private FunctionCall call(
      Macro function, List<PlyParser.ExpressionContext> arguments, SourceSpan call) {
    List<Optional<Expr>> values =
        arguments.stream().map(expressions::visit).map(Optional::of).toList();
    return scope.in(
        new Expansion(function, scope.current(), List.of()),
        unused -> call(function, function.types().orElseThrow(), values, call));
  }

  /** Returns the statements of a function that nothing calls: its arguments are unknown. */
  Statement.Block uncalled(Macro function) {
    List<Optional<Expr>> values =
        function.parameters().stream().map(unused -> Optional.<Expr>empty()).toList();
    return scope
        .in(
            new Expansion(function, Optional.empty(), List.of()),
            unused -> call(function, function.types().orElseThrow(), values, function.span()))
        .statements();
  }

  private FunctionCall call(
      Macro function, Macro.Types types, List<Optional<Expr>> values, SourceSpan call) {
    List<Statement> all = parameters(function, types, values);
    Optional<String> result =
        types.isVoid() ? Optional.empty() : Optional.of(scope.result(function));
    result.ifPresent(
        variable ->
            all.add(
                new Statement.Declare(
                    variable,
                    Optional.of(expressions.types().of(types.result())),
                    Optional.empty(),
                    call)));
    if (statements.isDamaged(function.body()) || statements.isDamaged(types.result())) {
      return new FunctionCall(new Statement.Block(all, call), result);
    }
    List<Statement> body = statements.block(function.body().statement(), call).statements();
    all.addAll(
        new ReturnStatements(function.name(), result, scope::unused, diagnostics)
            .lower(body, positions.of(function.body().getStop())));
    return new FunctionCall(new Statement.Block(all, call), result);
  }

  /**
   * Returns the declarations of a function's parameters. One whose type names later parameters,
   * {@code typeof($later)}, comes after their declarations; arguments stay in order.
   */
  private List<Statement> parameters(
      Macro function, Macro.Types types, List<Optional<Expr>> values) {
    List<Statement> all = new ArrayList<>();
    Set<Integer> declared = new HashSet<>();
    for (int i = 0; i < values.size(); i++) {
      String variable = scope.variable(function.parameters().get(i).name());
      SourceSpan span =
          values.get(i).map(Expr::span).orElse(positions.of(types.parameters().get(i)));
      if (declared.add(i)) {
        declareNamed(function, types, i, declared, all, span);
        all.add(declaration(function, types, i, values.get(i), span));
      } else if (values.get(i).isPresent()) {
        all.add(new Statement.Assign(variable, span, values.get(i).get(), span));
      }
    }
    return all;
  }

  /** Declares the parameters that the type of a parameter names. */
  private void declareNamed(
      Macro function,
      Macro.Types types,
      int parameter,
      Set<Integer> declared,
      List<Statement> all,
      SourceSpan span) {
    Set<String> named = types.variables(parameter);
    for (int i = 0; i < function.parameters().size(); i++) {
      if (named.contains(function.parameters().get(i).name()) && declared.add(i)) {
        declareNamed(function, types, i, declared, all, span);
        all.add(declaration(function, types, i, Optional.empty(), span));
      }
    }
  }

  private Statement declaration(
      Macro function, Macro.Types types, int parameter, Optional<Expr> value, SourceSpan span) {
    return new Statement.Declare(
        scope.variable(function.parameters().get(parameter).name()),
        Optional.of(expressions.types().of(types.parameters().get(parameter))),
        value,
        span);
  }

  private Expr value(
      List<PlyParser.StatementContext> body, ParserRuleContext context, String complaint) {
    SourceSpan span = positions.of(context);
    if (statements.isDamaged(context)) {
      return new Expr.Unknown(span);
    }
    int last = body.size() - 1;
    Statement.Block before = statements.block(body.subList(0, Math.max(0, last)), span);
    Optional<Expr> value = last < 0 ? Optional.empty() : valueOf(body.get(last));
    if (value.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.TYPE_MISMATCH,
          span,
          complaint,
          "its value is a last expression without semicolon: { $x += 1; $x }");
      return new Expr.Unknown(span);
    }
    return before.statements().isEmpty() ? value.get() : new Expr.Block(before, value.get(), span);
  }

  /** Returns the value of a last statement: an expression, or a choice between two. */
  private Optional<Expr> valueOf(PlyParser.StatementContext statement) {
    if (statement instanceof PlyParser.SimpleStatementContext simple && isValue(simple)) {
      return Optional.of(expressions.visit(simple.expression(0)));
    }
    if (statement instanceof PlyParser.IfStatementContext choice && hasValue(choice)) {
      Expr condition = expressions.visit(choice.expression());
      Optional<Expr> then = then(choice).map(this::valueOf);
      return valueOf(choice.otherwise)
          .map(otherwise -> new Expr.Conditional(condition, then, otherwise, positions.of(choice)));
    }
    if (statement instanceof PlyParser.BlockStatementContext block && hasValue(block)) {
      return Optional.of(valueOf(block.block()));
    }
    return Optional.empty();
  }

  private Expr valueOf(PlyParser.BlockContext block) {
    return value(block.statement(), block, "");
  }

  private static boolean isValue(PlyParser.SimpleStatementContext simple) {
    return simple.ASSIGN() == null
        && simple.COMPOUND_ASSIGN() == null
        && simple.end() != null
        && simple.end().LAST_END() != null;
  }

  private static boolean hasValue(PlyParser.StatementContext statement) {
    if (statement instanceof PlyParser.SimpleStatementContext simple) {
      return isValue(simple);
    }
    if (statement instanceof PlyParser.IfStatementContext choice) {
      return choice.otherwise != null
          && then(choice).filter(BlockBuilder::hasValue).isPresent()
          && hasValue(choice.otherwise);
    }
    return statement instanceof PlyParser.BlockStatementContext block && hasValue(block.block());
  }

  private static boolean hasValue(PlyParser.BlockContext block) {
    List<PlyParser.StatementContext> body = block.statement();
    return !body.isEmpty() && hasValue(body.get(body.size() - 1));
  }

  /** Returns the first branch, if that is a block. */
  private static Optional<PlyParser.BlockContext> then(PlyParser.IfStatementContext choice) {
    return choice.then instanceof PlyParser.BlockStatementContext braced
        ? Optional.of(braced.block())
        : Optional.ofNullable(choice.block());
  }

  /**
   * Returns the update of a map by an aggregation, if that is what is assigned to it: {@code @ =
   * count()}, or a block or a macro whose last expression is one.
   */
  Optional<Statement> aggregate(
      MapRef target, PlyParser.ExpressionContext context, SourceSpan span) {
    return endsInAggregation(context)
        ? scope.resolve(context, value -> aggregated(target, value, span))
        : Optional.empty();
  }

  /**
   * The statements of a block, or of a macro that is called.
   *
   * @param expansion the call of the macro
   */
  private record Body(List<PlyParser.StatementContext> statements, Optional<Expansion> expansion) {
    /** Returns the last statement if it is an expression without semicolon. */
    Optional<PlyParser.ExpressionContext> value() {
      return statements.stream()
          .reduce((unused, last) -> last)
          .flatMap(
              last ->
                  last instanceof PlyParser.SimpleStatementContext simple && isValue(simple)
                      ? Optional.of(simple.expression(0))
                      : Optional.empty());
    }
  }

  private <T> T in(Body body, Supplier<T> evaluation) {
    return body.expansion()
        .map(expansion -> scope.in(expansion, unused -> evaluation.get()))
        .orElseGet(evaluation);
  }

  private boolean endsInAggregation(PlyParser.ExpressionContext context) {
    return scope.resolve(
        context,
        value ->
            AggregationBuilder.isAggregation(value)
                || body(value)
                    .filter(
                        body ->
                            in(body, () -> body.value().filter(this::endsInAggregation))
                                .isPresent())
                    .isPresent());
  }

  private Optional<Statement> aggregated(
      MapRef target, PlyParser.ExpressionContext value, SourceSpan span) {
    Optional<Aggregation> aggregation = aggregations.build(value);
    if (aggregation.isPresent()) {
      return Optional.of(new Statement.Aggregate(target, aggregation.get(), span));
    }
    Body body = body(value).orElseThrow();
    if (body.expansion().isPresent() && !scope.expand(body.expansion().get().macro(), span)) {
      return Optional.of(new Statement.Evaluate(new Expr.Unknown(span), span));
    }
    return Optional.of(
        in(
            body,
            () -> {
              int last = body.statements().size() - 1;
              List<Statement> all =
                  new ArrayList<>(
                      statements.block(body.statements().subList(0, last), span).statements());
              body.value().flatMap(end -> aggregate(target, end, span)).ifPresent(all::add);
              return new Statement.Block(all, span);
            }));
  }

  private Optional<Body> body(PlyParser.ExpressionContext context) {
    if (!(context instanceof PlyParser.OperandExpressionContext operand)
        || operand.operand().getChildCount() > 1) {
      return Optional.empty();
    }
    PlyParser.AtomContext atom = operand.operand().atom();
    if (atom instanceof PlyParser.BlockValueContext block) {
      return statements.isDamaged(block)
          ? Optional.empty()
          : Optional.of(new Body(block.valueBlock().statement(), Optional.empty()));
    }
    List<PlyParser.ExpressionContext> arguments =
        atom instanceof PlyParser.CallContext call ? CallBuilder.passed(call) : List.of();
    boolean isName = atom instanceof PlyParser.CallContext || atom instanceof PlyParser.NameContext;
    return isName
        ? scope
            .expandable(atom.getStart().getText(), arguments)
            .filter(macro -> !statements.isDamaged(macro.body()))
            .map(
                macro ->
                    new Body(
                        macro.body().statement(),
                        Optional.of(new Expansion(macro, scope.current(), arguments))))
        : Optional.empty();
  }

  /** Returns a call of a macro, or a block that was passed to one, as a statement. */
  Optional<Statement> statement(PlyParser.ExpressionContext context) {
    return scope.resolve(context, this::resolvedStatement);
  }

  private Optional<Statement> resolvedStatement(PlyParser.ExpressionContext context) {
    if (!(context instanceof PlyParser.OperandExpressionContext operand)
        || operand.operand().getChildCount() > 1) {
      return Optional.empty();
    }
    SourceSpan span = positions.of(context);
    if (operand.operand().atom() instanceof PlyParser.BlockValueContext block) {
      return Optional.of(statements.block(block.valueBlock().statement(), span));
    }
    if (operand.operand().atom() instanceof PlyParser.CallContext call
        && scope.isMacro(call.FUNCTION().getText(), CallBuilder.passed(call), true)) {
      return Optional.of(expanded(call.FUNCTION().getText(), CallBuilder.passed(call), span));
    }
    return operand.operand().atom() instanceof PlyParser.NameContext name
            && scope.isMacro(name.getText(), List.of(), false)
        ? Optional.of(expanded(name.getText(), List.of(), span))
        : Optional.empty();
  }

  private Statement expanded(
      String name, List<PlyParser.ExpressionContext> arguments, SourceSpan call) {
    return scope
        .find(name, arguments, call)
        .<Statement>map(
            macro ->
                macro.types().isPresent()
                    ? call(macro, arguments, call).statements()
                    : scope.in(
                        new Expansion(macro, scope.current(), arguments),
                        unused -> statements.block(macro.body().statement(), call)))
        .orElseGet(() -> new Statement.Evaluate(new Expr.Unknown(call), call));
  }
}
