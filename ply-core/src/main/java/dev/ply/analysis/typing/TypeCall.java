package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.ARGUMENT_COUNT;
import static dev.ply.diagnostic.DiagnosticCode.NOT_AVAILABLE_HERE;
import static dev.ply.diagnostic.DiagnosticCode.NOT_OFFERED;
import static dev.ply.diagnostic.DiagnosticCode.UNTYPED_MAP;

import dev.ply.analysis.struct.ContextStruct;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Typing;
import dev.ply.builtin.catalog.TypeBuiltins;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.declaration.Setting;
import dev.ply.probe.AttachPoint;
import dev.ply.selector.KernelSelector;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.Dialect;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Types the calls of built-ins, each by the rule of its declaration. */
final class TypeCall implements Typing {
  private final TypeExpression expressions;
  private final TypeArgument arguments;
  private final AttachPoint point;
  private final Optional<TracepointFormat> tracepoint;
  private final Target target;
  private final MapSymbols maps;
  private final Diagnostics diagnostics;

  TypeCall(
      TypeExpression expressions,
      TypeArgument arguments,
      AttachPoint point,
      Optional<TracepointFormat> tracepoint,
      Target target,
      MapSymbols maps,
      Diagnostics diagnostics) {
    this.expressions = expressions;
    this.arguments = arguments;
    this.point = point;
    this.tracepoint = tracepoint;
    this.target = target;
    this.maps = maps;
    this.diagnostics = diagnostics;
  }

  /** Types a call and its arguments. */
  Optional<Type> apply(Expr.Call node) {
    Builtin function = Builtin.of(node);
    String name = function.canonicalName();
    Optional<String> reason = function.availability().reasonAgainst(point);
    if (reason.isPresent()) {
      diagnostics.error(
          NOT_AVAILABLE_HERE,
          node.span(),
          "\""
              + String.join("\" or \"", function.names())
              + "\" is not available in "
              + point.definition()
              + ": "
              + reason.get());
      return Optional.empty();
    }
    int given = node.arguments().size();
    if (!function.signature().accepts(given)) {
      diagnostics.error(
          ARGUMENT_COUNT,
          node.span(),
          "\"" + name + "\" takes " + function.signature().count() + ", found " + given,
          formsHint(node, name));
      return Optional.empty();
    }
    return function.type(node, this);
  }

  /** A name without parentheses may be meant as a string: {@code comm == cat}. */
  private static String[] formsHint(Expr.Call node, String name) {
    SourceSpan span = node.span();
    boolean isName =
        span.isKnown()
            && span.line() == span.endLine()
            && span.endColumn() - span.column() == name.length();
    if (isName) {
      return new String[] {"a string is written in double quotes: \"" + name + "\""};
    }
    List<String> forms = Builtin.of(node).documentation().forms();
    return forms.isEmpty() ? new String[0] : new String[] {"write " + String.join(" or ", forms)};
  }

  @Override
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  @Override
  public Dialect dialect() {
    return maps.dialect();
  }

  @Override
  public OptionalInt stringSize() {
    return maps.configuration().number(Setting.MAX_STRLEN);
  }

  @Override
  public Target target() {
    return target;
  }

  @Override
  public Optional<String> binary() {
    return point.binary();
  }

  @Override
  public Optional<KernelSelector.Function> function() {
    return point.typedFunction();
  }

  @Override
  public Optional<Type> knownType(Expr.Argument argument) {
    return point instanceof AttachPoint.RawTracepoint raw
        ? target
            .types()
            .rawTracepointProbe(raw.event())
            .filter(probe -> argument.index() < probe.parameters().size())
            .map(probe -> probe.parameters().get(argument.index()).type())
        : Optional.empty();
  }

  @Override
  public Optional<TracepointFormat> tracepoint() {
    return tracepoint;
  }

  @Override
  public Optional<Type> apply(Expr expr) {
    return expressions.apply(expr);
  }

  @Override
  public OptionalLong constant(Expr expr) {
    if (expr instanceof Expr.SizeOf || expr instanceof Expr.SizeOfType) {
      return expressions.size(expr);
    }
    if (expr instanceof Expr.Call call
        && call.function() instanceof TypeBuiltins.Predicate predicate
        && call.arguments().size() == 1) {
      Expr argument = call.arguments().get(0);
      return expressions
          .typeOf(argument)
          .map(type -> OptionalLong.of(predicate.holds(argument, type) ? 1 : 0))
          .orElseGet(OptionalLong::empty);
    }
    OptionalLong written = ConstantValue.of(expr);
    return written.isEmpty() && expr instanceof Expr.Binary binary
        ? ConstantValue.of(binary.op(), constant(binary.left()), constant(binary.right()))
        : written;
  }

  @Override
  public Optional<Type> typeOf(Expr expr) {
    return expressions.typeOf(expr);
  }

  @Override
  public Optional<IntType> integer(Type type, Expr expr, String role, String... hints) {
    return expressions.integer(type, expr, role, hints);
  }

  @Override
  public Optional<Type> result(Expr.Call call) {
    return arguments.result(call);
  }

  @Override
  public Optional<StructType> record(Expr.Call call) {
    Optional<StructType> struct =
        tracepoint.map(ContextStruct::of).or(() -> arguments.named().map(ContextStruct::of));
    if (struct.isEmpty() && point instanceof AttachPoint.RawTracepoint) {
      diagnostics.error(
          NOT_OFFERED,
          call.span(),
          "this kernel has no types for " + point.definition(),
          "arg0, arg1, … are available");
    }
    if (struct.isEmpty()) {
      expressions.unknown();
    }
    return struct;
  }

  @Override
  public boolean isIterator() {
    return point instanceof AttachPoint.Iterator;
  }

  @Override
  public StructType registers() {
    return ContextStruct.of(target.architecture());
  }

  @Override
  public IntType word() {
    return expressions.word();
  }

  @Override
  public void wholeMap(Expr.MapRead read) {
    String name = read.map().name();
    maps.mention(name);
    if (maps.content(name).isEmpty() && !maps.isObscure(name)) {
      diagnostics.error(UNTYPED_MAP, read.span(), "map \"" + name + "\" is never assigned");
    }
  }

  @Override
  public boolean entry(Expr.MapRead read) {
    return expressions.content(read).isPresent();
  }

  @Override
  public void observeKeys(Expr.MapRead read) {
    maps.observeKeys(read.map().name());
  }

  @Override
  public boolean iterates(Expr.MapRead read) {
    boolean isIterable =
        new TypeMapLoop(maps, target, diagnostics).isIterable(read.map(), read.span());
    if (isIterable) {
      maps.observeKeys(read.map().name());
    }
    return isIterable;
  }

  @Override
  public boolean isTable(Expr.MapRead read) {
    String name = read.map().name();
    Optional<List<Type>> keys = maps.keys(name);
    return keys.isEmpty()
        || !keys.get().isEmpty()
        || maps.content(name).filter(MapContent.Plain.class::isInstance).isEmpty();
  }

  @Override
  public boolean isNumber(Expr.MapRead read) {
    String name = read.map().name();
    return maps.keys(name).filter(List::isEmpty).isPresent()
        && maps.content(name).filter(MapContent::isNumberOrPlain).isPresent();
  }

  @Override
  public boolean isKnown(Expr.MapRead read) {
    return maps.content(read.map().name()).isPresent();
  }
}
