package dev.ply.lang.print;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.Effect;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.TypeArray;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeOf;
import dev.ply.ir.TypeReference;
import dev.ply.ir.UnaryOp;
import dev.ply.type.TextBytes;
import java.util.List;
import java.util.Locale;

/** Prints expressions, with parentheses only where they are necessary. */
public final class ExpressionPrinter implements Expr.Visitor<StringBuilder> {
  private final StringBuilder out = new StringBuilder();

  private ExpressionPrinter() {}

  /** Returns an expression as text. */
  public static String print(Expr expression) {
    return expression.accept(new ExpressionPrinter()).toString();
  }

  /** Returns a map, or one of its entries, as text. */
  public static String print(MapRef map) {
    return new ExpressionPrinter().append(map).toString();
  }

  /** Returns the arguments of a call in parentheses. */
  static String printArguments(List<Expr> arguments) {
    return new ExpressionPrinter().list('(', arguments, ')').toString();
  }

  /** Returns what stands for a type as text. */
  public static String print(TypeReference type) {
    if (type instanceof TypeArray array) {
      return print(array.element()) + array.brackets();
    }
    return type instanceof TypeOf typeOf
        ? "typeof(" + print(typeOf.operand()) + ")" + "*".repeat(typeOf.pointers())
        : ((TypeName) type).text();
  }

  private StringBuilder append(MapRef map) {
    out.append(map.name());
    return map.keys().isEmpty() ? out : list('[', map.keys(), ']');
  }

  private StringBuilder list(char open, List<Expr> expressions, char close) {
    String separator = "";
    out.append(open);
    for (Expr expression : expressions) {
      out.append(separator);
      expression.accept(this);
      separator = ", ";
    }
    return out.append(close);
  }

  private void append(Expr expression, boolean inParentheses) {
    out.append(inParentheses ? "(" : "");
    expression.accept(this);
    out.append(inParentheses ? ")" : "");
  }

  @Override
  public StringBuilder visit(Expr.IntLiteral node) {
    return out.append(Long.toUnsignedString(node.value()));
  }

  /** There is no syntax for unparsed input; the output cannot be parsed. */
  @Override
  public StringBuilder visit(Expr.Unknown node) {
    return list('?', node.parts(), '?');
  }

  @Override
  public StringBuilder visit(Expr.StringLiteral node) {
    out.append('"');
    for (int i = 0; i < node.value().length(); i++) {
      appendEscaped(node.value(), i);
    }
    return out.append('"');
  }

  private void appendEscaped(String text, int index) {
    char character = text.charAt(index);
    switch (character) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (character < ' ' || character == 0x7f || TextBytes.isByte(text, index)) {
          // Always three digits, so that a following digit is not part of the escape.
          out.append(String.format(Locale.ROOT, "\\%03o", character & 0xff));
        } else {
          out.append(character);
        }
      }
    }
  }

  @Override
  public StringBuilder visit(Expr.Call node) {
    out.append(node.function().canonicalName());
    boolean isValue = node.arguments().isEmpty() && Builtin.of(node).effect() != Effect.EVENT;
    return isValue ? out : list('(', node.arguments(), ')');
  }

  @Override
  public StringBuilder visit(Expr.Argument node) {
    return out.append("arg").append(node.index());
  }

  @Override
  public StringBuilder visit(Expr.MapRead node) {
    return append(node.map());
  }

  @Override
  public StringBuilder visit(Expr.NamedConstant node) {
    return out.append(node.name());
  }

  @Override
  public StringBuilder visit(Expr.Element node) {
    appendOperand(node.base());
    out.append('[');
    append(node.index(), false);
    return out.append(']');
  }

  private void appendOperand(Expr expr) {
    append(expr, isPrefix(expr) || expr instanceof Expr.Binary || expr instanceof Expr.Conditional);
  }

  private static boolean isPrefix(Expr expr) {
    return expr instanceof Expr.Unary || expr instanceof Expr.Cast || expr instanceof Expr.Step;
  }

  @Override
  public StringBuilder visit(Expr.VariableRead node) {
    return out.append(node.name());
  }

  @Override
  public StringBuilder visit(Expr.Conditional node) {
    append(node.condition(), node.condition() instanceof Expr.Conditional);
    out.append(node.then().isPresent() ? " ? " : " ?");
    node.then().ifPresent(then -> then.accept(this));
    out.append(node.then().isPresent() ? " : " : ": ");
    return node.otherwise().accept(this);
  }

  @Override
  public StringBuilder visit(Expr.Cast node) {
    for (boolean value : new boolean[] {false, true}) {
      if (node.equals(Expr.Cast.truth(value, node.span()))) {
        return out.append(value);
      }
    }
    out.append('(').append(print(node.type())).append(')');
    return appendPrefixed(node.operand());
  }

  private StringBuilder appendPrefixed(Expr operand) {
    append(operand, operand instanceof Expr.Binary || operand instanceof Expr.Conditional);
    return out;
  }

  @Override
  public StringBuilder visit(Expr.SizeOfType node) {
    return out.append("sizeof(").append(print(node.type())).append(')');
  }

  @Override
  public StringBuilder visit(Expr.OffsetOf node) {
    return out.append("offsetof(")
        .append(print(node.type()))
        .append(", ")
        .append(String.join(".", node.path()))
        .append(')');
  }

  @Override
  public StringBuilder visit(Expr.SizeOf node) {
    out.append("sizeof(");
    append(node.operand(), false);
    return out.append(')');
  }

  @Override
  public StringBuilder visit(Expr.Step node) {
    if (node.op().isPrefix()) {
      out.append(node.op().symbol());
      return node.target().accept(this);
    }
    node.target().accept(this);
    return out.append(node.op().symbol());
  }

  @Override
  public StringBuilder visit(Expr.Member node) {
    if (node.base() instanceof Expr.IntLiteral) {
      // 1.0 would be one token.
      append(node.base(), true);
    } else {
      appendOperand(node.base());
    }
    return out.append(node.access().symbol()).append(node.name());
  }

  @Override
  public StringBuilder visit(Expr.Block node) {
    out.append("{ ");
    for (Statement statement : node.statements().statements()) {
      out.append(ScriptPrinter.print(statement)).append(' ');
    }
    node.value().accept(this);
    return out.append(" }");
  }

  @Override
  public StringBuilder visit(Expr.Tuple node) {
    if (node.isRecord()) {
      for (int i = 0; i < node.names().size(); i++) {
        out.append(i == 0 ? "(" : ", ").append(node.names().get(i)).append('=');
        node.elements().get(i).accept(this);
      }
      return out.append(')');
    }
    list('(', node.elements(), ')');
    return node.elements().size() == 1 ? out.insert(out.length() - 1, ',') : out;
  }

  @Override
  public StringBuilder visit(Expr.Unary node) {
    out.append(node.op().symbol());
    // Avoids "--", which other languages read as a decrement.
    boolean isRepeated =
        (node.op() == UnaryOp.NEGATE || node.op() == UnaryOp.ADDRESS_OF)
            && node.operand() instanceof Expr.Unary inner
            && inner.op() == node.op();
    boolean isTwice =
        isRepeated
            || (node.op() == UnaryOp.NEGATE
                && node.operand() instanceof Expr.Step step
                && step.op().isPrefix());
    out.append(isTwice ? " " : "");
    // With the sign before it, it would be a number below the least one.
    boolean isTooLarge =
        node.op() == UnaryOp.NEGATE
            && node.operand() instanceof Expr.IntLiteral literal
            && literal.value() < 0
            && literal.value() != Long.MIN_VALUE;
    if (isTooLarge) {
      append(node.operand(), true);
      return out;
    }
    return appendPrefixed(node.operand());
  }

  @Override
  public StringBuilder visit(Expr.Binary node) {
    int precedence = node.op().precedence();
    append(
        node.left(),
        node.left() instanceof Expr.Conditional
            || (node.left() instanceof Expr.Binary left && left.op().precedence() < precedence));
    out.append(' ').append(node.op().symbol()).append(' ');
    append(
        node.right(),
        node.right() instanceof Expr.Conditional
            || (node.right() instanceof Expr.Binary right
                && right.op().precedence() <= precedence));
    return out;
  }
}
