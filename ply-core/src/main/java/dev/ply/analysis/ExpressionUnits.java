package dev.ply.analysis;

import dev.ply.analysis.typing.ConstantValue;
import dev.ply.analysis.typing.LocalVariable;
import dev.ply.builtin.Builtin;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.UnaryOp;
import dev.ply.table.TableSchema.Unit;
import dev.ply.type.Type.IntType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The units of expressions: sums, differences and remainders keep that of their operands, products
 * and quotients have none. Empty for zero, and for what is only stored as zero.
 */
final class ExpressionUnits implements Expr.Visitor<Optional<Unit>> {
  private static final Optional<Unit> NONE = Optional.of(Unit.NONE);

  /** Narrower integers are parts of a number, or flags. */
  private static final int LEAST_BYTES = 4;

  private final AnalyzedClause clause;
  private final DeclaredUnits declared;
  private final MapUnits units;
  private final Map<Integer, MapRef> loops = new HashMap<>();

  ExpressionUnits(AnalyzedClause clause, DeclaredUnits declared, MapUnits units) {
    this.clause = clause;
    this.declared = declared;
    this.units = units;
  }

  /** Adds the variable of a loop over a map. */
  void enter(LocalVariable variable, MapRef map) {
    loops.put(variable.number(), map);
  }

  /** Returns the unit of an expression. */
  Optional<Unit> of(Expr expr) {
    if (!clause.isTyped(expr)
        || !(clause.typeOf(expr) instanceof IntType type)
        || type.isTruth()
        || type.bytes() < LEAST_BYTES) {
      return NONE;
    }
    Unit byType = Unit.of(type);
    return byType == Unit.NONE ? expr.accept(this) : Optional.of(byType);
  }

  /** Returns the unit of a term of a sum, of which constants have that of the others. */
  Optional<Unit> ofTerm(Expr term) {
    return ConstantValue.of(term).isPresent() ? Optional.empty() : of(term);
  }

  @Override
  public Optional<Unit> visit(Expr.Binary node) {
    boolean keepsUnit =
        node.op() == BinaryOp.ADD || node.op() == BinaryOp.SUB || node.op() == BinaryOp.MOD;
    OptionalLong constant = ConstantValue.of(node);
    return keepsUnit && constant.isEmpty()
        ? MapUnits.both(ofTerm(node.left()), ofTerm(node.right()))
        : ofConstant(constant);
  }

  private static Optional<Unit> ofConstant(OptionalLong value) {
    return value.equals(OptionalLong.of(0)) ? Optional.empty() : NONE;
  }

  @Override
  public Optional<Unit> visit(Expr.IntLiteral node) {
    return ofConstant(OptionalLong.of(node.value()));
  }

  @Override
  public Optional<Unit> visit(Expr.Unary node) {
    return node.op() == UnaryOp.NEGATE ? of(node.operand()) : NONE;
  }

  @Override
  public Optional<Unit> visit(Expr.Conditional node) {
    return MapUnits.both(of(node.then().orElse(node.condition())), of(node.otherwise()));
  }

  @Override
  public Optional<Unit> visit(Expr.Cast node) {
    return of(node.operand());
  }

  @Override
  public Optional<Unit> visit(Expr.Block node) {
    return of(node.value());
  }

  @Override
  public Optional<Unit> visit(Expr.Step node) {
    return of(node.target());
  }

  @Override
  public Optional<Unit> visit(Expr.Call node) {
    return Optional.of(declared.of(node).orElse(Builtin.of(node).unit()));
  }

  @Override
  public Optional<Unit> visit(Expr.Argument node) {
    return Optional.of(declared.of(node));
  }

  @Override
  public Optional<Unit> visit(Expr.MapRead node) {
    return units.of(new MapUnits.Value(node.map().name()));
  }

  @Override
  public Optional<Unit> visit(Expr.VariableRead node) {
    return units.of(new MapUnits.Variable(clause, clause.variable(node).number()));
  }

  /** Of a loop over a map, {@code .0} is the key and {@code .1} the value of an entry. */
  @Override
  public Optional<Unit> visit(Expr.Member node) {
    if (loop(node.base()).isPresent()) {
      String map = loop(node.base()).get().name();
      return units.of(
          node.name().equals("1") ? new MapUnits.Value(map) : new MapUnits.KeyPart(map, 0));
    }
    if (node.base() instanceof Expr.Member key && loop(key.base()).isPresent()) {
      boolean isKey = key.name().equals("0") && node.name().matches("[0-9]{1,4}");
      return isKey
          ? units.of(
              new MapUnits.KeyPart(loop(key.base()).get().name(), Integer.parseInt(node.name())))
          : NONE;
    }
    return Optional.of(declared.of(node));
  }

  private Optional<MapRef> loop(Expr base) {
    return base instanceof Expr.VariableRead read
        ? Optional.ofNullable(loops.get(clause.variable(read).number()))
        : Optional.empty();
  }

  @Override
  public Optional<Unit> visit(Expr.SizeOf node) {
    return Optional.of(Unit.BYTES);
  }

  @Override
  public Optional<Unit> visit(Expr.SizeOfType node) {
    return Optional.of(Unit.BYTES);
  }

  @Override
  public Optional<Unit> visit(Expr.OffsetOf node) {
    return Optional.of(Unit.BYTES);
  }

  @Override
  public Optional<Unit> visit(Expr.Element node) {
    return NONE;
  }

  @Override
  public Optional<Unit> visit(Expr.NamedConstant node) {
    return NONE;
  }

  @Override
  public Optional<Unit> visit(Expr.StringLiteral node) {
    return NONE;
  }

  @Override
  public Optional<Unit> visit(Expr.Tuple node) {
    return NONE;
  }

  @Override
  public Optional<Unit> visit(Expr.Unknown node) {
    return NONE;
  }
}
