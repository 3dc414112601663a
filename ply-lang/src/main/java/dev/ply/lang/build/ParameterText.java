package dev.ply.lang.build;

import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.LiteralDecoder;
import dev.ply.lang.token.VariableNames;
import java.util.Optional;
import org.antlr.v4.runtime.Token;

/**
 * A positional parameter as a string, even if it is a number: {@code str($1)}, or {@code str($1 +
 * 2)} without its first bytes.
 *
 * @param name with its {@code $}
 * @param skipped the number of bytes before the string
 */
record ParameterText(String name, long skipped) {
  static Optional<ParameterText> of(PlyParser.CallContext call) {
    if (!call.FUNCTION().getText().equals("str")
        || call.expressions() == null
        || call.expressions().expression().size() != 1) {
      return Optional.empty();
    }
    PlyParser.ExpressionContext argument = call.expressions().expression(0);
    if (argument instanceof PlyParser.BinaryExpressionContext sum
        && sum.op.getType() == PlyLexer.PLUS
        && isSingle(sum.expression(1), PlyLexer.NUMBER)
        && isParameter(sum.expression(0))) {
      return LiteralDecoder.number(sum.expression(1).getText())
          .map(skipped -> new ParameterText(sum.expression(0).getText(), skipped));
    }
    return isParameter(argument)
        ? Optional.of(new ParameterText(argument.getText(), 0))
        : Optional.empty();
  }

  private static boolean isParameter(PlyParser.ExpressionContext expression) {
    return isSingle(expression, PlyLexer.VARIABLE)
        && expression.getText().length() > 1
        && !VariableNames.isVariable(expression.getText());
  }

  private static boolean isSingle(PlyParser.ExpressionContext expression, int type) {
    Token first = expression.getStart();
    return expression.getStop() == first && first.getType() == type;
  }
}
