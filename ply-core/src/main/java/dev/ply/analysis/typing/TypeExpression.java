package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.CIRCULAR_TYPE;
import static dev.ply.diagnostic.DiagnosticCode.MISPLACED_AGGREGATION;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_NAME;
import static dev.ply.diagnostic.DiagnosticCode.UNTYPED_MAP;

import dev.ply.analysis.typing.MapContent.Plain;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.UnaryOp;
import dev.ply.probe.AttachPoint;
import dev.ply.target.HeaderConstants;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.AddressSpace;
import dev.ply.type.Conversions;
import dev.ply.type.Encoding;
import dev.ply.type.Signedness;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.TupleType;
import dev.ply.type.Type.VoidType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Types the expressions of one clause, bottom-up. An expression without a type has been reported,
 * or depends on a map whose type is not known yet.
 */
final class TypeExpression implements Expr.Visitor<Optional<Type>> {
  private static final IntType BOOLEAN = IntType.TRUTH;

  private final Target target;
  private final MapSymbols symbols;
  private final IdentityHashMap<Expr, Type> types;
  private final Diagnostics diagnostics;
  private final TypeArgument arguments;
  private final TypeMapKey keys;
  private final TypeCall calls;
  private final TypeMember members;
  private final TypeElement elements;
  private final TypeOperation operations;
  private final TypeBinary binaries;
  private final TypeVariable variables;
  private final ConstantFaults constants;
  private final Statement.Visitor<Optional<Type>> statements;
  private int unknowns;
  private int untyped;

  TypeExpression(
      AttachPoint point,
      Optional<TracepointFormat> tracepoint,
      Target target,
      MapSymbols symbols,
      IdentityHashMap<Expr, Type> types,
      TypeVariable variables,
      Statement.Visitor<Optional<Type>> statements,
      Diagnostics diagnostics) {
    this.variables = variables;
    this.statements = statements;
    this.target = target;
    this.symbols = symbols;
    this.types = types;
    this.diagnostics = diagnostics;
    this.arguments = new TypeArgument(point, target, diagnostics);
    this.keys = new TypeMapKey(this, target.longestKey(), symbols, diagnostics);
    this.calls = new TypeCall(this, arguments, point, tracepoint, target, symbols, diagnostics);
    this.members = new TypeMember(point, tracepoint, target, symbols.dialect(), diagnostics);
    this.elements = new TypeElement(this, diagnostics);
    this.constants = new ConstantFaults(diagnostics);
    this.operations = new TypeOperation(this, target, symbols, diagnostics);
    this.binaries = new TypeBinary(this, elements, symbols, constants, diagnostics);
  }

  /** Returns the type of an expression, if it has one. */
  Optional<Type> typeOf(Expr expr) {
    return Optional.ofNullable(types.get(expr));
  }

  /** Records an expression without a type whose error is reported elsewhere. */
  Optional<Type> unknown() {
    unknowns++;
    return Optional.empty();
  }

  /** Reports an expression that has no type because nothing determines it. */
  Optional<Type> untyped(DiagnosticCode code, SourceSpan span, String message) {
    untyped++;
    diagnostics.error(code, span, message);
    return Optional.empty();
  }

  /** Records the type of an expression typed elsewhere. */
  void note(Expr expr, Type type) {
    types.put(expr, type);
  }

  /** Returns the typing of elements and addresses. */
  TypeElement elements() {
    return elements;
  }

  /** Returns whether a variable is that of a loop. */
  boolean isLoopVariable(Expr.VariableRead read) {
    return variables.isOfLoop(read);
  }

  /** Returns the typing of casts, sizes, conditionals and in-place changes. */
  TypeOperation operations() {
    return operations;
  }

  /**
   * Returns a counter that increases with each error, reported here or before; not with expressions
   * whose map is still untyped.
   */
  int complaints() {
    return unknowns + diagnostics.errorCount() - untyped;
  }

  /** Types an expression and its subexpressions. */
  Optional<Type> apply(Expr expr) {
    Optional<Type> type = expr.accept(this);
    type.ifPresent(known -> types.put(expr, known));
    return type;
  }

  /** Types the components of a key and unifies them with the map's other uses. */
  void applyKeys(MapRef map) {
    keys.apply(map);
  }

  @Override
  public Optional<Type> visit(Expr.IntLiteral node) {
    return Optional.of(constant(node.value()));
  }

  /** Returns the type of a constant, read as unsigned. */
  private static IntType constant(long value) {
    if (value < 0) {
      return IntType.U64;
    }
    if (value > 0xffff_ffffL) {
      return IntType.S64;
    }
    return value > Integer.MAX_VALUE ? IntType.U32 : IntType.S32;
  }

  @Override
  public Optional<Type> visit(Expr.NamedConstant node) {
    OptionalLong value = target.constant(node.name());
    if (value.isEmpty()) {
      diagnostics.error(
          UNKNOWN_NAME,
          node.span(),
          "unknown constant \"" + node.name() + "\"",
          Suggestions.hint(
              node.name(),
              HeaderConstants.names(),
              target.types().isKnown()
                  ? "it is in neither the kernel's enums nor its headers"
                  : "it is not in the headers, and this kernel has no BTF with enums"));
      return Optional.empty();
    }
    IntType type = ofName(node.name(), value.getAsLong());
    return Optional.of(target.types().enumerators(node.name()).map(type::named).orElse(type));
  }

  /** Returns the type of a constant that has a name; tables have its bits only. */
  private static IntType ofName(String name, long value) {
    if (name.endsWith("_MIN") && value < Integer.MIN_VALUE) {
      return IntType.S64;
    }
    boolean isLargest =
        value == -1 && name.endsWith("_MAX") && (name.startsWith("U") || name.startsWith("SIZE"));
    if (isLargest) {
      return IntType.U64;
    }
    // An enumeration with a negative constant has type int.
    boolean isNegative = value < 0 && value >= Integer.MIN_VALUE;
    return isNegative ? IntType.S32 : constant(value);
  }

  @Override
  public Optional<Type> visit(Expr.StringLiteral node) {
    int bytes = TextBytes.encode(node.value()).length;
    return Optional.of(ArrayType.chars((bytes + 8) & -8));
  }

  @Override
  public Optional<Type> visit(Expr.Argument node) {
    return arguments.apply(node);
  }

  /** Types the key of an entry; returns the map's content, or reports that it is unknown. */
  Optional<MapContent> content(Expr.MapRead node) {
    MapRef map = node.map();
    symbols.mention(map.name());
    applyKeys(map);
    Optional<MapContent> content = symbols.content(map.name());
    boolean isObscure = content.isEmpty() && symbols.isObscure(map.name());
    // A clause whose probes may be missing has no error that would explain it.
    if (isObscure && !symbols.configuration().skipsMissingProbes()) {
      unknown();
      return content;
    }
    if (content.isEmpty()) {
      untyped++;
      boolean isCircular = !isObscure && symbols.isStored(map.name());
      diagnostics.error(
          isCircular ? CIRCULAR_TYPE : UNTYPED_MAP,
          node.span(),
          isObscure
              ? "map \"" + map.name() + "\" has no type: the probes that assign to it are missing"
              : isCircular
                  ? "map \"" + map.name() + "\" has no type: it is only assigned from itself"
                  : "map \"" + map.name() + "\" is never assigned, so it has no type");
    }
    return content;
  }

  @Override
  public Optional<Type> visit(Expr.MapRead node) {
    MapRef map = node.map();
    Optional<MapContent> content = content(node);
    if (content.filter(MapContent.Aggregated.class::isInstance).isPresent()
        && MapContent.isNumberOrPlain(content.get())) {
      symbols.observeValues(map.name());
      return content.map(MapContent::type);
    }
    if (content.isPresent() && !(content.get() instanceof Plain)) {
      diagnostics.error(
          MISPLACED_AGGREGATION,
          node.span(),
          "\""
              + map.name()
              + "\" holds "
              + CheckClause.describe(content.get())
              + ", which have no single value inside a probe",
          "print(" + map.name() + ") shows the whole map");
      return Optional.empty();
    }
    return content.map(MapContent::type);
  }

  @Override
  public Optional<Type> visit(Expr.Member node) {
    return apply(node.base()).flatMap(base -> members.apply(node, base));
  }

  /** Returns the member of a kernel structure that an expression denotes. */
  Optional<KernelTypes.Member> member(Expr.Member node) {
    Type base = typeOf(node.base()).orElseThrow();
    Type holder = base instanceof PointerType pointer ? pointer.target() : base;
    return holder instanceof KernelStruct struct
        ? target.types().member(struct, node.name())
        : Optional.empty();
  }

  @Override
  public Optional<Type> visit(Expr.Element node) {
    Optional<Type> base = apply(node.base());
    Optional<Type> index = apply(node.index());
    return base.isPresent() && index.isPresent()
        ? elements.apply(node, base.get(), index.get())
        : Optional.empty();
  }

  @Override
  public Optional<Type> visit(Expr.Unknown node) {
    node.parts().forEach(this::apply);
    for (String name : node.names()) {
      if (name.startsWith("$")) {
        variables.obscure(name);
      } else {
        symbols.obscure(name);
      }
    }
    return unknown();
  }

  @Override
  public Optional<Type> visit(Expr.Tuple node) {
    List<Type> elements = new ArrayList<>();
    for (Expr element : node.elements()) {
      apply(element).flatMap(type -> element(element, type)).ifPresent(elements::add);
    }
    Set<String> known = new HashSet<>();
    Optional<String> repeated = node.names().stream().filter(name -> !known.add(name)).findFirst();
    repeated.ifPresent(
        name ->
            diagnostics.error(
                TYPE_MISMATCH,
                node.span(),
                "the record has two elements \"" + name + "\"",
                "rename one of them"));
    if (repeated.isPresent() || elements.size() < node.elements().size()) {
      return Optional.empty();
    }
    return Optional.of(
        node.isRecord() ? TupleType.ofNamed(node.names(), elements) : TupleType.of(elements));
  }

  /** Types an element of a tuple. */
  private Optional<Type> element(Expr element, Type type) {
    boolean isKept =
        type.isScalar()
            || type.isText()
            || type instanceof Type.EncodedString
            || (type.isAggregate() && type.size() > 0);
    if (!isKept || isContextAddress(type)) {
      diagnostics.error(
          TYPE_MISMATCH,
          element.span(),
          type instanceof VoidType
              ? "an element of a tuple needs a value, this has none"
              : "a tuple cannot hold " + article(type),
          "tuples hold numbers, addresses, strings, tuples, arrays and structures");
      return Optional.empty();
    }
    boolean isAsWritten =
        element instanceof Expr.Cast && !(type instanceof IntType i && i.isTruth());
    if (isAsWritten || !(type instanceof IntType integer)) {
      return Optional.of(type);
    }
    OptionalLong constant = integer.isTruth() ? OptionalLong.empty() : ConstantValue.of(element);
    return Optional.of(
        constant.isPresent()
            ? symbols.dialect().ofConstantElement(integer, constant.getAsLong())
            : symbols.dialect().ofElement(integer));
  }

  @Override
  public Optional<Type> visit(Expr.Unary node) {
    Optional<Type> operand = apply(node.operand());
    if (operand.isEmpty()) {
      return Optional.empty();
    }
    if (node.op() == UnaryOp.DEREFERENCE) {
      return TypeMember.isContext(node)
          ? operand.map(context -> ((PointerType) context).target())
          : elements.dereferenced(node, operand.get(), symbols.dialect());
    }
    if (node.op() == UnaryOp.ADDRESS_OF) {
      return elements.address(node, operand.get());
    }
    String role = "the operand of \"" + node.op().symbol() + "\"";
    if (node.op() == UnaryOp.NOT) {
      return truth(operand.get(), node.operand(), role).map(unused -> BOOLEAN);
    }
    elements.checkAddress(node, operand.get());
    if (isLeast(node)) {
      return Optional.of(IntType.S64);
    }
    return integer(operand.get(), node.operand(), role).map(symbols.dialect()::ofUnary);
  }

  /** The least number of 64 bits is a sign before a literal that is too large for a signed one. */
  private static boolean isLeast(Expr.Unary node) {
    return node.op() == UnaryOp.NEGATE
        && node.operand() instanceof Expr.IntLiteral literal
        && literal.value() == Long.MIN_VALUE;
  }

  @Override
  public Optional<Type> visit(Expr.Binary node) {
    int complaints = complaints();
    Optional<Type> left = apply(node.left());
    Optional<Type> right = apply(node.right());
    if (symbols.isGuessing() && complaints() == complaints) {
      Optional<Type> known = left.or(() -> right);
      return binaries.apply(node, known, right.or(() -> left));
    }
    return binaries.apply(node, left, right);
  }

  /** Returns the type of a truth value; warns of a stack trace, which is neither true nor false. */
  Optional<IntType> truth(Type type, Expr expr, String role) {
    boolean isStack = type instanceof IntType integer && integer.isStack();
    if (isStack) {
      diagnostics.warning(
          TYPE_MISMATCH,
          expr.span(),
          "a stack trace is neither true nor false",
          "stack traces are printed, kept in maps and compared");
    }
    return integer(type, expr, role, textHint(type));
  }

  /** Returns the check of constants in operations. */
  ConstantFaults constants() {
    return constants;
  }

  @Override
  public Optional<Type> visit(Expr.VariableRead node) {
    return variables.read(node, this);
  }

  @Override
  public Optional<Type> visit(Expr.Conditional node) {
    return operations.choice(node);
  }

  @Override
  public Optional<Type> visit(Expr.Cast node) {
    return operations.cast(node);
  }

  @Override
  public Optional<Type> visit(Expr.SizeOfType node) {
    return operations.size(operations.measured(node.type(), node.span()));
  }

  @Override
  public Optional<Type> visit(Expr.OffsetOf node) {
    return operations.offset(node);
  }

  @Override
  public Optional<Type> visit(Expr.SizeOf node) {
    return operations.size(apply(node.operand()));
  }

  @Override
  public Optional<Type> visit(Expr.Step node) {
    return operations.step(node);
  }

  @Override
  public Optional<Type> visit(Expr.Block node) {
    variables.scopes().open();
    node.statements().statements().forEach(statement -> statement.accept(this.statements));
    Optional<Type> type = apply(node.value());
    variables.scopes().close();
    return type;
  }

  @Override
  public Optional<Type> visit(Expr.Call node) {
    return calls.apply(node);
  }

  /** Returns the value of a size, if what is measured has a type. */
  OptionalLong size(Expr size) {
    Optional<Type> measured =
        size instanceof Expr.SizeOf of
            ? typeOf(of.operand())
            : operations.measured(((Expr.SizeOfType) size).type(), size.span());
    return measured.isPresent()
        ? OptionalLong.of(symbols.dialect().sizeOf(measured.get()))
        : OptionalLong.empty();
  }

  /** Returns the integer type a scalar is computed in, or reports an error that names its role. */
  Optional<IntType> integer(Type type, Expr expr, String role, String... hints) {
    Optional<IntType> integer =
        isContextAddress(type) ? Optional.empty() : Conversions.asInteger(type);
    if (integer.isEmpty()) {
      String what = type instanceof VoidType ? "this has no value" : "this is " + article(type);
      diagnostics.error(TYPE_MISMATCH, expr.span(), role + " must be a number; " + what, hints);
    }
    return integer;
  }

  static String[] textHint(Type type) {
    if (type instanceof Type.EncodedString string
        && (string.encoding() instanceof Encoding.Container
            || string.encoding() instanceof Encoding.Pod)) {
      return new String[] {
        "it is known when it is printed: to select one, use the option --container ID, or"
            + " in_cgroup(\"PATH\")"
      };
    }
    return isText(type)
        ? new String[] {"compare strings with strcmp(a, b) or a == \"b\""}
        : new String[0];
  }

  /** The kernel forbids arithmetic on the context pointer. */
  private static boolean isContextAddress(Type type) {
    return type instanceof PointerType pointer && pointer.space() == AddressSpace.CONTEXT;
  }

  static String article(Type type) {
    return type.withArticle();
  }

  /** Returns the type of a machine register. */
  IntType word() {
    return IntType.of(target.architecture().wordSize(), Signedness.UNSIGNED);
  }

  static boolean isText(Type type) {
    return type.isText();
  }
}
