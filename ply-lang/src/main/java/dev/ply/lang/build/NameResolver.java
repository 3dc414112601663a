package dev.ply.lang.build;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.lang.declare.Macros;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.BuiltIns;
import dev.ply.lang.token.Positions;
import dev.ply.target.HeaderConstants;
import dev.ply.target.Target;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.antlr.v4.runtime.RuleContext;

/** Resolves the names in a script to maps, built-ins and constants, or reports them. */
final class NameResolver {
  private final Positions positions;
  private final Diagnostics diagnostics;
  private final Set<String> mapNames;

  /** Constants of the enumerations that the script defines. */
  private final Set<String> constants;

  private final Macros macros;

  NameResolver(
      Positions positions,
      Diagnostics diagnostics,
      Set<String> mapNames,
      Set<String> constants,
      Macros macros) {
    this.positions = positions;
    this.diagnostics = diagnostics;
    this.mapNames = mapNames;
    this.constants = constants;
    this.macros = macros;
  }

  /** Returns whether a name alone has a meaning here. */
  boolean isKnown(String name) {
    return BuiltIns.isKnown(name)
        || mapNames.contains(name)
        || constants.contains(name)
        || macros.isKnown(name);
  }

  /** Returns whether a name is that of a map without {@code @}. */
  boolean isMap(String name) {
    return mapNames.contains(name);
  }

  /** Returns whether a built-in has this name, or a call of it. */
  boolean isBuiltIn(String name, boolean isCall) {
    return BuiltIns.isKnown(name)
        || (!isCall && (mapNames.contains(name) || constants.contains(name)));
  }

  /** Returns the expression that a name alone denotes. */
  Expr name(PlyParser.NameContext context) {
    String name = context.getText();
    SourceSpan span = positions.of(context);
    if (mapNames.contains(name)) {
      return new Expr.MapRead(new MapRef(name, List.of(), span), span);
    }
    if (name.equals("true") || name.equals("false")) {
      return Expr.Cast.truth(name.equals("true"), span);
    }
    if (constants.contains(name) || isConstant(name)) {
      return new Expr.NamedConstant(name, span);
    }
    return builtIn(name, List.of(), span, context);
  }

  /** Returns whether a name is a constant; one without an underscore must be in the headers. */
  private static boolean isConstant(String name) {
    return name.startsWith(Target.SYSTEM_CALL)
        || (Expr.NamedConstant.isName(name)
            && (name.indexOf('_') > 0 || HeaderConstants.value(name).isPresent()));
  }

  /** Returns whether a name is where strings are usual: in a comparison, or as a symbol. */
  private static boolean isMeantAsText(RuleContext context) {
    RuleContext around =
        context.getParent().getParent() == null
            ? null
            : context.getParent().getParent().getParent();
    if (around instanceof PlyParser.BinaryExpressionContext binary) {
      return binary.op.getType() == PlyLexer.EQ || binary.op.getType() == PlyLexer.NE;
    }
    return around instanceof PlyParser.ExpressionsContext
        && around.getParent() instanceof PlyParser.CallContext call
        && BuiltIns.function(call.FUNCTION().getText())
            .filter(function -> function.signature().has(Parameter.SYMBOL))
            .isPresent();
  }

  /** Returns the expression of a call. */
  Expr call(PlyParser.CallContext context, List<Expr> arguments) {
    return builtIn(
        context.FUNCTION().getText(),
        arguments,
        positions.of(context.FUNCTION().getSymbol()),
        context);
  }

  private Expr builtIn(
      String name, List<Expr> arguments, SourceSpan nameSpan, PlyParser.AtomContext context) {
    SourceSpan span = positions.of(context);
    OptionalInt argument = BuiltIns.argument(name);
    if (argument.isPresent() && arguments.isEmpty()) {
      return new Expr.Argument(argument.getAsInt(), span);
    }
    OptionalInt stack = BuiltIns.stackArgument(name);
    if (stack.isPresent() && arguments.isEmpty()) {
      Expr index = new Expr.IntLiteral(stack.getAsInt(), span);
      return new Expr.Call(ContextBuiltins.SARG, List.of(index), span);
    }
    if (name.equals("comm") && arguments.size() == 1) {
      return new Expr.Call(ThreadBuiltins.COMM_OF, arguments, span);
    }
    Optional<Builtin> intrinsic = BuiltIns.function(name);
    if (intrinsic.isPresent()) {
      return new Expr.Call(intrinsic.get(), arguments, span);
    }
    if (BuiltIns.aggregate(name).isPresent()) {
      diagnostics.error(
          DiagnosticCode.MISPLACED_AGGREGATION,
          span,
          "\"" + name + "\" aggregates and has no value of its own",
          "assign it to a map: @[comm] = " + name + (name.equals("count") ? "();" : "(…);"));
    } else if (argument.isPresent()) {
      diagnostics.error(
          DiagnosticCode.ARGUMENT_COUNT,
          span,
          "\"" + name + "\" takes no arguments; here are " + arguments.size());
    } else {
      unknown(name, nameSpan, context);
    }
    return new Expr.Unknown(arguments, List.of(), span);
  }

  private void unknown(String name, SourceSpan span, PlyParser.AtomContext context) {
    String[] asText =
        context instanceof PlyParser.NameContext && isMeantAsText(context)
            ? new String[] {"a string is written in double quotes: \"" + name + "\""}
            : new String[0];
    Optional<String> instead = BuiltIns.instead(name);
    if (instead.isPresent()) {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_NAME,
          span,
          "\"" + name + "\" is not supported yet",
          asText.length == 0 ? new String[] {instead.get()} : asText);
    } else if (mapNames.contains(name)) {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_NAME,
          span,
          "\"" + name + "\" is a map and cannot be called",
          "an entry is written with brackets: " + name + "[…]");
    } else if (name.equals("nil")) {
      VersionOne.nil("m[key]", span, diagnostics);
    } else if (name.equals("arg")) {
      VersionOne.argument(context, span, diagnostics);
    } else {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_NAME,
          span,
          "\"" + name + "\" is not defined",
          BuiltIns.elsewhere(name)
              .map(hint -> new String[] {hint})
              .orElseGet(() -> Suggestions.hint(name, candidates(name), asText)));
    }
  }

  private Stream<String> candidates(String name) {
    return Expr.NamedConstant.isName(name)
        ? Stream.concat(names(), HeaderConstants.names())
        : names();
  }

  private Stream<String> names() {
    return Stream.of(
            BuiltIns.names(), macros.names(), mapNames.stream().filter(map -> !map.equals("@")))
        .flatMap(names -> names);
  }
}
