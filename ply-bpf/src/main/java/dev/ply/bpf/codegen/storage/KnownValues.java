package dev.ply.bpf.codegen.storage;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.bpf.plan.ProbeNumber;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Effect;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.target.Target;
import dev.ply.type.Conversions;
import dev.ply.type.StructField;
import dev.ply.type.TextBytes;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Values known at a point of a clause: constants, and those implied by enclosing conditions.
 * Immutable.
 */
public final class KnownValues {
  private final PlannedProgram program;
  private final AnalyzedClause clause;
  private final Target target;

  /** The literals that built-in values are known to equal. */
  private final Map<Builtin, Expr> equals;

  private KnownValues(
      PlannedProgram program, AnalyzedClause clause, Target target, Map<Builtin, Expr> equals) {
    this.program = program;
    this.clause = clause;
    this.target = target;
    this.equals = equals;
  }

  /** Returns the values known in the body of a clause. */
  public static KnownValues of(PlannedProgram program, AnalyzedClause clause, Target target) {
    KnownValues nothing = new KnownValues(program, clause, target, new HashMap<>());
    return clause.clause().predicate().map(nothing::where).orElse(nothing);
  }

  /** Returns the values known where a condition holds as well. */
  public KnownValues where(Expr condition) {
    Map<Builtin, Expr> more = new HashMap<>(equals);
    learn(condition, more);
    return more.size() == equals.size() ? this : new KnownValues(program, clause, target, more);
  }

  private void learn(Expr condition, Map<Builtin, Expr> learned) {
    if (condition instanceof Expr.Binary node && node.op() == BinaryOp.LOGICAL_AND) {
      learn(node.left(), learned);
      learn(node.right(), learned);
    } else if (condition instanceof Expr.Binary node && node.op() == BinaryOp.EQ) {
      learn(node.left(), node.right(), learned);
      learn(node.right(), node.left(), learned);
    }
  }

  private void learn(Expr value, Expr constant, Map<Builtin, Expr> learned) {
    if (!(value instanceof Expr.Call call
        && call.arguments().isEmpty()
        && Builtin.of(call).effect() == Effect.INVARIANT)) {
      return;
    }
    boolean isKnown =
        clause.typeOf(value).isScalar()
            ? number(constant).isPresent()
            : constant instanceof Expr.StringLiteral text && isName(text, value);
    if (isKnown) {
      learned.putIfAbsent(Builtin.of(call), constant);
    }
  }

  /** Returns whether an expression can equal a string in all its bytes. */
  private boolean isName(Expr.StringLiteral text, Expr value) {
    return text.value().indexOf('\0') < 0
        && TextBytes.encode(text.value()).length < clause.typeOf(value).size();
  }

  /** Returns a key's bytes, if all its components are known. */
  public Optional<ByteBuffer> key(MapSymbol symbol, MapRef map) {
    if (map.keys().size() != symbol.keys().size()) {
      return Optional.empty();
    }
    StructType type = symbol.keyType();
    ByteOrder order = target.architecture().byteOrder();
    ByteBuffer key = ByteBuffer.allocate(Math.max(Integer.BYTES, type.size())).order(order);
    for (int i = 0; i < symbol.keys().size(); i++) {
      if (!write(map.keys().get(i), type.fields().get(i), key)) {
        return Optional.empty();
      }
    }
    return Optional.of(key.asReadOnlyBuffer().order(order));
  }

  private boolean write(Expr part, StructField field, ByteBuffer key) {
    Expr constant = part;
    if (part instanceof Expr.Call call
        && call.arguments().isEmpty()
        && equals.containsKey(call.function())) {
      constant = equals.get(call.function());
    }
    if (field.type().isScalar()) {
      OptionalLong number = number(constant);
      if (number.isEmpty()) {
        return false;
      }
      // A value that equals a constant keeps its own type.
      long own = ConstantArithmetic.extend(number.getAsLong(), integer(part));
      int size = field.type().size();
      for (int i = 0; i < size; i++) {
        int at = key.order() == ByteOrder.LITTLE_ENDIAN ? i : size - 1 - i;
        key.put(field.offset() + at, (byte) (own >> Math.min(i * Byte.SIZE, Long.SIZE - 1)));
      }
      return true;
    }
    if (constant instanceof Expr.StringLiteral text) {
      byte[] bytes = TextBytes.encode(text.value());
      key.put(field.offset(), bytes, 0, Math.min(bytes.length, field.type().size()));
      return true;
    }
    return false;
  }

  /** Returns the number that an expression is known to be. */
  private OptionalLong number(Expr expr) {
    if (expr instanceof Expr.IntLiteral literal) {
      return OptionalLong.of(literal.value());
    }
    if (expr instanceof Expr.NamedConstant constant) {
      return target.constant(constant.name());
    }
    if (expr instanceof Expr.Unary sign && sign.operand() instanceof Expr.IntLiteral literal) {
      return switch (sign.op()) {
        case NEGATE -> OptionalLong.of(ConstantArithmetic.extend(-literal.value(), integer(sign)));
        case COMPLEMENT ->
            OptionalLong.of(ConstantArithmetic.extend(~literal.value(), integer(sign)));
        case NOT, DEREFERENCE, ADDRESS_OF -> OptionalLong.empty();
      };
    }
    if (expr instanceof Expr.Call call
        && call.function() == ContextBuiltins.PROBE
        && program.number() instanceof ProbeNumber.Constant constant) {
      return OptionalLong.of(constant.value());
    }
    return OptionalLong.empty();
  }

  private IntType integer(Expr expr) {
    return Conversions.asInteger(clause.typeOf(expr)).orElseThrow();
  }
}
