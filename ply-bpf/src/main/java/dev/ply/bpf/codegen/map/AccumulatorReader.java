package dev.ply.bpf.codegen.map;

import dev.ply.analysis.typing.MapContent;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.Constant;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.builtin.Merge;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.aggregate.ExtremeFunction;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.MapRef;

/** Compiles the result of an aggregation: merges the accumulators of all CPUs in the program. */
public final class AccumulatorReader {
  private final ClauseCode clause;
  private final CodeBuilder code;
  private final MapContent.Aggregated content;
  private final BpfMap map;

  /** Reads the accumulators of an aggregating map in the program of a clause. */
  public AccumulatorReader(ClauseCode clause, MapRef map) {
    this.clause = clause;
    this.code = clause.code();
    this.content = (MapContent.Aggregated) clause.script().map(map.name()).content();
    this.map = clause.object().table(map.name()).map();
  }

  /** Returns the result of the accumulators at an address. */
  public ScalarCode read(Register accumulators) {
    Register first = merged(accumulators, 0);
    if (content.function() == AggregateFunctions.AVG) {
      ScalarCode count = new InRegister(merged(accumulators, 1));
      return clause
          .arithmetic()
          .binary(BinaryOp.DIV, new InRegister(first), count, content.valueType());
    }
    if (content.function() instanceof ExtremeFunction extreme) {
      long bits = extreme.invertedBits(content.valueType());
      code.alu(Width.W64, AluOp.XOR, first, clause.arithmetic().register(new Constant(bits)));
    }
    return new InRegister(first);
  }

  private Register merged(Register accumulators, int word) {
    Register all = code.fresh();
    for (int slot = 0; slot < map.slots(); slot++) {
      Register one = slot == 0 ? all : code.fresh();
      code.load(Size.DW, one, new Place(accumulators, slot * map.slotSize() + word * Long.BYTES));
      if (slot > 0) {
        merge(all, one);
      }
    }
    return all;
  }

  private void merge(Register all, Register one) {
    if (content.function().merge(content.shape()) == Merge.SUM) {
      code.alu(Width.W64, AluOp.ADD, all, one);
      return;
    }
    Label kept = code.label("kept");
    code.jump(Width.W64, JumpOp.JGE, all, one, kept);
    code.move(all, one);
    code.place(kept);
  }
}
