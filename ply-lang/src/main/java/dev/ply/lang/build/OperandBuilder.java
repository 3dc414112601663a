package dev.ply.lang.build;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.StepOp;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.Positions;
import java.util.List;

/** Builds operands with their members, elements and steps. */
final class OperandBuilder {
  private final ExpressionBuilder expressions;
  private final Positions positions;
  private final Diagnostics diagnostics;

  OperandBuilder(ExpressionBuilder expressions, Positions positions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Returns {@code ++$x} or {@code --$x}. */
  Expr step(PlyParser.PrefixStepContext context) {
    boolean isIncrement = context.op.getType() == PlyLexer.INCREMENT;
    return step(
        isIncrement ? StepOp.PRE_INCREMENT : StepOp.PRE_DECREMENT,
        expressions.visit(context.expression()),
        positions.of(context));
  }

  private Expr step(StepOp op, Expr target, SourceSpan span) {
    if (target instanceof Expr.VariableRead
        || (target instanceof Expr.MapRead read
            && (read.map().isAggregation() || !read.map().keys().isEmpty()))) {
      return new Expr.Step(op, target, span);
    }
    if (!(target instanceof Expr.Unknown)) {
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          span,
          "\"" + op.symbol() + "\" changes a variable or a map's entry; this is neither",
          "write $n" + op.symbol() + "; or @n[pid]" + op.symbol() + ";");
    }
    return new Expr.Unknown(List.of(target), List.of(), span);
  }

  /** Returns an operand with its members. */
  Expr operand(PlyParser.OperandExpressionContext context) {
    PlyParser.OperandContext operand = context.operand();
    Expr value = members(operand);
    boolean isIncrement = operand.INCREMENT() != null;
    return isIncrement || operand.DECREMENT() != null
        ? step(
            isIncrement ? StepOp.POST_INCREMENT : StepOp.POST_DECREMENT,
            value,
            positions.of(context))
        : value;
  }

  private Expr members(PlyParser.OperandContext operand) {
    boolean isMap =
        operand.atom() instanceof PlyParser.VariableContext
            && !operand.member().isEmpty()
            && operand.member(0) instanceof PlyParser.NamedMemberContext first
            && first.arguments() != null;
    Expr expr =
        isMap ? new Expr.Unknown(positions.of(operand.atom())) : expressions.visit(operand.atom());
    int members = 0;
    for (PlyParser.MemberContext part : operand.member()) {
      SourceSpan partSpan = positions.of(part);
      if (expressions.isTooDeep(++members, partSpan)) {
        return new Expr.Unknown(partSpan);
      }
      SourceSpan span = positions.of(operand.atom()).through(partSpan);
      if (part instanceof PlyParser.NamedMemberContext member) {
        if (member.arguments() != null) {
          return method(operand, member, expr);
        }
        SourceSpan nameSpan = positions.of(member.memberName());
        // To the tokenizer, .0.1 is a dot and a decimal fraction.
        Expr.Member.Access access = access(member);
        for (String name : member.memberName().getText().split("\\.", -1)) {
          expr = new Expr.Member(expr, access, name, nameSpan, span);
          access = Expr.Member.Access.DOT;
        }
      } else if (part instanceof PlyParser.ElementContext element) {
        Expr array = expr;
        expr =
            expressions.nested(
                part, () -> new Expr.Element(array, expressions.visit(element.expression()), span));
      }
    }
    return expr;
  }

  private static Expr.Member.Access access(PlyParser.NamedMemberContext member) {
    return member.op.getType() == PlyLexer.DOT ? Expr.Member.Access.DOT : Expr.Member.Access.ARROW;
  }

  /** A method call is an error; it may be an aggregation of ply version 1. */
  private Expr method(
      PlyParser.OperandContext operand, PlyParser.NamedMemberContext member, Expr base) {
    SourceSpan span = positions.of(member);
    VersionOne.method(operand.atom(), member, span, diagnostics);
    List<Expr> arguments = expressions.arguments(member.arguments().expressions());
    List<String> maps = base instanceof Expr.MapRead read ? List.of(read.map().name()) : List.of();
    return new Expr.Unknown(arguments, maps, span);
  }
}
