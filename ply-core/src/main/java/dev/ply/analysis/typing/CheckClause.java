package dev.ply.analysis.typing;

import static dev.ply.builtin.Parameter.LITERAL;
import static dev.ply.diagnostic.DiagnosticCode.MAP_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.MISPLACED_AGGREGATION;
import static dev.ply.diagnostic.DiagnosticCode.MISPLACED_JUMP;
import static dev.ply.diagnostic.DiagnosticCode.NO_EFFECT;
import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNTYPED_MAP;

import dev.ply.builtin.AggregateFunction;
import dev.ply.builtin.AggregateShape;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.VoidType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Checks one clause: types its expressions, infers map types, reports errors. */
public final class CheckClause implements Statement.Visitor<Optional<Type>> {
  /** The maximum number of iterations of an unrolled loop, as in bpftrace. */
  private static final int MOST_UNROLLED = 100;

  private final Clause clause;
  private final Target target;
  private final MapSymbols symbols;
  private final Diagnostics diagnostics;
  private final TypeExpression expressions;
  private final TypeVariable variables;

  /** The number of enclosing loops. */
  private int loops;

  public CheckClause(
      Clause clause,
      Optional<TracepointFormat> tracepoint,
      Target target,
      MapSymbols symbols,
      IdentityHashMap<Expr, Type> types,
      TypeVariable variables,
      Diagnostics diagnostics) {
    this.variables = variables;
    this.clause = clause;
    this.target = target;
    this.symbols = symbols;
    this.diagnostics = diagnostics;
    this.expressions =
        new TypeExpression(
            clause.point(), tracepoint, target, symbols, types, variables, this, diagnostics);
  }

  /** Checks the clause. */
  public void apply() {
    clause.predicate().ifPresent(predicate -> condition(predicate, "a predicate"));
    clause.body().accept(this);
  }

  @Override
  public Optional<Type> visit(Statement.Block node) {
    variables.scopes().open();
    node.statements().forEach(statement -> statement.accept(this));
    variables.scopes().close();
    for (int i = 1; i < node.statements().size(); i++) {
      if (isLeaving(node.statements().get(i - 1))) {
        SourceSpan unreached = node.statements().get(i).span();
        diagnostics.warning(NO_EFFECT, unreached, "this is never reached");
        break;
      }
    }
    return Optional.empty();
  }

  private static boolean isLeaving(Statement statement) {
    if (statement instanceof Statement.Block block) {
      return block.statements().stream().anyMatch(CheckClause::isLeaving);
    }
    return statement instanceof Statement.Return
        || statement instanceof Statement.Break
        || statement instanceof Statement.Continue;
  }

  @Override
  public Optional<Type> visit(Statement.If node) {
    condition(node.condition(), "a condition");
    node.then().accept(this);
    node.otherwise().accept(this);
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.Store node) {
    MapRef map = node.target();
    symbols.mentionStore(map.name());
    expressions.applyKeys(map);
    int complaints = expressions.complaints();
    Optional<Type> value = expressions.apply(node.value());
    if (value.isEmpty() && expressions.complaints() > complaints) {
      symbols.obscure(map.name());
    }
    if (value.isPresent() && value.get() instanceof VoidType) {
      diagnostics.error(TYPE_MISMATCH, node.value().span(), "this has no value to store");
      symbols.obscure(map.name());
    } else {
      value.ifPresent(
          type -> learn(map, new MapContent.Plain(TypeMapKey.widened(map, type)), node.value()));
    }
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.Aggregate node) {
    MapRef map = node.target();
    symbols.mention(map.name());
    if (!map.isAggregation()) {
      diagnostics.error(
          MISPLACED_AGGREGATION,
          map.span(),
          "map \"" + map.name() + "\" cannot hold an aggregation",
          "such maps have names that begin with @: \"@" + map.name() + "\"");
    }
    expressions.applyKeys(map);
    int complaints = expressions.complaints();
    shape(node.aggregation())
        .ifPresent(
            shape ->
                learn(
                    map,
                    new MapContent.Aggregated(AggregateFunction.of(node.aggregation()), shape),
                    node.aggregation().span()));
    if (symbols.content(map.name()).isEmpty() && expressions.complaints() > complaints) {
      symbols.obscure(map.name());
    }
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.Delete node) {
    String name = node.target().name();
    symbols.mention(name);
    symbols.observeKeys(name);
    expressions.applyKeys(node.target());
    if (symbols.content(name).isEmpty() && !symbols.isObscure(name)) {
      diagnostics.warning(UNTYPED_MAP, node.span(), "map \"" + name + "\" is never assigned");
    }
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.Return node) {
    node.value()
        .ifPresent(
            value ->
                expressions
                    .apply(value)
                    .ifPresent(type -> expressions.integer(type, value, "what is returned")));
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.Assign node) {
    int complaints = expressions.complaints();
    int errors = diagnostics.errorCount();
    Optional<Type> value = expressions.apply(node.value());
    variables.assign(
        node, value, expressions.complaints() > complaints, diagnostics.errorCount() > errors);
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.Declare node) {
    int complaints = expressions.complaints();
    int errors = diagnostics.errorCount();
    Optional<Type> declared =
        node.type().flatMap(type -> expressions.operations().named(type, node.span()));
    Optional<Type> value = node.value().flatMap(expressions::apply);
    variables.declare(
        node,
        declared,
        value,
        expressions.complaints() > complaints,
        diagnostics.errorCount() > errors);
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.Update node) {
    int complaints = expressions.complaints();
    String operator = "\"" + node.op().symbol() + "=\"";
    Optional<IntType> value =
        expressions
            .apply(node.value())
            .flatMap(type -> expressions.integer(type, node.value(), "the value of " + operator));
    if (value.isEmpty()) {
      // Without another use that gives the map a type, the operand's type decides.
      boolean isWrong = expressions.complaints() > complaints;
      expressions.operations().update(node.target(), IntType.S64);
      if (isWrong) {
        symbols.obscure(node.target().name());
      }
      return Optional.empty();
    }
    boolean divides = node.op() == BinaryOp.DIV || node.op() == BinaryOp.MOD;
    if (divides && TypeBinary.isZero(node.value())) {
      diagnostics.error(OUT_OF_RANGE, node.value().span(), "division by zero");
    }
    Optional<Type> updated = expressions.operations().update(node.target(), value.get());
    if (node.op().kind() == BinaryOp.Kind.SHIFT && updated.isPresent()) {
      expressions.constants().shift(node.value(), IntType.S64);
    }
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.While node) {
    condition(node.condition(), "a condition");
    loop(node.body());
    return Optional.empty();
  }

  private void loop(Statement.Block body) {
    loops++;
    body.accept(this);
    loops--;
  }

  @Override
  public Optional<Type> visit(Statement.ForRange node) {
    bound(node.from());
    bound(node.to());
    variables.scopes().open();
    variables.loop(node);
    loop(node.body());
    variables.scopes().close();
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.ForEach node) {
    variables.scopes().open();
    variables.loop(node, new TypeMapLoop(symbols, target, diagnostics).entry(node));
    loop(node.body());
    variables.scopes().close();
    return Optional.empty();
  }

  private void bound(Expr bound) {
    expressions
        .apply(bound)
        .ifPresent(type -> expressions.integer(type, bound, "the end of a range"));
  }

  @Override
  public Optional<Type> visit(Statement.Unroll node) {
    expressions.apply(node.count());
    boolean isCount =
        node.count() instanceof Expr.IntLiteral literal
            && literal.value() >= 1
            && literal.value() <= MOST_UNROLLED;
    if (!isCount && !(node.count() instanceof Expr.Unknown)) {
      diagnostics.error(
          OUT_OF_RANGE,
          node.count().span(),
          "\"unroll\" takes a constant from 1 to " + MOST_UNROLLED,
          "for another number, use a loop: for ($i : 0..n) { … }");
    }
    loop(node.body());
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.Break node) {
    requireLoop("break", node.span());
    return Optional.empty();
  }

  @Override
  public Optional<Type> visit(Statement.Continue node) {
    requireLoop("continue", node.span());
    return Optional.empty();
  }

  private void requireLoop(String keyword, SourceSpan span) {
    if (loops == 0) {
      diagnostics.error(
          MISPLACED_JUMP,
          span,
          "\"" + keyword + "\" is outside of a loop",
          "to leave the clause, write return;");
    }
  }

  @Override
  public Optional<Type> visit(Statement.Evaluate node) {
    return expressions.apply(node.expression());
  }

  private void condition(Expr condition, String role) {
    Optional<Type> type = expressions.apply(condition);
    type.ifPresent(known -> expressions.truth(known, condition, role));
  }

  private Optional<AggregateShape> shape(Aggregation aggregation) {
    AggregateFunction function = AggregateFunction.of(aggregation);
    List<Expr> arguments = aggregation.arguments();
    if (arguments.isEmpty()) {
      return Optional.of(new AggregateShape(function.valueType(IntType.U64)));
    }
    Optional<IntType> type = number(arguments.get(0), function.canonicalName());
    return constants(aggregation)
        .flatMap(
            constants ->
                type.map(value -> new AggregateShape(function.valueType(value), constants)));
  }

  /** Returns the arguments after the first, which are constants. */
  private Optional<List<Long>> constants(Aggregation aggregation) {
    AggregateFunction function = AggregateFunction.of(aggregation);
    List<Expr> arguments = aggregation.arguments();
    if (!function.signature().accepts(arguments.size())) {
      return Optional.empty();
    }
    List<Long> constants = new ArrayList<>();
    for (Expr argument : arguments.subList(1, arguments.size())) {
      int complaints = expressions.complaints();
      expressions.apply(argument);
      boolean isWord = function.signature().parameters().get(constants.size() + 1) == LITERAL;
      OptionalLong value =
          !isWord
              ? ConstantValue.of(argument)
              : argument instanceof Expr.StringLiteral word
                  ? function.constant(word.value())
                  : OptionalLong.empty();
      if (value.isEmpty()) {
        if (expressions.complaints() == complaints) {
          diagnostics.error(
              TYPE_MISMATCH,
              argument.span(),
              isWord
                  ? "\"" + function + "\" takes " + function.words() + " here"
                  : "\"" + function + "\" takes constants after the value");
        }
        return Optional.empty();
      }
      constants.add(value.getAsLong());
    }
    Optional<String> complaint = function.complaint(constants);
    complaint.ifPresent(
        message -> diagnostics.error(OUT_OF_RANGE, arguments.get(1).span(), message));
    return complaint.isPresent() ? Optional.empty() : Optional.of(function.normalized(constants));
  }

  private Optional<IntType> number(Expr value, String function) {
    Optional<Type> type = expressions.apply(value);
    return type.flatMap(
        known -> expressions.integer(known, value, "the argument of \"" + function + "\""));
  }

  private void learn(MapRef map, MapContent content, Expr value) {
    learn(map, content, value.span());
  }

  private void learn(MapRef map, MapContent content, SourceSpan span) {
    if (!symbols.learnContent(map.name(), content)) {
      diagnostics.error(
          MAP_MISMATCH,
          span,
          "map \""
              + map.name()
              + "\" holds "
              + symbols.content(map.name()).map(CheckClause::describe).orElse("something else")
              + ", not "
              + describe(content),
          "use another map for it");
    }
  }

  static String describe(MapContent content) {
    return content instanceof MapContent.Aggregated aggregated
        ? aggregated.function().plural(aggregated.shape())
        : "values of type " + content.type().name();
  }
}
