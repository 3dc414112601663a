package dev.ply.lang.build;

import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.Expr;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.BuiltIns;
import dev.ply.lang.token.Positions;
import java.util.List;
import java.util.Optional;

/** Builds the aggregations assigned to maps. */
final class AggregationBuilder {
  private final ExpressionBuilder expressions;
  private final Positions positions;
  private final Diagnostics diagnostics;

  AggregationBuilder(ExpressionBuilder expressions, Positions positions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Returns the aggregation of an expression, if it is a call of an aggregation function. */
  Optional<Aggregation> build(PlyParser.ExpressionContext context) {
    SourceSpan span = positions.of(context);
    return atom(context)
        .flatMap(
            atom ->
                function(atom)
                    .map(
                        function ->
                            atom instanceof PlyParser.CallContext call
                                ? aggregation(function, call, span)
                                : new Aggregation(function, List.of(), span)));
  }

  /** Returns whether an expression is a call of an aggregation function. */
  static boolean isAggregation(PlyParser.ExpressionContext context) {
    return atom(context).flatMap(AggregationBuilder::function).isPresent();
  }

  private static Optional<AggregateFunction> function(PlyParser.AtomContext atom) {
    if (atom instanceof PlyParser.CallContext call) {
      return BuiltIns.aggregate(call.FUNCTION().getText());
    }
    return atom instanceof PlyParser.NameContext && atom.getText().equals("count")
        ? Optional.of(AggregateFunctions.COUNT)
        : Optional.empty();
  }

  /** Returns the atom that is all of an expression. */
  private static Optional<PlyParser.AtomContext> atom(PlyParser.ExpressionContext context) {
    return context instanceof PlyParser.OperandExpressionContext operand
            && operand.operand().member().isEmpty()
        ? Optional.ofNullable(operand.operand().atom())
        : Optional.empty();
  }

  private Aggregation aggregation(
      AggregateFunction function, PlyParser.CallContext call, SourceSpan span) {
    List<Expr> arguments = expressions.arguments(call);
    int expected = function.signature().required();
    boolean fits = function.signature().accepts(arguments.size());
    if (!fits) {
      String name = call.FUNCTION().getText();
      diagnostics.error(
          DiagnosticCode.ARGUMENT_COUNT,
          span,
          "\""
              + name
              + "\" takes "
              + function.signature().count()
              + (arguments.size() == 1 ? "; here is " : "; here are ")
              + arguments.size(),
          expected == 0
              ? "to add up a value, write sum(…)"
              : expected == 1
                  ? "write " + name + "(arg2) or " + name + "(retval), for example"
                  : "write " + function.documentation().forms().get(0));
    }
    List<Expr> values = fits ? arguments : List.of(new Expr.Unknown(arguments, List.of(), span));
    return new Aggregation(function, expected == 0 ? List.of() : values, span);
  }
}
