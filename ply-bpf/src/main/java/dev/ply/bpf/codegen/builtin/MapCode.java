package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.Closure;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.CompiledFunction;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.loop.MapLoopCompiler;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.MapLayout;
import dev.ply.builtin.catalog.MapBuiltins;
import dev.ply.ir.Expr;

/** Generates code for map functions. */
public final class MapCode {
  /** A lookup in a hash map. */
  private static final Cost LOOKUP = Cost.MEMORY;

  private MapCode() {}

  /** Adds the generators of the built-ins of maps. */
  public static void addTo(BuiltinTable codes) {
    codes.comparison(MapBuiltins.HAS_KEY, LOOKUP, MapCode::jumpIfPresent);
    codes.comparison(MapBuiltins.DELETE, LOOKUP, MapCode::jumpIfDeleted);
    codes.scalar(
        MapBuiltins.LEN,
        Cost.HELPER,
        (clause, call) ->
            MapBuiltins.isStack(call.arguments().get(0))
                ? new StackCompiler(clause).depth((Expr.Call) call.arguments().get(0))
                : length(clause, call));
  }

  /** The helper counts how often it calls a function that does nothing. */
  private static ScalarCode length(ClauseCode clause, Expr.Call call) {
    CodeBuilder code = clause.code();
    String map = ((Expr.MapRead) call.arguments().get(0)).map().name();
    MapLayout table = clause.object().table(map);
    if (table.shared().isPresent()) {
      return sharedLength(clause, table);
    }
    Label entry = code.label("count");
    code.define(
        new CompiledFunction(
            entry,
            code.apart(() -> code.exit(Closure.CONTINUE)),
            0,
            clause.memory().depth(),
            /* isOptimized= */ true));
    return new ScalarCode.InRegister(
        code.callForResult(
            Helper.FOR_EACH_MAP_ELEM,
            code.map(map),
            code.function(entry),
            code.value(0),
            code.value(0)));
  }

  /** Counts the entries of this table: several share the map. */
  private static ScalarCode sharedLength(ClauseCode clause, MapLayout table) {
    CodeBuilder code = clause.code();
    Register count = code.fresh();
    code.move(count, new Immediate(0));
    new Closure(clause.memory(), code, clause.object())
        .call(
            Helper.FOR_EACH_MAP_ELEM,
            code.map(table.stored().name()),
            MapLoopCompiler.CONTEXT,
            closure -> {
              MapLoopCompiler.skipOthers(code, table, closure.argument(MapLoopCompiler.KEY));
              code.alu(Width.W64, AluOp.ADD, count, 1);
              code.exit(Closure.CONTINUE);
            });
    return new ScalarCode.InRegister(count);
  }

  private static void jumpIfDeleted(
      ClauseCode clause, Expr.Call call, boolean sense, Label target) {
    Register error = clause.maps().delete(((Expr.MapRead) call.arguments().get(0)).map());
    clause.code().jump(Width.W64, sense ? JumpOp.JEQ : JumpOp.JNE, error, new Immediate(0), target);
  }

  private static void jumpIfPresent(
      ClauseCode clause, Expr.Call call, boolean sense, Label target) {
    Expr.MapRead entry = (Expr.MapRead) call.arguments().get(0);
    clause.maps().jumpIfPresent(entry.map(), sense, target);
  }
}
