package dev.ply.lang.build;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.TypeArray;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeOf;
import dev.ply.ir.TypeReference;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.LiteralDecoder;
import dev.ply.lang.token.Positions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.tree.TerminalNode;

/** Builds types from the syntax tree: names, arrays, types of expressions, arguments of macros. */
final class TypeBuilder {
  /** The maximum number of elements of an array that a script names. */
  private static final int MAX_ELEMENTS = 4096;

  private final ExpressionBuilder expressions;
  private final MacroScope scope;
  private final Positions positions;
  private final Diagnostics diagnostics;

  TypeBuilder(
      ExpressionBuilder expressions,
      MacroScope scope,
      Positions positions,
      Diagnostics diagnostics) {
    this.expressions = expressions;
    this.scope = scope;
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Returns a type, or what it is the type of. */
  TypeReference of(PlyParser.TypeNameContext context) {
    TypeReference type = element(context);
    return context.brackets() == null ? type : array(type, context.brackets());
  }

  private TypeReference array(TypeReference element, PlyParser.BracketsContext brackets) {
    TypeArray array =
        brackets.NUMBER() == null
            ? new TypeArray(element, OptionalInt.empty())
            : array(
                element,
                LiteralDecoder.number(brackets.NUMBER().getText()).orElse(0L),
                positions.of(brackets.NUMBER().getSymbol()));
    return pointer(array, brackets.STAR().size());
  }

  private TypeReference element(PlyParser.TypeNameContext context) {
    int pointers = context.STAR().size();
    if (context.typeOf() != null) {
      return pointer(typeOf(context.typeOf()), pointers);
    }
    List<String> words =
        context.NAME().stream().map(TerminalNode::getText).collect(Collectors.toList());
    if (words.isEmpty()) {
      // The syntax error that left no name is reported.
      return new TypeOf(
          new Expr.Unknown(List.of(), List.of(), positions.of(context.getStart())), 0);
    }
    String last = words.get(words.size() - 1);
    Optional<MacroScope.Passed> passed = scope.passed(last);
    if (passed.isEmpty()) {
      return new TypeName(String.join(" ", words), pointers);
    }
    TypeReference type = scope.in(passed.get(), this::ofArgument);
    if (words.size() == 1) {
      return pointer(type, pointers);
    }
    // struct t, where t is the name of a structure.
    words.set(words.size() - 1, type instanceof TypeName name ? name.text() : last);
    return new TypeName(String.join(" ", words), pointers);
  }

  /** Returns the type that an operand names or has. */
  TypeReference ofArgument(PlyParser.ExpressionContext argument) {
    if (argument instanceof PlyParser.OperandExpressionContext operand
        && operand.operand().atom() instanceof PlyParser.TypeArgumentContext type) {
      return typeOf(type.typeOf());
    }
    return expressions.isUnknownName(argument)
        ? new TypeName(argument.getText(), 0)
        : arrayOfArgument(argument).orElseGet(() -> new TypeOf(expressions.visit(argument), 0));
  }

  /** {@code t[8]}, where t is a type that is passed to a macro. */
  private Optional<TypeReference> arrayOfArgument(PlyParser.ExpressionContext context) {
    if (!(context instanceof PlyParser.OperandExpressionContext operand)
        || !operand.operand().member().isEmpty()
        || !(operand.operand().atom() instanceof PlyParser.EntryContext entry)
        || entry.target().expressions().expression().size() > 1) {
      return Optional.empty();
    }
    return scope
        .passed(entry.target().getStart().getText())
        .filter(this::isType)
        .flatMap(
            type ->
                expressions.visit(entry.target().expressions().expression(0))
                        instanceof Expr.IntLiteral length
                    ? Optional.of(
                        array(scope.in(type, this::ofArgument), length.value(), length.span()))
                    : Optional.empty());
  }

  private boolean isType(MacroScope.Passed passed) {
    return scope.in(
        passed,
        argument ->
            argument instanceof PlyParser.OperandExpressionContext operand
                && operand.operand().atom() instanceof PlyParser.TypeArgumentContext);
  }

  private TypeArray array(TypeReference element, long length, SourceSpan span) {
    if (length >= 1 && length <= MAX_ELEMENTS) {
      return new TypeArray(element, OptionalInt.of((int) length));
    }
    diagnostics.error(
        DiagnosticCode.OUT_OF_RANGE,
        span,
        "an array of " + Long.toUnsignedString(length) + " elements cannot be a value",
        "1 to " + MAX_ELEMENTS + " can");
    return new TypeArray(element, OptionalInt.of(1));
  }

  private TypeReference typeOf(PlyParser.TypeOfContext context) {
    if (context.typeName() != null) {
      return of(context.typeName());
    }
    return scope.resolve(context.expression(), this::ofArgument);
  }

  /** Returns the type of pointers to a type. */
  static TypeReference pointer(TypeReference type, int pointers) {
    if (type instanceof TypeArray array) {
      return new TypeArray(array.element(), array.length(), array.pointers() + pointers);
    }
    return type instanceof TypeOf typeOf
        ? new TypeOf(typeOf.operand(), typeOf.pointers() + pointers)
        : new TypeName(((TypeName) type).base(), type.pointers() + pointers);
  }
}
