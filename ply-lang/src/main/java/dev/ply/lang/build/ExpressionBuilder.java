package dev.ply.lang.build;

import dev.ply.builtin.catalog.MapBuiltins;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.UnaryOp;
import dev.ply.lang.argument.EnvironmentVariables;
import dev.ply.lang.declare.Macro;
import dev.ply.lang.declare.Macros;
import dev.ply.lang.grammar.NestingException;
import dev.ply.lang.grammar.NestingLimit;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.grammar.PlyParserBaseVisitor;
import dev.ply.lang.token.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.antlr.v4.runtime.ParserRuleContext;
import org.jspecify.annotations.Nullable;

/** Builds expressions from the syntax tree and resolves names. */
final class ExpressionBuilder extends PlyParserBaseVisitor<Expr> {
  private static final Map<Integer, BinaryOp> BINARY =
      Map.ofEntries(
          Map.entry(PlyLexer.LOGICAL_OR, BinaryOp.LOGICAL_OR),
          Map.entry(PlyLexer.LOGICAL_XOR, BinaryOp.LOGICAL_XOR),
          Map.entry(PlyLexer.LOGICAL_AND, BinaryOp.LOGICAL_AND),
          Map.entry(PlyLexer.OR, BinaryOp.OR),
          Map.entry(PlyLexer.XOR, BinaryOp.XOR),
          Map.entry(PlyLexer.AND, BinaryOp.AND),
          Map.entry(PlyLexer.EQ, BinaryOp.EQ),
          Map.entry(PlyLexer.NE, BinaryOp.NE),
          Map.entry(PlyLexer.LT, BinaryOp.LT),
          Map.entry(PlyLexer.GT, BinaryOp.GT),
          Map.entry(PlyLexer.LE, BinaryOp.LE),
          Map.entry(PlyLexer.GE, BinaryOp.GE),
          Map.entry(PlyLexer.SHL, BinaryOp.SHL),
          Map.entry(PlyLexer.SHR, BinaryOp.SHR),
          Map.entry(PlyLexer.PLUS, BinaryOp.ADD),
          Map.entry(PlyLexer.MINUS, BinaryOp.SUB),
          Map.entry(PlyLexer.STAR, BinaryOp.MUL),
          Map.entry(PlyLexer.SLASH, BinaryOp.DIV),
          Map.entry(PlyLexer.PERCENT, BinaryOp.MOD));

  private static final Map<Integer, UnaryOp> UNARY =
      Map.of(
          PlyLexer.MINUS, UnaryOp.NEGATE,
          PlyLexer.TILDE, UnaryOp.COMPLEMENT,
          PlyLexer.NOT, UnaryOp.NOT,
          PlyLexer.STAR, UnaryOp.DEREFERENCE,
          PlyLexer.AND, UnaryOp.ADDRESS_OF);

  private final Positions positions;
  private final Diagnostics diagnostics;
  private final NameResolver names;
  private final EnvironmentVariables variables;
  private final MacroScope scope;
  private final BlockBuilder blocks;
  private final TypeBuilder types;
  private final CallBuilder calls;
  private final LiteralBuilder literals;
  private final LayoutBuilder layouts;
  private final OperandBuilder operands;
  private int depth;
  private boolean isTooDeep;

  ExpressionBuilder(
      Positions positions,
      Diagnostics diagnostics,
      NameResolver names,
      Macros macros,
      EnvironmentVariables variables,
      AstBuilder statements) {
    this.positions = positions;
    this.diagnostics = diagnostics;
    this.names = names;
    this.variables = variables;
    this.scope = new MacroScope(positions, diagnostics, macros, names, variables);
    this.blocks = new BlockBuilder(this, statements, scope, positions, diagnostics);
    this.types = new TypeBuilder(this, scope, positions, diagnostics);
    this.calls = new CallBuilder(this, blocks, scope, names, variables, positions);
    this.literals = new LiteralBuilder(positions, diagnostics);
    this.layouts = new LayoutBuilder(this, types, scope, positions);
    this.operands = new OperandBuilder(this, positions, diagnostics);
  }

  /** Returns the map entry of a target. */
  MapRef map(PlyParser.TargetContext context) {
    String name = context.getStart().getText();
    if (name.startsWith("$")) {
      VersionOne.map(name, positions.of(context.getStart()), diagnostics);
    }
    return new MapRef(
        scope.map(context.getStart()),
        all(context.expressions().expression()),
        positions.of(context));
  }

  /** Returns the map entry given by a map and a key: {@code @m, key}. */
  Optional<MapRef> entry(
      PlyParser.WholeMapContext map, PlyParser.@Nullable ExpressionsContext keys) {
    SourceSpan name = positions.of(map);
    SourceSpan span = keys == null ? name : name.through(positions.of(keys));
    List<Expr> parts = arguments(keys);
    Optional<String> passed = scope.passedMap(map.getText());
    if (map.AGGREGATION() == null && passed.isEmpty() && !names.isMap(map.getText())) {
      diagnostics.error(DiagnosticCode.UNKNOWN_NAME, name, "unknown map \"" + map.getText() + "\"");
      return Optional.empty();
    }
    return Optional.of(new MapRef(passed.orElseGet(() -> scope.map(map.getStart())), parts, span));
  }

  /** Builds expressions in their order. */
  List<Expr> all(List<PlyParser.ExpressionContext> contexts) {
    List<Expr> expressions = new ArrayList<>(contexts.size());
    contexts.forEach(context -> expressions.add(visit(context)));
    return expressions;
  }

  /** Returns the arguments of a call. */
  List<Expr> arguments(PlyParser.CallContext call) {
    return arguments(call.expressions());
  }

  /** Returns the arguments of a list, which may be missing. */
  List<Expr> arguments(PlyParser.@Nullable ExpressionsContext list) {
    return list == null ? List.of() : all(list.expression());
  }

  @Override
  public Expr visitBinaryExpression(PlyParser.BinaryExpressionContext context) {
    return nested(
        context,
        () -> {
          Expr left = visit(context.expression(0));
          Expr right = visit(context.expression(1));
          BinaryOp op = BINARY.getOrDefault(context.op.getType(), BinaryOp.ADD);
          return new Expr.Binary(op, left, right, positions.of(context));
        });
  }

  @Override
  public Expr visitUnaryExpression(PlyParser.UnaryExpressionContext context) {
    return nested(
        context,
        () -> {
          UnaryOp op = UNARY.getOrDefault(context.op.getType(), UnaryOp.NOT);
          if (op == UnaryOp.NEGATE
              && context.expression() instanceof PlyParser.OperandExpressionContext operand
              && operand.operand().atom() instanceof PlyParser.NumberContext number
              && operand.operand().getChildCount() == 1) {
            return new Expr.Unary(op, literals.negated(number), positions.of(context));
          }
          return new Expr.Unary(op, visit(context.expression()), positions.of(context));
        });
  }

  @Override
  public Expr visitConditionalExpression(PlyParser.ConditionalExpressionContext context) {
    return nested(
        context,
        () -> {
          boolean isShort = context.expression().size() == 2;
          Expr condition = visit(context.expression(0));
          Optional<Expr> then =
              isShort ? Optional.empty() : Optional.of(visit(context.expression(1)));
          Expr otherwise = visit(context.expression(isShort ? 1 : 2));
          return new Expr.Conditional(condition, then, otherwise, positions.of(context));
        });
  }

  @Override
  public Expr visitCastExpression(PlyParser.CastExpressionContext context) {
    return nested(
        context,
        () ->
            new Expr.Cast(
                types.of(context.typeName()), visit(context.expression()), positions.of(context)));
  }

  /** Returns the builder of types. */
  TypeBuilder types() {
    return types;
  }

  /** Returns the name that a variable has in the clause. */
  String variable(String name) {
    return scope.variable(name);
  }

  @Override
  public Expr visitTypeArgument(PlyParser.TypeArgumentContext context) {
    diagnostics.error(
        DiagnosticCode.SYNTAX,
        positions.of(context),
        "typeof is a type, not a value",
        "types stand in casts, (typeof($x))$y, in let $x: typeof($y), in sizeof, and are passed to"
            + " macros");
    return new Expr.Unknown(positions.of(context));
  }

  @Override
  public Expr visitBlockValue(PlyParser.BlockValueContext context) {
    return nested(context, () -> blocks.value(context.valueBlock()));
  }

  @Override
  public Expr visitChoiceValue(PlyParser.ChoiceValueContext context) {
    return choice(context, 0);
  }

  private Expr choice(PlyParser.ChoiceValueContext context, int number) {
    if (number == context.choice().size()) {
      return blocks.value(context.valueBlock(number));
    }
    return nested(
        context,
        () -> {
          PlyParser.ChoiceContext head = context.choice(number);
          Expr condition = visit(head.expression());
          Expr then = blocks.value(context.valueBlock(number));
          return new Expr.Conditional(
              condition,
              Optional.of(then),
              choice(context, number + 1),
              positions.of(head).through(positions.of(context)));
        });
  }

  /** Returns a statement if an expression is a macro or a block, which need not have a value. */
  Optional<Statement> statement(PlyParser.ExpressionContext context) {
    return blocks.statement(context);
  }

  /** Returns the statements of a function that nothing calls. */
  Statement.Block uncalled(Macro function) {
    return blocks.uncalled(function);
  }

  /** Returns the update of a map by an aggregation, if that is what is assigned to it. */
  Optional<Statement> aggregate(
      MapRef target, PlyParser.ExpressionContext context, SourceSpan span) {
    return blocks.aggregate(target, context, span);
  }

  @Override
  public Expr visitSizeOfValue(PlyParser.SizeOfValueContext context) {
    return nested(context, () -> layouts.size(context));
  }

  @Override
  public Expr visitSizeOfType(PlyParser.SizeOfTypeContext context) {
    return layouts.size(context);
  }

  @Override
  public Expr visitOffsetOf(PlyParser.OffsetOfContext context) {
    return layouts.offset(context);
  }

  @Override
  public Expr visitContainerOf(PlyParser.ContainerOfContext context) {
    return layouts.container(context);
  }

  @Override
  public Expr visitPrefixStep(PlyParser.PrefixStepContext context) {
    return nested(context, () -> operands.step(context));
  }

  @Override
  public Expr visitOperandExpression(PlyParser.OperandExpressionContext context) {
    return operands.operand(context);
  }

  @Override
  public Expr visitVariable(PlyParser.VariableContext context) {
    String name = context.getText();
    Optional<MacroScope.Passed> passed = scope.passed(name);
    if (passed.isPresent()) {
      return nested(context, () -> scope.in(passed.get(), this::visit));
    }
    return variables.isAssigned(name)
        ? new Expr.VariableRead(scope.variable(name), positions.of(context))
        : variables.value(name, positions.of(context));
  }

  @Override
  public Expr visitParenthesized(PlyParser.ParenthesizedContext context) {
    return nested(
        context,
        () ->
            context.COMMA().isEmpty()
                ? visit(context.expression(0))
                : new Expr.Tuple(all(context.expression()), positions.of(context)));
  }

  @Override
  public Expr visitRecord(PlyParser.RecordContext context) {
    return nested(
        context,
        () ->
            new Expr.Tuple(
                context.field().stream().map(field -> field.FIELD().getText()).toList(),
                all(context.field().stream().map(PlyParser.FieldContext::expression).toList()),
                positions.of(context)));
  }

  @Override
  public Expr visitNumber(PlyParser.NumberContext context) {
    return literals.number(context);
  }

  @Override
  public Expr visitCharacter(PlyParser.CharacterContext context) {
    return literals.character(context);
  }

  @Override
  public Expr visitString(PlyParser.StringContext context) {
    return literals.string(context);
  }

  @Override
  public Expr visitBadWord(PlyParser.BadWordContext context) {
    return literals.badWord(context.getStart(), positions.of(context));
  }

  @Override
  public Expr visitEntry(PlyParser.EntryContext context) {
    Optional<MacroScope.Passed> passed = scope.passed(context.target().getStart().getText());
    return passed.isPresent() && !scope.isMap(passed.get())
        ? nested(context, () -> element(context.target(), passed.get()))
        : nested(context, () -> new Expr.MapRead(map(context.target()), positions.of(context)));
  }

  /** A parameter of a macro before brackets can be an array or a pointer. */
  private Expr element(PlyParser.TargetContext context, MacroScope.Passed array) {
    List<Expr> keys = all(context.expressions().expression());
    Expr index = keys.size() == 1 ? keys.get(0) : new Expr.Tuple(keys, positions.of(context));
    return new Expr.Element(scope.in(array, this::visit), index, positions.of(context));
  }

  @Override
  public Expr visitWholeAggregation(PlyParser.WholeAggregationContext context) {
    SourceSpan span = positions.of(context);
    return new Expr.MapRead(new MapRef(scope.map(context.getStart()), List.of(), span), span);
  }

  @Override
  public Expr visitName(PlyParser.NameContext context) {
    Optional<MacroScope.Passed> passed = scope.passed(context.getText());
    if (passed.isPresent()) {
      return nested(context, () -> scope.in(passed.get(), this::visit));
    }
    if (scope.isMacro(context.getText(), List.of(), false)) {
      return nested(
          context, () -> blocks.expand(context.getText(), List.of(), positions.of(context)));
    }
    Optional<Expr> child =
        names.isMap(context.getText())
            ? Optional.empty()
            : variables.child(context.getText(), positions.of(context));
    return child.orElseGet(() -> names.name(context));
  }

  @Override
  public Expr visitCall(PlyParser.CallContext context) {
    return calls.call(context);
  }

  @Override
  public Expr visitDeletion(PlyParser.DeletionContext context) {
    SourceSpan span = positions.of(context);
    Optional<MapRef> entry =
        context.target() != null
            ? Optional.of(map(context.target()))
            : entry(context.wholeMap(), context.expressions());
    return entry
        .<Expr>map(
            map ->
                new Expr.Call(MapBuiltins.DELETE, List.of(new Expr.MapRead(map, map.span())), span))
        .orElseGet(() -> new Expr.Unknown(span));
  }

  /** Returns whether an expression is a name that nothing has. */
  boolean isUnknownName(PlyParser.ExpressionContext context) {
    String word = context.getText();
    return context instanceof PlyParser.OperandExpressionContext operand
        && operand.operand().member().isEmpty()
        && operand.operand().atom() instanceof PlyParser.NameContext
        && scope.passed(word).isEmpty()
        && !names.isKnown(word);
  }

  Expr nested(ParserRuleContext context, Supplier<Expr> expression) {
    depth++;
    try {
      if (depth > NestingLimit.DEEPEST) {
        SourceSpan span = positions.of(context);
        tooDeep(span);
        return new Expr.Unknown(span);
      }
      return expression.get();
    } finally {
      depth--;
    }
  }

  /** Returns whether something is nested too deeply with more levels, and reports it then. */
  boolean isTooDeep(int more, SourceSpan span) {
    boolean isDeep = depth + more > NestingLimit.DEEPEST;
    if (isDeep) {
      tooDeep(span);
    }
    return isDeep;
  }

  /** Reported once, since all enclosing expressions are too deep as well. */
  private void tooDeep(SourceSpan span) {
    if (!isTooDeep) {
      isTooDeep = true;
      NestingException.Construct construct = NestingException.Construct.EXPRESSION;
      diagnostics.error(DiagnosticCode.SYNTAX, span, construct.complaint(), construct.advice());
    }
  }
}
