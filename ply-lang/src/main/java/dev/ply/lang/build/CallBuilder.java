package dev.ply.lang.build;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.lang.argument.EnvironmentVariables;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.BuiltIns;
import dev.ply.lang.token.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Builds calls of functions and macros. */
final class CallBuilder {
  private final ExpressionBuilder expressions;
  private final BlockBuilder blocks;
  private final MacroScope scope;
  private final NameResolver names;
  private final EnvironmentVariables variables;
  private final Positions positions;

  CallBuilder(
      ExpressionBuilder expressions,
      BlockBuilder blocks,
      MacroScope scope,
      NameResolver names,
      EnvironmentVariables variables,
      Positions positions) {
    this.expressions = expressions;
    this.blocks = blocks;
    this.scope = scope;
    this.names = names;
    this.variables = variables;
    this.positions = positions;
  }

  /** Returns the value of a call. */
  Expr call(PlyParser.CallContext context) {
    Optional<ParameterText> parameter = ParameterText.of(context);
    if (parameter.isPresent()) {
      return variables.positionalText(
          parameter.get().name(), parameter.get().skipped(), positions.of(context));
    }
    String name = context.FUNCTION().getText();
    SourceSpan span = positions.of(context);
    if (scope.isMacro(name, passed(context), true)) {
      return expressions.nested(context, () -> blocks.expand(name, passed(context), span));
    }
    if (name.equals("getopt")) {
      List<Expr> arguments = expressions.arguments(context);
      boolean isTruth = arguments.size() < 2 || isTruth(passed(context).get(1));
      return variables.options().value(arguments, isTruth, span);
    }
    Optional<Expr> child =
        passed(context).isEmpty() ? variables.child(name, span) : Optional.empty();
    return child.orElseGet(
        () -> expressions.nested(context, () -> names.call(context, arguments(context))));
  }

  private static boolean isTruth(PlyParser.ExpressionContext context) {
    return context.getText().equals("true") || context.getText().equals("false");
  }

  /** Returns what a call passes, unevaluated. */
  static List<PlyParser.ExpressionContext> passed(PlyParser.CallContext call) {
    return call.expressions() == null ? List.of() : call.expressions().expression();
  }

  private List<Expr> arguments(PlyParser.CallContext call) {
    Optional<Signature> signature =
        BuiltIns.function(call.FUNCTION().getText()).map(Builtin::signature);
    Optional<Signature> keywords = signature.filter(Signature::hasKeywords);
    if (keywords.isPresent()) {
      return keywordArguments(call, keywords.get());
    }
    List<Expr> arguments = expressions.arguments(call);
    return signature
        .filter(known -> known.has(Parameter.ENTRY))
        .map(known -> entry(arguments, known.parameters().size() - 1))
        .orElse(arguments);
  }

  /**
   * A map followed by a key is an entry: {@code @m, key} is {@code @m[key]}.
   *
   * @param others the number of arguments after the entry
   */
  private static List<Expr> entry(List<Expr> arguments, int others) {
    int end = arguments.size() - others;
    if (end < 2 || !(arguments.get(0) instanceof Expr.MapRead map) || !map.map().keys().isEmpty()) {
      return arguments;
    }
    List<Expr> keys = arguments.subList(1, end);
    SourceSpan span = map.span().through(keys.get(keys.size() - 1).span());
    return Stream.concat(
            Stream.of(new Expr.MapRead(new MapRef(map.map().name(), keys, span), span)),
            arguments.subList(end, arguments.size()).stream())
        .toList();
  }

  /**
   * Keywords exist only here, and are string literals in the IR; any other unknown name is reported
   * as a misspelt keyword.
   */
  private List<Expr> keywordArguments(PlyParser.CallContext call, Signature signature) {
    if (call.expressions() == null) {
      return List.of();
    }
    List<Expr> arguments = new ArrayList<>();
    for (PlyParser.ExpressionContext argument : call.expressions().expression()) {
      String word = argument.getText();
      arguments.add(
          signature.isKeyword(word) || expressions.isUnknownName(argument)
              ? new Expr.StringLiteral(word, positions.of(argument))
              : expressions.visit(argument));
    }
    return arguments;
  }
}
