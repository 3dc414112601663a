package dev.ply.bpf.reference;

import static dev.ply.bpf.reference.ByteStrings.compare;
import static dev.ply.bpf.reference.ByteStrings.encode;
import static dev.ply.bpf.reference.ByteStrings.padded;
import static dev.ply.bpf.reference.DatumConversions.bits;
import static dev.ply.bpf.reference.DatumConversions.converted;
import static dev.ply.bpf.reference.DatumConversions.integer;
import static dev.ply.bpf.reference.DatumConversions.isEqual;
import static dev.ply.bpf.reference.DatumConversions.resized;
import static dev.ply.bpf.reference.DatumConversions.scalar;
import static dev.ply.bpf.reference.DatumConversions.zero;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.struct.NamedType;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.TypeArray;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeOf;
import dev.ply.ir.TypeReference;
import dev.ply.ir.UnaryOp;
import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.type.Conversions;
import dev.ply.type.Dialect;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.EncodedString;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.TupleType;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the expressions of a clause are worth at one moment: numbers, strings, structures.
 *
 * <p>Strings are all bytes of their type, a char each, with NULs to its end, as they are in {@link
 * Datum.Text}.
 */
final class ExpressionEvaluator {
  private final KernelTypes types;
  private final Dialect dialect;
  private final AnalyzedClause clause;
  private final Moment moment;
  private final Map<String, MapState> maps;
  private final VariableValues variables;
  private final NamedType named;
  private final ClauseContext context;
  private final NumberCalls numbers;
  private final StringCalls strings;
  private final EncodedStrings encodings;
  private final boolean isLittleEndian;
  private Consumer<Statement> statements = unused -> {};

  ExpressionEvaluator(
      Target target,
      Dialect dialect,
      AnalyzedClause clause,
      Moment moment,
      Map<String, MapState> maps,
      VariableValues variables) {
    this.dialect = dialect;
    this.variables = variables;
    this.named = new NamedType(target);
    this.types = target.types();
    this.clause = clause;
    this.moment = moment;
    this.maps = maps;
    this.isLittleEndian = target.architecture().byteOrder() == ByteOrder.LITTLE_ENDIAN;
    this.context = new ClauseContext(target.architecture(), clause, moment);
    this.numbers = new NumberCalls(this, target, clause, moment, context);
    this.encodings = new EncodedStrings(target);
    this.strings = new StringCalls(this, clause, moment, context, encodings);
  }

  /** Returns the time at which the clause runs, in ns since boot. */
  long nanos() {
    return moment.nanos();
  }

  /** Returns the types that integers are computed in. */
  Dialect dialect() {
    return dialect;
  }

  /** Returns the value in its own type. */
  Datum datum(Expr expr) {
    return datum(expr, clause.typeOf(expr));
  }

  /** Returns the value as a type that has room for it holds it. */
  Datum datum(Expr expr, Type type) {
    if (expr instanceof Expr.Block block) {
      return inBlock(block, value -> datum(value, type));
    }
    if (type.isScalar()) {
      return scalar(number(expr).as(Conversions.asInteger(type).orElseThrow()), type);
    }
    if (type instanceof EncodedString string) {
      return encoded(expr, string);
    }
    if (type instanceof TupleType tuple) {
      return converted(tuple(expr), tuple);
    }
    return type instanceof StructType struct ? context.struct(struct) : resized(stored(expr), type);
  }

  /** Returns a string as its own type holds it. */
  Datum.Text stored(Expr expr) {
    Type type = clause.typeOf(expr);
    if (expr instanceof Expr.Block block) {
      return inBlock(block, this::stored);
    }
    if (expr instanceof Expr.MapRead read) {
      return state(read.map())
          .get(key(read.map()))
          .map(Datum.Text.class::cast)
          .orElseGet(() -> (Datum.Text) zero(type));
    }
    if (expr instanceof Expr.VariableRead read) {
      return (Datum.Text) variables.get(read.name());
    }
    if (expr instanceof Expr.Conditional choice) {
      return resized(stored(chosen(choice)), type);
    }
    if (isComponent(expr)) {
      return (Datum.Text) component((Expr.Member) expr);
    }
    boolean isCut = expr instanceof Expr.Call call && strings.isCut(call, type.size());
    return new Datum.Text(padded(text(expr), type.size()), isCut);
  }

  private Expr chosen(Expr.Conditional choice) {
    return number(choice.condition()).isTrue() ? choice.then().orElseThrow() : choice.otherwise();
  }

  /** Returns what an encoded string decodes to; a missing entry of a map is all zeroes. */
  private Datum encoded(Expr expr, EncodedString type) {
    if (expr instanceof Expr.MapRead read) {
      return state(read.map())
          .get(key(read.map()))
          .orElseGet(() -> encodings.of(type.encoding(), List.of()));
    }
    if (expr instanceof Expr.VariableRead read) {
      return variables.get(read.name());
    }
    if (expr instanceof Expr.Conditional choice) {
      return encoded(chosen(choice), type);
    }
    return strings.encoded((Expr.Call) expr, type);
  }

  long bits64(Expr expr) {
    return number(expr).as(64, false).value().longValue();
  }

  private Datum.Tuple tuple(Expr expr) {
    TupleType type = (TupleType) clause.typeOf(expr);
    if (expr instanceof Expr.Block block) {
      return inBlock(block, this::tuple);
    }
    if (expr instanceof Expr.Tuple written) {
      List<Datum> elements = new ArrayList<>();
      for (int i = 0; i < written.elements().size(); i++) {
        elements.add(datum(written.elements().get(i), type.elements().get(i)));
      }
      return new Datum.Tuple(elements);
    }
    if (expr instanceof Expr.MapRead read) {
      return (Datum.Tuple) state(read.map()).get(key(read.map())).orElseGet(() -> zero(type));
    }
    if (expr instanceof Expr.VariableRead read) {
      return (Datum.Tuple) variables.get(read.name());
    }
    if (expr instanceof Expr.Conditional choice) {
      return tuple(chosen(choice));
    }
    return (Datum.Tuple) component((Expr.Member) expr);
  }

  private boolean isComponent(Expr expr) {
    return expr instanceof Expr.Member member && clause.typeOf(member.base()) instanceof TupleType;
  }

  private Datum component(Expr.Member node) {
    return tuple(node.base()).elements().get(Integer.parseInt(node.name()));
  }

  /** Returns the key that an entry of a map is stored under. */
  Key key(MapRef map) {
    List<Type> types = state(map).symbol().keys();
    if (map.keys().size() == 1 && clause.typeOf(map.keys().get(0)) instanceof TupleType) {
      Datum.Tuple key = (Datum.Tuple) converted(tuple(map.keys().get(0)), TupleType.of(types));
      return new Key(key.elements());
    }
    List<Datum> parts = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      parts.add(datum(map.keys().get(i), types.get(i)));
    }
    return new Key(parts);
  }

  MapState state(MapRef map) {
    MapState state = maps.get(map.name());
    if (state == null) {
      throw new IllegalArgumentException("nothing is ever stored in map " + map.name());
    }
    return state;
  }

  /** Returns the variable whose address an expression takes and reads. */
  private static Optional<Expr> pointedTo(Expr expr) {
    return expr instanceof Expr.Unary pointed
            && pointed.op() == UnaryOp.DEREFERENCE
            && pointed.operand() instanceof Expr.Unary address
            && address.op() == UnaryOp.ADDRESS_OF
        ? Optional.of(address.operand())
        : Optional.empty();
  }

  /** Returns the number that an expression is, in the type that the analyser says it has. */
  CInteger number(Expr expr) {
    CInteger number = evaluate(expr);
    IntType type = Conversions.asInteger(clause.typeOf(expr)).orElseThrow();
    if (number.bits() != type.bytes() * 8 || number.signed() != type.isSigned()) {
      throw new IllegalStateException(
          "analysed as " + type.name() + ", but " + number + ": " + IrPrinter.print(expr));
    }
    return number;
  }

  private Type type(TypeReference reference) {
    if (reference instanceof TypeArray array) {
      return new ArrayType(type(array.element()), array.length().orElse(0));
    }
    return reference instanceof TypeOf typeOf
        ? NamedType.pointer(clause.typeOf(typeOf.operand()), typeOf.pointers())
        : named.find((TypeName) reference).orElseThrow();
  }

  /** Says what runs the statements of blocks with a value. */
  void setStatements(Consumer<Statement> statements) {
    this.statements = statements;
  }

  private <T> T inBlock(Expr.Block block, Function<Expr, T> value) {
    variables.open();
    block.statements().statements().forEach(statements);
    T result = value.apply(block.value());
    variables.close();
    return result;
  }

  private CInteger evaluate(Expr expr) {
    if (expr instanceof Expr.IntLiteral literal) {
      return CInteger.constant(literal.value());
    }
    if (expr instanceof Expr.NamedConstant enumerator) {
      long value = types.enumerator(enumerator.name()).orElseThrow();
      boolean isNegativeInt = value < 0 && value >= Integer.MIN_VALUE;
      return isNegativeInt ? CInteger.of(value, IntType.S32) : CInteger.constant(value);
    }
    if (pointedTo(expr).isPresent()) {
      return number(pointedTo(expr).get());
    }
    if (expr instanceof Expr.Unary unary && isLeast(unary)) {
      return CInteger.of(Long.MIN_VALUE, IntType.S64);
    }
    if (expr instanceof Expr.Unary unary) {
      return number(unary.operand()).unary(unary.op(), dialect);
    }
    if (expr instanceof Expr.Binary binary) {
      return binary(binary);
    }
    if (expr instanceof Expr.MapRead read) {
      return mapRead(read);
    }
    if (expr instanceof Expr.VariableRead read) {
      return CInteger.of(bits(variables.get(read.name())), integer(clause.typeOf(read)));
    }
    if (expr instanceof Expr.Conditional choice) {
      return choose(choice).as(integer(clause.typeOf(choice)));
    }
    if (expr instanceof Expr.Cast cast && clause.typeOf(cast.operand()).isText()) {
      return CInteger.of(text(cast.operand()).isEmpty() ? 0 : 1, integer(clause.typeOf(cast)));
    }
    if (expr instanceof Expr.Cast cast && clause.typeOf(cast.operand()) instanceof ArrayType) {
      byte[] bytes = text(cast.operand()).getBytes(StandardCharsets.ISO_8859_1);
      long value = 0;
      for (int i = 0; i < bytes.length; i++) {
        value = value << 8 | (bytes[isLittleEndian ? bytes.length - 1 - i : i] & 0xff);
      }
      return CInteger.of(value, integer(clause.typeOf(cast)));
    }
    if (expr instanceof Expr.Cast cast) {
      IntType type = integer(clause.typeOf(cast));
      return type.isTruth()
          ? CInteger.of(number(cast.operand()).value().signum() == 0 ? 0 : 1, type)
          : number(cast.operand()).as(type);
    }
    if (expr instanceof Expr.SizeOf size) {
      return CInteger.of(clause.typeOf(size.operand()).size(), IntType.U64);
    }
    if (expr instanceof Expr.SizeOfType size) {
      return CInteger.of(type(size.type()).size(), IntType.U64);
    }
    if (expr instanceof Expr.OffsetOf offset) {
      return CInteger.of(
          named.offset(type(offset.type()), offset.path()).orElseThrow(), IntType.U64);
    }
    if (expr instanceof Expr.Step step) {
      return step(step);
    }
    if (expr instanceof Expr.Block block) {
      return inBlock(block, this::number);
    }
    IntType type = Conversions.asInteger(clause.typeOf(expr)).orElseThrow();
    if (expr instanceof Expr.Argument argument) {
      return CInteger.of(context.argument(argument.index()), type);
    }
    if (isComponent(expr)) {
      return CInteger.of(bits(component((Expr.Member) expr)), type);
    }
    if (expr instanceof Expr.Member member) {
      return CInteger.of(context.member(member), type);
    }
    if (expr instanceof Expr.Element element) {
      return CInteger.of(element(element), type);
    }
    if (expr instanceof Expr.Call call) {
      return numbers.number(call, type);
    }
    throw new IllegalArgumentException("no number: " + IrPrinter.print(expr));
  }

  private CInteger choose(Expr.Conditional choice) {
    CInteger condition = number(choice.condition());
    if (!condition.isTrue()) {
      return number(choice.otherwise());
    }
    return choice.then().map(this::number).orElse(condition);
  }

  private CInteger step(Expr.Step step) {
    IntType type = integer(clause.typeOf(step));
    CInteger old = number(step.target());
    CInteger changed =
        CInteger.of(
            old.value().longValue() + (long) step.op().amount() * step(step.target()), type);
    if (step.target() instanceof Expr.MapRead read) {
      MapState map = state(read.map());
      map.put(key(read.map()), scalar(changed, map.symbol().content().type()));
    } else {
      variables.set(((Expr.VariableRead) step.target()).name(), scalar(changed, type));
    }
    return step.op().isPrefix() ? changed : old;
  }

  private CInteger binary(Expr.Binary node) {
    if (clause.typeOf(node.left()) instanceof TupleType left) {
      Type both = Conversions.unify(left, clause.typeOf(node.right())).orElseThrow();
      boolean equal =
          isEqual(converted(tuple(node.left()), both), converted(tuple(node.right()), both));
      return CInteger.truth(equal == (node.op() == BinaryOp.EQ));
    }
    if (clause.typeOf(node.left()) instanceof ArrayType) {
      boolean equal = compare(text(node.left()), text(node.right())) == 0;
      return CInteger.truth(equal == (node.op() == BinaryOp.EQ));
    }
    CInteger left = bytes(node, node.left());
    CInteger right = bytes(node, node.right());
    return left.binary(node.op(), right, dialect);
  }

  /** A number that is added to a pointer counts what it points to. */
  private CInteger bytes(Expr.Binary node, Expr operand) {
    CInteger number = number(operand);
    return clause.typeOf(node) instanceof PointerType && !isPointer(operand)
        ? CInteger.of(number.as(64, false).value().longValue() * step(node), IntType.U64)
        : number;
  }

  private boolean isPointer(Expr expr) {
    return clause.typeOf(expr) instanceof PointerType;
  }

  /** Returns the bytes that a pointer moves by for each. */
  private int step(Expr expr) {
    return clause.typeOf(expr) instanceof PointerType pointer ? pointer.target().size() : 1;
  }

  /** Returns what a map holds of a type. */
  CInteger entry(MapRef map, IntType type) {
    return CInteger.of(state(map).get(key(map)).map(DatumConversions::bits).orElse(0L), type);
  }

  /** What a map does not hold reads as zero. */
  private CInteger mapRead(Expr.MapRead read) {
    IntType type = Conversions.asInteger(clause.typeOf(read)).orElseThrow();
    Optional<Datum> found = state(read.map()).get(key(read.map()));
    return CInteger.of(found.map(DatumConversions::bits).orElse(0L), type);
  }

  /** Of the arrays that records have, those of characters are known: strings and NULs. */
  private long element(Expr.Element node) {
    String text = padded(text(node.base()), clause.typeOf(node.base()).size());
    return text.charAt((int) ((Expr.IntLiteral) node.index()).value());
  }

  /** Returns the bytes of a string, without those after it that its type has room for. */
  String text(Expr expr) {
    int size = clause.typeOf(expr).size();
    if (pointedTo(expr).isPresent()) {
      return text(pointedTo(expr).get());
    }
    if (expr instanceof Expr.StringLiteral literal) {
      return encode(literal.value());
    }
    if (expr instanceof Expr.MapRead
        || expr instanceof Expr.VariableRead
        || expr instanceof Expr.Conditional
        || isComponent(expr)) {
      return stored(expr).bytes();
    }
    if (expr instanceof Expr.Member member) {
      return context.fieldText(member.name());
    }
    if (expr instanceof Expr.Call call) {
      return strings.text(call, size);
    }
    throw new IllegalArgumentException("no text: " + IrPrinter.print(expr));
  }

  /** The least number is a sign before a literal that no signed number of 64 bits has. */
  private static boolean isLeast(Expr.Unary node) {
    return node.op() == UnaryOp.NEGATE
        && node.operand() instanceof Expr.IntLiteral literal
        && literal.value() == Long.MIN_VALUE;
  }
}
