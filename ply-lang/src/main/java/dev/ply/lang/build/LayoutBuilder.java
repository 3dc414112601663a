package dev.ply.lang.build;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeOf;
import dev.ply.ir.TypeReference;
import dev.ply.ir.UnaryOp;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.Positions;
import java.util.List;
import java.util.stream.Stream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RuleContext;

/** Builds sizes and offsets of types: {@code sizeof}, {@code offsetof}, {@code container_of}. */
final class LayoutBuilder {
  private final ExpressionBuilder expressions;
  private final TypeBuilder types;
  private final MacroScope scope;
  private final Positions positions;

  LayoutBuilder(
      ExpressionBuilder expressions, TypeBuilder types, MacroScope scope, Positions positions) {
    this.expressions = expressions;
    this.types = types;
    this.scope = scope;
    this.positions = positions;
  }

  /** Returns the size of what an operand names or is. */
  Expr size(PlyParser.SizeOfValueContext context) {
    return size(scope.resolve(context.expression(), types::ofArgument), context);
  }

  /** Returns the size of a type. */
  Expr size(PlyParser.SizeOfTypeContext context) {
    return size(types.of(context.typeName()), context);
  }

  private Expr size(TypeReference type, ParserRuleContext context) {
    return type instanceof TypeOf typeOf && typeOf.pointers() == 0
        ? new Expr.SizeOf(typeOf.operand(), positions.of(context))
        : new Expr.SizeOfType(type, positions.of(context));
  }

  /** Returns the offset of a member. */
  Expr offset(PlyParser.OffsetOfContext context) {
    TypeReference type =
        context.typeName() == null
            ? new TypeOf(
                new Expr.Unary(
                    UnaryOp.DEREFERENCE,
                    expressions.visit(context.expression()),
                    positions.of(context.expression())),
                0)
            : types.of(context.typeName());
    return new Expr.OffsetOf(type, path(context.memberPath()), positions.of(context));
  }

  private List<String> path(PlyParser.MemberPathContext context) {
    return context.memberName().stream()
        .map(RuleContext::getText)
        .flatMap(
            name ->
                scope
                    .passed(name)
                    .map(passed -> Stream.of(passed.text().split("\\.|->", -1)))
                    .orElseGet(() -> Stream.of(name)))
        .toList();
  }

  /** The structure starts as many bytes before its member as the member's offset. */
  Expr container(PlyParser.ContainerOfContext context) {
    SourceSpan span = positions.of(context);
    TypeReference type = types.of(context.typeName());
    Expr address =
        new Expr.Cast(new TypeName("uint64", 0), expressions.visit(context.expression()), span);
    Expr offset = new Expr.OffsetOf(type, path(context.memberPath()), span);
    return new Expr.Cast(
        TypeBuilder.pointer(type, 1), new Expr.Binary(BinaryOp.SUB, address, offset, span), span);
  }
}
