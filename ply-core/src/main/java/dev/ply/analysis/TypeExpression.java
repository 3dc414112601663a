package dev.ply.analysis;

import static dev.ply.diagnostic.DiagnosticCode.MAP_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.MISPLACED_AGGREGATION;
import static dev.ply.diagnostic.DiagnosticCode.NOT_AVAILABLE_HERE;
import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_NAME;
import static dev.ply.diagnostic.DiagnosticCode.UNTYPED_MAP;

import dev.ply.analysis.MapContent.Plain;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.UnaryOp;
import dev.ply.target.Architecture;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.AddressSpace;
import dev.ply.type.Conversions;
import dev.ply.type.IntFormat;
import dev.ply.type.Signedness;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.VoidType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Types the expressions of one clause, bottom-up. An expression without a type has been complained
 * about already, or depends on a map that is not known yet.
 */
final class TypeExpression implements Expr.Visitor<Optional<Type>> {
  private static final int MOST_RAW_ARGUMENTS = 12;

  /** What the kernel accepts as key of a hash table (MAX_BPF_STACK). */
  private static final int MAX_KEY_SIZE = 512;

  private static final IntType BOOLEAN = IntType.S32;

  private final AttachPoint point;
  private final Target target;
  private final SymbolTable symbols;
  private final IdentityHashMap<Expr, Type> types;
  private final Diagnostics diagnostics;
  private final TypeCall calls;
  private final TypeMember members;
  private final TypeElement elements;
  private int unknowns;
  private int untyped;

  TypeExpression(
      AttachPoint point,
      Optional<TracepointFormat> tracepoint,
      Target target,
      SymbolTable symbols,
      IdentityHashMap<Expr, Type> types,
      Diagnostics diagnostics) {
    this.point = point;
    this.target = target;
    this.symbols = symbols;
    this.types = types;
    this.diagnostics = diagnostics;
    this.calls = new TypeCall(this, point, tracepoint, target, symbols, diagnostics);
    this.members = new TypeMember(point, target, diagnostics);
    this.elements = new TypeElement(this, diagnostics);
  }

  /** Returns the type an expression was found to have. */
  Optional<Type> typeOf(Expr expr) {
    return Optional.ofNullable(types.get(expr));
  }

  /** Notes an expression that is unknown for a reason that is told elsewhere. */
  Optional<Type> unknown() {
    unknowns++;
    return Optional.empty();
  }

  /**
   * Returns a number that grows with everything that is wrong, or was found to be wrong before; not
   * with what is only unknown because a map is.
   */
  int complaints() {
    return unknowns + diagnostics.count() - untyped;
  }

  /** Types an expression and all it is made of. */
  Optional<Type> apply(Expr expr) {
    Optional<Type> type = expr.accept(this);
    type.ifPresent(known -> types.put(expr, known));
    return type;
  }

  /** Types a key's parts and holds them against the map's other uses. */
  void applyKeys(MapRef map) {
    List<Type> parts = new ArrayList<>();
    boolean complete = true;
    for (Expr key : map.keys()) {
      Optional<Type> type = apply(key);
      if (type.isPresent() && type.get() instanceof VoidType) {
        diagnostics.error(TYPE_MISMATCH, key.span(), "a key needs a value, this has none");
        complete = false;
      }
      complete &= type.isPresent();
      type.map(part -> widened(map, part)).ifPresent(parts::add);
    }
    if (!complete) {
      return;
    }
    if (symbols.learnKeys(map.name(), parts)) {
      int size = StructType.ofKeyParts(symbols.keys(map.name()).orElse(parts)).size();
      if (size > MAX_KEY_SIZE) {
        diagnostics.error(
            OUT_OF_RANGE,
            map.span(),
            "the key of map \"" + map.name() + "\" takes " + size + " bytes",
            "the kernel takes at most " + MAX_KEY_SIZE + ": read shorter strings, as str(p, 64)");
      }
    } else {
      diagnostics.error(
          MAP_MISMATCH,
          map.span(),
          "map \""
              + map.name()
              + "\" has "
              + otherKeys(symbols.keys(map.name()).orElse(List.of()), parts),
          "give every use of the map the same kinds of keys, or use two maps");
    }
  }

  /** Maps named with {@code @} hold all integers in 64 bits; plain maps keep C's types. */
  static Type widened(MapRef map, Type type) {
    // Whether a number is widened must not depend on how it prints, which other uses may decide.
    return map.isAggregation()
            && type instanceof IntType integer
            && integer.format() != IntFormat.DATA_LOCATION
        ? new IntType(8, integer.signedness(), integer.format())
        : type;
  }

  @Override
  public Optional<Type> visit(Expr.IntLiteral node) {
    return Optional.of(constant(node.value()));
  }

  /** Returns the type of a constant, which is read as unsigned. */
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
  public Optional<Type> visit(Expr.Enumerator node) {
    OptionalLong value = target.types().enumerator(node.name());
    if (value.isEmpty()) {
      diagnostics.error(
          UNKNOWN_NAME,
          node.span(),
          "there is nothing called \"" + node.name() + "\"",
          target.types().isKnown()
              ? "no enumeration of the kernel has it; what its headers #define is not known either"
              : "constants of the kernel are not known here, it has no type information");
      return Optional.empty();
    }
    // An enumeration with a constant below zero is one of int.
    boolean isNegative = value.getAsLong() < 0 && value.getAsLong() >= Integer.MIN_VALUE;
    return Optional.of(isNegative ? IntType.S32 : constant(value.getAsLong()));
  }

  @Override
  public Optional<Type> visit(Expr.StringLiteral node) {
    int bytes = TextBytes.encode(node.value()).length;
    return Optional.of(ArrayType.chars((bytes + 8) & -8));
  }

  @Override
  public Optional<Type> visit(Expr.Argument node) {
    Optional<KernelTypes.Function> function = typedFunction();
    if (function.isPresent()) {
      return typedArgument(node, function.get());
    }
    if (point instanceof AttachPoint.Usdt usdt) {
      return new TypeUsdtArgument(target.binaries(), diagnostics).apply(node, usdt);
    }
    if (point instanceof AttachPoint.RawTracepoint) {
      return rawArgument(node);
    }
    if (!(point instanceof AttachPoint.Kprobe
        || point instanceof AttachPoint.Uprobe
        || point instanceof AttachPoint.Unknown)) {
      diagnostics.error(
          NOT_AVAILABLE_HERE,
          node.span(),
          "there is no \"arg"
              + node.index()
              + "\" in "
              + point.definition()
              + ": only a probe on the entry of a function has arguments");
      return Optional.empty();
    }
    List<String> registers = architecture().argumentNames();
    if (node.index() >= registers.size()) {
      int last = registers.size() - 1;
      diagnostics.error(
          OUT_OF_RANGE,
          node.span(),
          "\"arg" + node.index() + "\" does not travel in a register",
          "functions on "
              + architecture().canonicalName()
              + " take "
              + registers.size()
              + " arguments in registers, arg0 ("
              + registers.get(0)
              + ") to arg"
              + last
              + " ("
              + registers.get(last)
              + "), and the rest on the stack");
      return Optional.empty();
    }
    return Optional.of(word().printedAs(IntFormat.HEX));
  }

  /** How many there are depends on the tracepoint, and the kernel knows. */
  private Optional<Type> rawArgument(Expr.Argument node) {
    if (node.index() >= MOST_RAW_ARGUMENTS) {
      diagnostics.error(
          OUT_OF_RANGE,
          node.span(),
          "there is no \"arg" + node.index() + "\" in " + point.definition(),
          "a raw tracepoint has " + MOST_RAW_ARGUMENTS + " arguments at most");
      return Optional.empty();
    }
    return Optional.of(IntType.U64.printedAs(IntFormat.HEX));
  }

  /** Returns the types of the probed function, where a probe knows them. */
  Optional<KernelTypes.Function> typedFunction() {
    return AttachPoint.typedFunction(point).flatMap(function -> target.types().function(function));
  }

  /** Returns the types of what a probe has by name, where it knows them. */
  Optional<KernelTypes.Function> namedArguments() {
    return point instanceof AttachPoint.RawTracepoint raw
        ? target.types().rawTracepoint(raw.event())
        : typedFunction();
  }

  private Optional<Type> typedArgument(Expr.Argument node, KernelTypes.Function function) {
    List<KernelTypes.Parameter> parameters = function.parameters();
    if (node.index() >= parameters.size()) {
      diagnostics.error(
          OUT_OF_RANGE,
          node.span(),
          "there is no \"arg" + node.index() + "\" in " + point.definition(),
          "the function takes "
              + (parameters.isEmpty()
                  ? "no arguments"
                  : String.join(
                      ", ", parameters.stream().map(KernelTypes.Parameter::name).toList())));
      return Optional.empty();
    }
    return passed(parameters.get(node.index()).type(), node, "this argument");
  }

  /** Returns a type if its values travel in a register. */
  Optional<Type> passed(Type type, Expr expr, String role) {
    if (!type.isScalar()) {
      diagnostics.error(
          TYPE_MISMATCH, expr.span(), role + " is " + article(type) + ", and in no register");
      return Optional.empty();
    }
    return Optional.of(type);
  }

  @Override
  public Optional<Type> visit(Expr.MapRead node) {
    MapRef map = node.map();
    symbols.mention(map.name());
    applyKeys(map);
    Optional<MapContent> content = symbols.content(map.name());
    if (content.isEmpty() && symbols.isObscure(map.name())) {
      return unknown();
    }
    if (content.isEmpty()) {
      untyped++;
      diagnostics.error(
          UNTYPED_MAP,
          node.span(),
          symbols.isStored(map.name())
              ? "map \"" + map.name() + "\" has no type: what is stored in it comes from itself"
              : "nothing is ever stored in map \"" + map.name() + "\", so it has no type");
      return Optional.empty();
    }
    if (!(content.get() instanceof Plain)) {
      diagnostics.error(
          MISPLACED_AGGREGATION,
          node.span(),
          "\""
              + map.name()
              + "\" aggregates on each CPU by itself and has no single value inside a probe",
          "print(" + map.name() + ") shows the whole map");
      return Optional.empty();
    }
    return content.map(MapContent::type);
  }

  @Override
  public Optional<Type> visit(Expr.Member node) {
    return apply(node.base()).flatMap(base -> members.apply(node, base));
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
    node.maps().forEach(symbols::obscure);
    return unknown();
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
          : elements.pointedTo(node, operand.get());
    }
    Optional<IntType> integer =
        integer(operand.get(), node.operand(), "the operand of \"" + node.op().symbol() + "\"");
    return node.op() == UnaryOp.NOT
        ? integer.map(unused -> BOOLEAN)
        : integer.map(Conversions::promote);
  }

  @Override
  public Optional<Type> visit(Expr.Binary node) {
    int complaints = complaints();
    Optional<Type> left = apply(node.left());
    Optional<Type> right = apply(node.right());
    if (symbols.isGuessing() && complaints() == complaints) {
      Optional<Type> known = left.or(() -> right);
      return binary(node, known, right.or(() -> left));
    }
    return binary(node, left, right);
  }

  private Optional<Type> binary(Expr.Binary node, Optional<Type> left, Optional<Type> right) {
    if (left.isEmpty() || right.isEmpty()) {
      return Optional.empty();
    }
    BinaryOp op = node.op();
    if ((op == BinaryOp.DIV || op == BinaryOp.MOD) && isZero(node.right())) {
      diagnostics.error(
          OUT_OF_RANGE,
          node.right().span(),
          "division by zero",
          "what is zero only when the probe fires does no harm: x / 0 is 0 then");
      return Optional.empty();
    }
    if ((op == BinaryOp.EQ || op == BinaryOp.NE) && isText(left.get()) && isText(right.get())) {
      return Optional.of(BOOLEAN);
    }
    Optional<IntType> a =
        integer(
            left.get(),
            node.left(),
            "the left side of \"" + op.symbol() + "\"",
            textHint(left.get()));
    Optional<IntType> b =
        integer(
            right.get(),
            node.right(),
            "the right side of \"" + op.symbol() + "\"",
            textHint(right.get()));
    if (a.isEmpty() || b.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (op.kind()) {
          case LOGICAL, COMPARISON -> BOOLEAN;
          case ARITHMETIC -> Conversions.common(a.get(), b.get());
          case SHIFT -> Conversions.promote(a.get());
        });
  }

  private static boolean isZero(Expr expr) {
    return expr instanceof Expr.IntLiteral literal
        ? literal.value() == 0
        : expr instanceof Expr.Unary minus
            && minus.op() == UnaryOp.NEGATE
            && isZero(minus.operand());
  }

  @Override
  public Optional<Type> visit(Expr.Call node) {
    return calls.apply(node);
  }

  /** Returns the integer type a scalar computes as, or complains in the name of its role. */
  Optional<IntType> integer(Type type, Expr expr, String role, String... hints) {
    Optional<IntType> integer =
        isContextAddress(type) ? Optional.empty() : Conversions.asInteger(type);
    if (integer.isEmpty()) {
      String what = type instanceof VoidType ? "this has no value" : "this is " + article(type);
      diagnostics.error(TYPE_MISMATCH, expr.span(), role + " must be a number, " + what, hints);
    }
    return integer;
  }

  static String[] textHint(Type type) {
    return isText(type)
        ? new String[] {"compare texts with strcmp(a, b) or a == \"b\""}
        : new String[0];
  }

  /** The kernel does not let programs compute with the address of their context. */
  private static boolean isContextAddress(Type type) {
    return type instanceof PointerType pointer && pointer.space() == AddressSpace.CONTEXT;
  }

  static String article(Type type) {
    return (type.name().matches("s(8|16|32|64).*") ? "an " : "a ") + type.name();
  }

  /** Returns the processor that the script is compiled for. */
  Architecture architecture() {
    return target.architecture();
  }

  /** Returns the type of a machine register. */
  IntType word() {
    return IntType.of(architecture().wordSize(), Signedness.UNSIGNED);
  }

  static boolean isText(Type type) {
    return type instanceof ArrayType array && array.isText();
  }

  private static String otherKeys(List<Type> known, List<Type> here) {
    if (known.isEmpty()) {
      return "no keys, here it has keys (" + names(here) + ")";
    }
    return "keys ("
        + names(known)
        + (here.isEmpty() ? "), here it has none" : "), here they are (" + names(here) + ")");
  }

  private static String names(List<Type> types) {
    return String.join(", ", types.stream().map(Type::name).toList());
  }
}
