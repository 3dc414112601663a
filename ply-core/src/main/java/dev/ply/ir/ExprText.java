package dev.ply.ir;

import dev.ply.type.Escapes;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes expressions as scripts do, for headings: {@code pid}, {@code args.fd}, {@code kstack(3)}.
 */
public final class ExprText {
  private ExprText() {}

  /**
   * {@return an expression as scripts write it, on one line}
   *
   * @param expression of any kind; what has statements in it is {@code …}
   */
  public static String of(Expr expression) {
    if (expression instanceof Expr.Call call) {
      return call.arguments().isEmpty()
          ? written(call)
          : call.function().canonicalName() + "(" + arguments(call) + ")";
    } else if (expression instanceof Expr.Member member) {
      return of(member.base()) + member.access().symbol() + member.name();
    } else if (expression instanceof Expr.Element element) {
      return of(element.base()) + "[" + of(element.index()) + "]";
    } else if (expression instanceof Expr.MapRead read) {
      return of(read.map());
    } else if (expression instanceof Expr.Argument argument) {
      return "arg" + argument.index();
    } else if (expression instanceof Expr.VariableRead variable) {
      return variable.name();
    } else if (expression instanceof Expr.NamedConstant constant) {
      return constant.name();
    } else if (expression instanceof Expr.IntLiteral number) {
      return String.valueOf(number.value());
    } else if (expression instanceof Expr.StringLiteral text) {
      return "\"" + Escapes.escape(text.value()) + "\"";
    } else if (expression instanceof Expr.Cast cast) {
      return of(cast.operand());
    } else if (expression instanceof Expr.Unary unary) {
      return unary.op().symbol() + operand(unary.operand(), Integer.MAX_VALUE);
    } else if (expression instanceof Expr.Binary binary) {
      int precedence = binary.op().precedence();
      return operand(binary.left(), precedence)
          + " "
          + binary.op().symbol()
          + " "
          + operand(binary.right(), precedence + 1);
    } else if (expression instanceof Expr.Tuple tuple) {
      return "(" + all(tuple.elements()) + ")";
    } else if (expression instanceof Expr.Conditional conditional) {
      return of(conditional.condition())
          + " ? "
          + conditional.then().map(ExprText::of).orElse("")
          + " : "
          + of(conditional.otherwise());
    }
    return "…";
  }

  /**
   * {@return a heading for the values of an expression: the expression, unless it is a literal}
   *
   * @param expression of any kind
   * @param otherwise the heading of a literal, whose values say it themselves
   */
  public static String heading(Expr expression, String otherwise) {
    return expression instanceof Expr.IntLiteral || expression instanceof Expr.StringLiteral
        ? otherwise
        : of(expression);
  }

  /** Returns the name with the length that the script gives it: {@code tid}, not {@code kpid}. */
  private static String written(Expr.Call call) {
    int length = call.span().endColumn() - call.span().column();
    return call.function().names().stream()
        .filter(name -> name.length() == length)
        .findFirst()
        .orElse(call.function().canonicalName());
  }

  /** Returns an operand, in parentheses unless it binds at least as tightly as {@code least}. */
  private static String operand(Expr expression, int least) {
    boolean isLoose =
        expression instanceof Expr.Conditional
            || (expression instanceof Expr.Binary nested && nested.op().precedence() < least);
    return isLoose ? "(" + of(expression) + ")" : of(expression);
  }

  private static String of(MapRef map) {
    return map.name() + (map.keys().isEmpty() ? "" : "[" + all(map.keys()) + "]");
  }

  private static String arguments(Expr.Call call) {
    return call.arguments().stream()
        .map(
            argument ->
                argument instanceof Expr.StringLiteral word
                        && call.function().isKeyword(word.value())
                    ? word.value()
                    : of(argument))
        .collect(Collectors.joining(", "));
  }

  private static String all(List<Expr> expressions) {
    return expressions.stream().map(ExprText::of).collect(Collectors.joining(", "));
  }
}
