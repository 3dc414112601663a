package dev.ply.bpf.reference;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.NamedType;
import dev.ply.bpf.simulate.Firing;
import dev.ply.builtin.MemoryBuiltins;
import dev.ply.builtin.ThreadBuiltins;
import dev.ply.builtin.TypeBuiltins;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.KernelProbe;
import dev.ply.ir.MapRef;
import dev.ply.ir.Provider;
import dev.ply.ir.Statement;
import dev.ply.ir.TypeArray;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeOf;
import dev.ply.ir.TypeReference;
import dev.ply.ir.UnaryOp;
import dev.ply.result.Datum;
import dev.ply.result.Key;
import dev.ply.target.Architecture;
import dev.ply.target.KernelTypes;
import dev.ply.target.PidNamespace;
import dev.ply.target.PidScope;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.AddressSpace;
import dev.ply.type.BytePattern;
import dev.ply.type.Conversions;
import dev.ply.type.Dialect;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.StructField;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.EncodedString;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.TupleType;
import dev.ply.type.Type.VoidType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the expressions of a clause are worth at one moment: numbers, texts, structures.
 *
 * <p>Texts are all bytes of their type, a char each, NULs behind them; so they are in {@link
 * Datum.Text}.
 */
final class ExpressionEvaluator {
  /** What the kernel answers where a thread has no stack in the kernel: -EFAULT. */
  private static final int NO_STACK = -14;

  /** Of the simulated machine: 250 Hz. */
  private static final long NANOS_PER_TICK = 4_000_000;

  private static final int COMM_BYTES = 15;

  private final Architecture architecture;
  private final KernelTypes types;
  private final int cpus;
  private final Optional<PidNamespace> pidNamespace;
  private final Dialect dialect;
  private final AnalyzedClause clause;
  private final Moment moment;
  private final Map<String, MapState> maps;
  private final VariableValues variables;
  private final NamedType named;
  private final EncodedStrings encodings;
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
    this.encodings = new EncodedStrings(target);
    this.architecture = target.architecture();
    this.types = target.types();
    this.cpus = target.cpus();
    this.pidNamespace = target.pidNamespace();
    this.clause = clause;
    this.moment = moment;
    this.maps = maps;
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
    return type instanceof StructType struct ? struct(struct) : resized(stored(expr), type);
  }

  /** Returns a string as a type holds it: only one of its own size tells that it was cut. */
  private static Datum.Text resized(Datum.Text text, Type type) {
    int size = type.size();
    return new Datum.Text(
        padded(text.bytes(), size), text.isCut() && text.bytes().length() == size);
  }

  /** Returns a string as its own type holds it. */
  private Datum.Text stored(Expr expr) {
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
    boolean isCut = expr instanceof Expr.Call call && isCut(call, type.size());
    return new Datum.Text(padded(text(expr), type.size()), isCut);
  }

  private Expr chosen(Expr.Conditional choice) {
    return number(choice.condition()).isTrue() ? choice.then().orElseThrow() : choice.otherwise();
  }

  /** Returns whether a string is longer where it is read. */
  private boolean isCut(Expr.Call call, int size) {
    if (!((ArrayType) clause.typeOf(call)).marksCut()) {
      return false;
    }
    Expr source = call.arguments().get(0);
    if (clause.typeOf(source).isText()) {
      Datum.Text text = stored(source);
      int length = beforeNul(text.bytes()).length();
      return length > size - 1 || (length == size - 1 && text.isCut());
    }
    // The last byte may be one that cannot be read.
    return string(call, size).length() == size - 1 && byteAt(call, size - 1) > 0;
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
      return encoded(
          number(choice.condition()).isTrue() ? choice.then().orElseThrow() : choice.otherwise(),
          type);
    }
    Expr.Call call = (Expr.Call) expr;
    return switch (call.function().canonicalName()) {
      case "strftime" -> encodings.of(type.encoding(), List.of(bits64(call.arguments().get(1))));
      case "username" -> encodings.of(type.encoding(), List.of((long) moment.who().uid()));
      case "strerror", "signal_name", "syscall_name", "comm_of" ->
          encodings.of(type.encoding(), List.of(bits64(call.arguments().get(0))));
      case "buf" -> buffer(call, ((Encoding.Buffer) type.encoding()).capacity());
      case "ntop" -> {
        boolean hasFamily = call.arguments().size() == 2;
        long family = hasFamily ? bits64(call.arguments().get(0)) : Encoding.InternetAddress.IPV4;
        long address = bits64(call.arguments().get(hasFamily ? 1 : 0));
        yield encodings.of(type.encoding(), List.of(family, address));
      }
      default -> throw new IllegalArgumentException(call.function() + " is no encoded string");
    };
  }

  /** An array is known as a text; what cannot be read is all zeroes. */
  private Datum.Bytes buffer(Expr.Call call, int capacity) {
    Expr source = call.arguments().get(0);
    int length = length(call, capacity);
    String bytes =
        clause.typeOf(source).isScalar() ? memory(call, length) : cut(text(source), length);
    return new Datum.Bytes(padded(bytes, length));
  }

  /** Returns how many bytes a call reads, of those it has room for. */
  private int length(Expr.Call call, int most) {
    if (call.arguments().size() < 2) {
      return most;
    }
    CInteger size = number(call.arguments().get(1));
    if (size.signed() && size.value().signum() < 0) {
      return 0;
    }
    return Long.compareUnsigned(bits64(call.arguments().get(1)), most) > 0
        ? most
        : (int) bits64(call.arguments().get(1));
  }

  private long bits64(Expr expr) {
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
      return tuple(
          number(choice.condition()).isTrue() ? choice.then().orElseThrow() : choice.otherwise());
    }
    return (Datum.Tuple) component((Expr.Member) expr);
  }

  private boolean isComponent(Expr expr) {
    return expr instanceof Expr.Member member && clause.typeOf(member.base()) instanceof TupleType;
  }

  private Datum component(Expr.Member node) {
    return tuple(node.base()).elements().get(Integer.parseInt(node.name()));
  }

  private static Datum converted(Datum value, Type type) {
    if (type instanceof TupleType tuple) {
      List<Datum> elements = new ArrayList<>();
      for (int i = 0; i < tuple.elements().size(); i++) {
        elements.add(converted(((Datum.Tuple) value).elements().get(i), tuple.elements().get(i)));
      }
      return new Datum.Tuple(elements);
    }
    return type.isScalar()
        ? scalar(CInteger.of(bits(value), integer(type)), type)
        : resized((Datum.Text) value, type);
  }

  /** Returns what a variable or an entry of a type has before it is set. */
  static Datum zero(Type type) {
    if (type instanceof TupleType tuple) {
      return new Datum.Tuple(tuple.elements().stream().map(ExpressionEvaluator::zero).toList());
    }
    return type.isScalar()
        ? scalar(CInteger.of(0, integer(type)), type)
        : new Datum.Text("\0".repeat(type.size()));
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

  private MapState state(MapRef map) {
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
      boolean isLittle = architecture.byteOrder() == java.nio.ByteOrder.LITTLE_ENDIAN;
      for (int i = 0; i < bytes.length; i++) {
        value = value << 8 | (bytes[isLittle ? bytes.length - 1 - i : i] & 0xff);
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
      return CInteger.of(argument(argument.index()), type);
    }
    if (isComponent(expr)) {
      return CInteger.of(bits(component((Expr.Member) expr)), type);
    }
    if (expr instanceof Expr.Member member) {
      return CInteger.of(member(member), type);
    }
    if (expr instanceof Expr.Element element) {
      return CInteger.of(element(element), type);
    }
    if (expr instanceof Expr.Call call) {
      return call(call, type);
    }
    throw new IllegalArgumentException("no number: " + IrPrinter.print(expr));
  }

  private static IntType integer(Type type) {
    return Conversions.asInteger(type).orElseThrow();
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
      boolean equal = compare(node.left(), node.right()) == 0;
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

  private static boolean isEqual(Datum left, Datum right) {
    if (left instanceof Datum.Tuple a && right instanceof Datum.Tuple b) {
      for (int i = 0; i < a.elements().size(); i++) {
        if (!isEqual(a.elements().get(i), b.elements().get(i))) {
          return false;
        }
      }
      return true;
    }
    return (left instanceof Datum.Text a && right instanceof Datum.Text b)
        ? beforeNul(a.bytes()).equals(beforeNul(b.bytes()))
        : bits(left) == bits(right);
  }

  /** Returns what a map holds of a type. */
  CInteger entry(MapRef map, IntType type) {
    return CInteger.of(state(map).get(key(map)).map(ExpressionEvaluator::bits).orElse(0L), type);
  }

  /** What a map does not hold reads as zero. */
  private CInteger mapRead(Expr.MapRead read) {
    IntType type = Conversions.asInteger(clause.typeOf(read)).orElseThrow();
    Optional<Datum> found = state(read.map()).get(key(read.map()));
    return CInteger.of(found.map(ExpressionEvaluator::bits).orElse(0L), type);
  }

  private static long bits(Datum datum) {
    return datum instanceof Datum.Address address ? address.value() : ((Datum.Int) datum).value();
  }

  private CInteger call(Expr.Call call, IntType type) {
    Firing.Circumstances who = moment.who();
    return switch (call.function().canonicalName()) {
      case "pid" -> CInteger.of(ids(call).map(PidNamespace.Ids::pid).orElse(who.pid()), type);
      case "kpid" -> CInteger.of(ids(call).map(PidNamespace.Ids::tid).orElse(who.tid()), type);
      case "uid" -> CInteger.of(who.uid(), type);
      case "gid" -> CInteger.of(who.gid(), type);
      case "curtask" -> CInteger.of(who.task(), type);
      case "numaid" -> CInteger.of(0, type);
      case "ncpus" -> CInteger.of(cpus, type);
      case "usermode" -> CInteger.of(isUserMode() ? 1 : 0, type);
      case "jiffies" -> CInteger.of(moment.nanos() / NANOS_PER_TICK, type);
      case "cgroup" -> CInteger.of(who.cgroup(), type);
      case "cpu" -> CInteger.of(who.cpu(), type);
      case "time", "walltime", "nsecs" -> CInteger.of(moment.nanos(), type);
      case "retval" -> CInteger.of(register(architecture.returnValueOffset()), type);
      case "caller" -> CInteger.of(register(architecture.programCounterOffset()), type);
      case "stack" -> stack(moment.who().stack(), type);
      case "ustack" -> stack(moment.who().userStack(), type);
      case "cgroup_path" -> number(call.arguments().get(0)).as(type);
      case "uptr", "kptr", "anyptr", "ksym" -> number(call.arguments().get(0));
      case "bswap" ->
          CInteger.of(
              Long.reverseBytes(bits64(call.arguments().get(0))) >>> (64 - 8 * type.bytes()), type);
      case "strcmp" ->
          CInteger.of(
              Integer.signum(compare(call.arguments().get(0), call.arguments().get(1))), type);
      case "has_key" -> {
        MapRef entry = ((Expr.MapRead) call.arguments().get(0)).map();
        yield CInteger.of(state(entry).get(key(entry)).isPresent() ? 1 : 0, type);
      }
      case "delete" -> {
        MapRef entry = ((Expr.MapRead) call.arguments().get(0)).map();
        boolean was = state(entry).get(key(entry)).isPresent();
        state(entry).remove(key(entry));
        yield CInteger.of(was ? 1 : 0, type);
      }
      case "len" ->
          CInteger.of(state(((Expr.MapRead) call.arguments().get(0)).map()).keys().size(), type);
      case "is_str", "is_ptr", "is_array", "is_integer", "is_unsigned_integer", "is_literal" -> {
        Expr argument = call.arguments().get(0);
        boolean holds =
            ((TypeBuiltins.Predicate) call.function()).holds(argument, clause.typeOf(argument));
        yield CInteger.of(holds ? 1 : 0, type);
      }
      case "strcontains" -> CInteger.of(indexOf(call) >= 0 ? 1 : 0, type);
      case "strstr" -> CInteger.of(indexOf(call), type);
      case "strglob" -> {
        String pattern = ((Expr.StringLiteral) call.arguments().get(1)).value();
        byte[] bytes = TextBytes.encode(beforeNul(text(call.arguments().get(0))));
        yield CInteger.of(BytePattern.of(pattern).matches(bytes) ? 1 : 0, type);
      }
      case "strlen" -> CInteger.of(beforeNul(text(call.arguments().get(0))).length(), type);
      case "memcmp" -> CInteger.of(compareBytes(call.arguments()), type);
      case "strncmp" -> CInteger.of(comparePrefix(call.arguments()) ? 0 : 1, type);
      case "ctx", "data", "regs", "func_ip", "probe", "kaddr", "uaddr", "cgroupid" ->
          throw new IllegalArgumentException(
              "nobody knows where the kernel has its context: " + IrPrinter.print(call));
      default -> throw new IllegalArgumentException(call.function() + " is no number");
    };
  }

  private boolean isUserMode() {
    return switch (clause.clause().point().provider().orElse(Provider.BEGIN)) {
      case UPROBE, URETPROBE, USDT, BEGIN, END -> true;
      case PROFILE, INTERVAL, SOFTWARE, HARDWARE ->
          moment.firing().isPresent()
              && (architecture
                          .register("cs")
                          .flatMap(architecture::registerOffset)
                          .map(this::register)
                          .orElse(0L)
                      & 3)
                  != 0;
      default -> false;
    };
  }

  /** Returns the IDs in the tracer's PID namespace, if it is these that are meant. */
  private Optional<PidNamespace.Ids> ids(Expr.Call call) {
    return ThreadBuiltins.scope(call) == PidScope.INIT
        ? Optional.empty()
        : pidNamespace.map(moment.who()::idsFor);
  }

  private static CInteger stack(List<Long> stack, IntType type) {
    if (!stack.isEmpty()) {
      throw new IllegalArgumentException("a stack's number is the kernel's choice");
    }
    return CInteger.of(NO_STACK, type);
  }

  private Firing firing() {
    return moment.firing().orElseThrow(() -> new IllegalArgumentException("nothing happened"));
  }

  private long argument(int index) {
    return register(architecture.argumentOffset(index).orElseThrow());
  }

  /** A register may be known by its name, as an argument, or as what the function returns. */
  private long register(int offset) {
    Firing firing = firing();
    if (firing.point() instanceof KernelProbe.Kretprobe
        && offset == architecture.returnValueOffset()) {
      return firing.returned();
    }
    for (Map.Entry<String, Long> named : firing.registers().entrySet()) {
      if (architecture.registerOffset(named.getKey()).orElseThrow() == offset) {
        return named.getValue();
      }
    }
    for (Map.Entry<Integer, Long> argument : firing.arguments().entrySet()) {
      if (architecture.argumentOffset(argument.getKey()).orElseThrow() == offset) {
        return argument.getValue();
      }
    }
    return 0;
  }

  private long member(Expr.Member node) {
    return clause.tracepoint().isPresent()
        ? field(clause.tracepoint().get(), node.name())
        : register(architecture.registerOffset(node.name()).orElseThrow());
  }

  /** Of the arrays that records have, those of characters are known: texts and NULs. */
  private long element(Expr.Element node) {
    String text = padded(text(node.base()), clause.typeOf(node.base()).size());
    return text.charAt((int) ((Expr.IntLiteral) node.index()).value());
  }

  /** The kernel keeps to itself what stands in the first eight bytes, but some of it is known. */
  private long field(TracepointFormat format, String name) {
    return switch (name) {
      case "common_type" -> format.id();
      case "common_pid" -> moment.who().tid();
      case "common_flags", "common_preempt_count" -> 0;
      default -> {
        Object value = firing().fields().getOrDefault(name, 0L);
        if (value instanceof String text && isDynamic(format, name)) {
          // Where the data is and how long: behind the record, with its NUL.
          yield (long) bytes(text + "\0").length() << 16 | format.size();
        }
        if (!(value instanceof Long number)) {
          throw new IllegalArgumentException(
              "nobody knows where the text of \"" + name + "\" is: set a number, and Firing.text");
        }
        yield number;
      }
    };
  }

  private static boolean isDynamic(TracepointFormat format, String name) {
    return format.field(name).orElseThrow().type() instanceof IntType type
        && type.format() == IntFormat.DATA_LOCATION;
  }

  private int compare(Expr left, Expr right) {
    byte[] a = beforeNul(text(left)).getBytes(StandardCharsets.ISO_8859_1);
    byte[] b = beforeNul(text(right)).getBytes(StandardCharsets.ISO_8859_1);
    return Arrays.compareUnsigned(a, b);
  }

  private int indexOf(Expr.Call call) {
    String string = beforeNul(text(call.arguments().get(0)));
    return string.indexOf(beforeNul(text(call.arguments().get(1))));
  }

  private boolean comparePrefix(List<Expr> arguments) {
    int length = number(arguments.get(2)).value().intValue();
    String a = beforeNul(text(arguments.get(0)));
    String b = beforeNul(text(arguments.get(1)));
    return cut(a, length).equals(cut(b, length));
  }

  private static String beforeNul(String bytes) {
    int end = bytes.indexOf('\0');
    return end < 0 ? bytes : bytes.substring(0, end);
  }

  private static String padded(String bytes, int size) {
    return bytes + "\0".repeat(size - bytes.length());
  }

  /** Returns the bytes of a text, without those behind it that its type has room for. */
  private String text(Expr expr) {
    int size = clause.typeOf(expr).size();
    if (pointedTo(expr).isPresent()) {
      return text(pointedTo(expr).get());
    }
    if (expr instanceof Expr.StringLiteral literal) {
      return bytes(literal.value());
    }
    if (expr instanceof Expr.MapRead
        || expr instanceof Expr.VariableRead
        || expr instanceof Expr.Conditional
        || isComponent(expr)) {
      return stored(expr).bytes();
    }
    if (expr instanceof Expr.Member member) {
      return bytes((String) firing().fields().getOrDefault(member.name(), ""));
    }
    if (expr instanceof Expr.Call call) {
      return switch (call.function().canonicalName()) {
        case "comm" -> cut(bytes(moment.who().comm()), COMM_BYTES);
        case "str" -> str(call, size);
        case "mem" -> memory(call, size);
        case "dyn" -> dynamic(call, size);
        case "str_concat" ->
            cut(
                beforeNul(text(call.arguments().get(0))) + beforeNul(text(call.arguments().get(1))),
                size - 1);
        default -> throw new IllegalArgumentException(call.function() + " is no text");
      };
    }
    throw new IllegalArgumentException("no text: " + IrPrinter.print(expr));
  }

  private String str(Expr.Call call, int size) {
    Type source = clause.typeOf(call.arguments().get(0));
    if (MemoryBuiltins.isDynamic(source)) {
      return dynamic(call, size);
    }
    return source.isText()
        ? cut(beforeNul(text(call.arguments().get(0))), size - 1)
        : string(call, length(call, size));
  }

  private int compareBytes(List<Expr> arguments) {
    int length = (int) bits64(arguments.get(2));
    String left = cut(stored(arguments.get(0)).bytes(), length);
    return Integer.signum(left.compareTo(cut(stored(arguments.get(1)).bytes(), length)));
  }

  private static String bytes(String text) {
    return new String(TextBytes.encode(text), StandardCharsets.ISO_8859_1);
  }

  private static String cut(String bytes, int length) {
    return bytes.substring(0, Math.min(length, bytes.length()));
  }

  /** A text of a size has room for its NUL; what cannot be read up to there is no text. */
  private String string(Expr.Call call, int size) {
    StringBuilder text = new StringBuilder();
    while (text.length() < size) {
      int next = byteAt(call, text.length());
      if (next <= 0) {
        return next == 0 ? text.toString() : "";
      }
      text.append((char) next);
    }
    return cut(text.toString(), Math.max(0, size - 1));
  }

  private String memory(Expr.Call call, int size) {
    StringBuilder bytes = new StringBuilder();
    while (bytes.length() < size && !hasNoSize(call)) {
      int next = byteAt(call, bytes.length());
      if (next < 0) {
        return "";
      }
      bytes.append((char) next);
    }
    return bytes.toString();
  }

  private static boolean hasNoSize(Expr.Call call) {
    return call.arguments().size() == 2
        && call.arguments().get(1) instanceof Expr.IntLiteral size
        && size.value() == 0;
  }

  /** Data that does not fit is cut, and then ends in a NUL. */
  private String dynamic(Expr.Call call, int size) {
    String name = ((Expr.Member) call.arguments().get(0)).name();
    String data = bytes((String) firing().fields().getOrDefault(name, ""));
    return hasNoSize(call) ? "" : cut(data, data.length() < size ? size : size - 1);
  }

  /** Returns the byte so far behind the call's address, -1 if it cannot be read. */
  private int byteAt(Expr.Call call, int distance) {
    Expr address = call.arguments().get(0);
    AddressSpace space = clause.spaceOf(address);
    Object pointed = pointedText(address);
    if (pointed instanceof String text) {
      return byteOf(text, distance);
    }
    long at = number(address).as(64, false).value().longValue() + distance;
    for (var text : moment.firing().map(Firing::placedTexts).orElse(Map.of()).entrySet()) {
      long offset = at - text.getKey().address();
      if (text.getKey().space() == space && offset >= 0) {
        int found = byteOf(text.getValue(), offset);
        if (found >= 0) {
          return found;
        }
      }
    }
    return -1;
  }

  /** Returns what a firing says that a pointer's field points to, wherever that is. */
  private Object pointedText(Expr address) {
    return address instanceof Expr.Member member && clause.tracepoint().isPresent()
        ? firing().fields().getOrDefault(member.name(), 0L)
        : 0L;
  }

  private static int byteOf(String text, long offset) {
    byte[] bytes = TextBytes.encode(text);
    return offset < bytes.length ? bytes[(int) offset] & 0xff : offset == bytes.length ? 0 : -1;
  }

  /** Returns the whole context. */
  private Datum struct(StructType type) {
    List<Datum> fields = new ArrayList<>();
    for (StructField field : type.fields()) {
      fields.add(clause.tracepoint().isPresent() ? fieldDatum(field) : registerDatum(field));
    }
    return new Datum.Struct(fields, type);
  }

  private Datum registerDatum(StructField field) {
    IntType type = (IntType) field.type();
    return scalar(CInteger.of(register(field.offset()), type), type);
  }

  private Datum fieldDatum(StructField field) {
    TracepointFormat format = clause.tracepoint().orElseThrow();
    if (field.type() instanceof ArrayType array) {
      String text = bytes((String) firing().fields().getOrDefault(field.name(), ""));
      return new Datum.Text(padded(text, array.size()));
    }
    IntType type = Conversions.asInteger(field.type()).orElseThrow();
    return scalar(CInteger.of(field(format, field.name()), type), field.type());
  }

  /** An address without a type is just a number, and prints as one. */
  static Datum scalar(CInteger number, Type type) {
    long bits = number.value().longValue();
    if (type instanceof PointerType pointer) {
      return pointer.target() instanceof VoidType
          ? new Datum.Int(bits, IntType.U64)
          : new Datum.Address(bits, pointer);
    }
    return new Datum.Int(bits, (IntType) type);
  }
}
