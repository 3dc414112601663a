package dev.ply.analysis;

import dev.ply.analysis.typing.MapSymbol;
import dev.ply.builtin.AggregateFunction;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Infers the units of maps from all that programs store in them, through variables and other maps.
 * A map with values of different units, or with one of no known unit, has none.
 */
final class MapUnits {
  private final Map<Slot, Unit> units = new HashMap<>();
  private boolean isChanged;

  private MapUnits() {}

  /** Returns the maps with their units. */
  static List<MapSymbol> apply(
      List<MapSymbol> maps, List<AnalyzedProgram> programs, Target target) {
    MapUnits units = new MapUnits();
    do {
      units.isChanged = false;
      for (AnalyzedProgram program : programs) {
        for (AnalyzedClause clause : program.clauses()) {
          new Stores(clause, new DeclaredUnits(clause, program.sites(), target), units)
              .walk(clause.clause());
        }
      }
    } while (units.isChanged);
    return maps.stream().map(units::apply).toList();
  }

  private MapSymbol apply(MapSymbol map) {
    List<Unit> keys = new ArrayList<>();
    for (int i = 0; i < map.keys().size(); i++) {
      keys.add(of(new KeyPart(map.name(), i)).orElse(Unit.NONE));
    }
    return map.measuring(keys, of(new Value(map.name())).orElse(Unit.NONE));
  }

  /** Returns the unit of what is stored, as far as known; empty if nothing has one yet. */
  Optional<Unit> of(Slot slot) {
    return Optional.ofNullable(units.get(slot));
  }

  private void add(Slot slot, Optional<Unit> unit) {
    Optional<Unit> known = of(slot);
    Optional<Unit> all = both(known, unit);
    if (!all.equals(known)) {
      units.put(slot, all.orElseThrow());
      isChanged = true;
    }
  }

  /** Returns the unit of values from two sources, of which either may be zero only. */
  static Optional<Unit> both(Optional<Unit> a, Optional<Unit> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.or(() -> b);
    }
    return a.equals(b) ? a : Optional.of(Unit.NONE);
  }

  /** A storage location of values: a part of a key, a map or a variable. */
  sealed interface Slot {}

  /** A part of the key of a map, counted from 0. */
  record KeyPart(String map, int index) implements Slot {}

  /** The value of a map. */
  record Value(String map) implements Slot {}

  /** A scratch variable of a clause. */
  record Variable(AnalyzedClause clause, int number) implements Slot {}

  /** The stores of a clause, in maps and in variables. */
  private static final class Stores extends Walker {
    private final AnalyzedClause clause;
    private final MapUnits units;
    private final ExpressionUnits expressions;

    Stores(AnalyzedClause clause, DeclaredUnits declared, MapUnits units) {
      this.clause = clause;
      this.units = units;
      this.expressions = new ExpressionUnits(clause, declared, units);
    }

    private void add(MapRef map, Optional<Unit> value) {
      for (int i = 0; i < map.keys().size(); i++) {
        units.add(new KeyPart(map.name(), i), expressions.of(map.keys().get(i)));
      }
      units.add(new Value(map.name()), value);
    }

    private void add(int variable, Optional<Unit> value) {
      units.add(new Variable(clause, variable), value);
    }

    @Override
    public Walker visit(Statement.Store node) {
      add(node.target(), expressions.of(node.value()));
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Aggregate node) {
      List<Expr> arguments = node.aggregation().arguments();
      Optional<Unit> values = arguments.stream().findFirst().flatMap(expressions::of);
      add(node.target(), AggregateFunction.of(node.aggregation()).unit(values));
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Update node) {
      boolean isSum = node.op() == BinaryOp.ADD || node.op() == BinaryOp.SUB;
      add(node.target(), isSum ? expressions.ofTerm(node.value()) : Optional.of(Unit.NONE));
      return super.visit(node);
    }

    @Override
    public Walker visit(Expr.Step node) {
      if (node.target() instanceof Expr.MapRead entry) {
        add(entry.map(), Optional.empty());
      }
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Assign node) {
      add(clause.variable(node).number(), expressions.of(node.value()));
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Declare node) {
      add(clause.variable(node).number(), node.value().flatMap(expressions::of));
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.ForRange node) {
      add(clause.variable(node).number(), Optional.of(Unit.NONE));
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.ForEach node) {
      expressions.enter(clause.variable(node), node.map());
      return super.visit(node);
    }
  }
}
