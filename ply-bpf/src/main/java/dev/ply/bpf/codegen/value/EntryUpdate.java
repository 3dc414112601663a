package dev.ply.bpf.codegen.value;

import dev.ply.analysis.typing.MapSymbol;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.ArithmeticCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.StepOp;
import dev.ply.type.Conversions;
import dev.ply.type.Dialect;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;

/**
 * Compiles in-place changes of map entries, with one lookup. Additions are atomic, since all CPUs
 * share the entry; a missing entry counts as zero.
 */
public final class EntryUpdate {
  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Generates changes of map entries in place of a clause. */
  public EntryUpdate(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  private Dialect dialect() {
    return clause.script().configuration().dialect();
  }

  private IntType typeOf(MapRef map) {
    MapSymbol symbol = clause.script().map(map.name());
    return Conversions.asInteger(symbol.content().type()).orElseThrow();
  }

  /** Compiles {@code entry op= value}. */
  public void compile(MapRef map, BinaryOp op, Expr value) {
    IntType type = typeOf(map);
    IntType computed =
        op.kind() == BinaryOp.Kind.SHIFT
            ? dialect().promote(type)
            : dialect().common(type, clause.expressions().typeOf(value));
    change(map, op, clause.expressions().scalar(value, computed), computed);
  }

  /** Returns how much an entry changes when it counts up: an address by what it points to. */
  private int unit(MapRef map) {
    Type type = clause.script().map(map.name()).content().type();
    return type instanceof PointerType pointer ? Math.max(1, pointer.target().size()) : 1;
  }

  private void change(MapRef map, BinaryOp op, ScalarCode value, IntType computed) {
    IntType type = typeOf(map);
    boolean isSum = op == BinaryOp.ADD || op == BinaryOp.SUB;
    int unit = unit(map);
    ScalarCode operand =
        unit == 1 || !isSum
            ? value
            : clause
                .arithmetic()
                .binary(BinaryOp.MUL, value, new ScalarCode.Constant(unit), computed);
    Label done = code.label("updated");
    Place entry = new Place(clause.maps().entry(map, done), 0);
    if (isSum && type.bytes() >= Integer.BYTES) {
      ScalarCode added =
          op == BinaryOp.SUB ? clause.arithmetic().negate(operand, computed) : operand;
      atomic(AtomicOp.ADD, type, entry, clause.arithmetic().register(added));
    } else {
      ScalarCode old =
          clause.arithmetic().convert(clause.expressions().load(type, entry), type, computed);
      ScalarCode result = clause.arithmetic().binary(op, old, operand, computed);
      code.store(Size.ofBytes(type.bytes()), entry, clause.arithmetic().register(result));
    }
    code.place(done);
  }

  private void atomic(AtomicOp op, IntType type, Place entry, Register operand) {
    code.emit(new Instruction.Atomic(Size.ofBytes(type.bytes()), op, entry.base(), 0, operand));
  }

  /** Compiles {@code entry++}, {@code --entry} and so on with their value; 0 if the map is full. */
  ScalarCode step(MapRef map, StepOp op) {
    IntType type = typeOf(map);
    int amount = op.amount() * unit(map);
    Register value = code.fresh();
    code.constant(value, 0);
    Label done = code.label("updated");
    Place entry = new Place(clause.maps().entry(map, done), 0);
    if (type.bytes() >= Integer.BYTES && clause.script().target().fetchesAtomically()) {
      Register old = code.fresh();
      code.constant(old, amount);
      atomic(AtomicOp.FETCH_ADD, type, entry, old);
      code.move(value, old);
      if (op.isPrefix()) {
        code.alu(ArithmeticCode.width(type), AluOp.ADD, value, amount);
      }
    } else {
      Register old = clause.arithmetic().register(clause.expressions().load(type, entry));
      Register changed = code.fresh();
      code.move(changed, old);
      code.alu(ArithmeticCode.width(type), AluOp.ADD, changed, amount);
      code.store(Size.ofBytes(type.bytes()), entry, changed);
      code.move(value, op.isPrefix() ? changed : old);
      clause.expressions().extended(new ScalarCode.InRegister(value), type);
    }
    code.place(done);
    return new ScalarCode.InRegister(value);
  }

  /** Compiles {@code entry++}, {@code --entry} and so on without their value. */
  void step(Expr.Step node, MapRef map) {
    ScalarCode amount = new ScalarCode.Constant(node.op().amount());
    change(map, BinaryOp.ADD, amount, dialect().promote(typeOf(map)));
  }
}
