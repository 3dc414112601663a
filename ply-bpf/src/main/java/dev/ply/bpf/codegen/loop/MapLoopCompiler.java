package dev.ply.bpf.codegen.loop;

import dev.ply.analysis.typing.LocalVariable;
import dev.ply.analysis.typing.MapContent;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.Closure;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.map.AccumulatorReader;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.MapLayout;
import dev.ply.ir.Statement;
import dev.ply.type.StructField;
import dev.ply.type.Type.TupleType;

/** Compiles loops over maps: the kernel calls a function for each entry (Linux 5.13). */
public final class MapLoopCompiler {
  /** The callback's arguments: the map, an address of the key, one of the value, the context. */
  public static final int KEY = 2;

  private static final int VALUE = 3;

  /** The number of the callback argument, from 1, that points to the variables of the program. */
  public static final int CONTEXT = 4;

  private final ClauseCode clause;
  private final CodeBuilder code;
  private final LoopCompiler loops;

  /** Generates the loops of a clause over maps. */
  public MapLoopCompiler(ClauseCode clause, LoopCompiler loops) {
    this.clause = clause;
    this.code = clause.code();
    this.loops = loops;
  }

  /** Compiles a loop over a map. */
  public void compile(Statement.ForEach node) {
    MapLayout table = clause.object().table(node.map().name());
    new Closure(clause.memory(), code, clause.object())
        .call(
            Helper.FOR_EACH_MAP_ELEM,
            code.map(table.stored().name()),
            CONTEXT,
            closure -> {
              Register key = closure.argument(KEY);
              skipOthers(code, table, key);
              Register value = closure.argument(VALUE);
              Label next = code.label("next");
              Label end = code.label("endloop");
              LocalVariable entry = clause.clause().variable(node);
              clause
                  .variables()
                  .compileBlock(
                      () -> {
                        clause.variables().allocate(entry);
                        load(node, entry, key, value);
                        loops.body(node.body(), new LoopCompiler.Exits(next, end));
                      });
              code.place(next);
              code.exit(Closure.CONTINUE);
              code.place(end);
              code.exit(Closure.STOP);
            });
  }

  /** Skips the entries of other tables in a shared map, and moves to the table's own key. */
  public static void skipOthers(CodeBuilder code, MapLayout table, Register key) {
    table
        .shared()
        .ifPresent(
            place -> {
              Label own = code.label("own");
              Register number = code.fresh();
              code.load(Size.W, number, new Place(key, 0));
              code.jump(Width.W64, JumpOp.JEQ, number, new Immediate(place.number()), own);
              code.exit(Closure.CONTINUE);
              code.place(own);
              code.alu(Width.W64, AluOp.ADD, key, place.prefix());
            });
  }

  /** Copies key and value: the entry can change while the body runs. */
  private void load(Statement.ForEach node, LocalVariable entry, Register key, Register value) {
    TupleType type = (TupleType) entry.type();
    Place to = clause.variables().place(entry);
    StructField first = type.layout().fields().get(0);
    StructField second = type.layout().fields().get(1);
    code.copy(new Place(key, 0), to, first.type().size());
    int end = first.type().size();
    code.zero(to.plus(end), second.offset() - end);
    Place number = to.plus(second.offset());
    if (clause.script().map(node.map().name()).content() instanceof MapContent.Plain) {
      code.copy(new Place(value, 0), number, second.type().size());
    } else {
      ScalarCode result = new AccumulatorReader(clause, node.map()).read(value);
      code.store(Size.DW, number, clause.arithmetic().operand(result));
    }
    end = second.offset() + second.type().size();
    code.zero(to.plus(end), type.size() - end);
  }
}
