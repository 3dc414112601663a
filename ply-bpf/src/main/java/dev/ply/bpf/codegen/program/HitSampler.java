package dev.ply.bpf.codegen.program;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.HitWeight;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfObject;

/**
 * Compiles the choice of the hits that a sampled clause runs for. Each CPU counts down to the next
 * one, from a random number of 1 to 2N - 1, of which N is the mean: one hit in N on average,
 * without a rhythm that the traced program could share. Hits in between cost a load and a store.
 */
final class HitSampler {
  private static final int SHIFT = Integer.numberOfTrailingZeros(BpfObject.SKIPPED_EACH);

  private final ClauseCode clause;
  private final CodeBuilder code;

  HitSampler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Jumps to a label for hits that are left out. */
  void skipTo(Label skipped) {
    Label chosen = code.label("chosen");
    Label choose = code.label("choose");
    Register oneOf = HitWeight.load(code, clause.object());
    code.jump(Width.W64, JumpOp.JLE, oneOf, new Immediate(1), chosen);
    Register count = code.fresh();
    code.mapValue(clause.object().skipped(), 0).load(count);
    Register cpu = clause.processor();
    code.alu(Width.W64, AluOp.AND, cpu, clause.object().processors() - 1);
    code.alu(Width.W64, AluOp.LSH, cpu, SHIFT);
    code.alu(Width.W64, AluOp.ADD, count, cpu);
    Place place = new Place(count, 0);
    Register left = code.fresh();
    code.load(Size.DW, left, place);
    code.alu(Width.W64, AluOp.SUB, left, 1);
    code.store(Size.DW, place, left);
    Register range = code.fresh();
    code.move(range, oneOf);
    code.alu(Width.W64, AluOp.LSH, range, 1);
    code.alu(Width.W64, AluOp.SUB, range, 1);
    code.jump(Width.W64, JumpOp.JSLE, left, new Immediate(0), choose);
    // More are left than a lower rate would leave.
    code.jump(Width.W64, JumpOp.JLE, left, range, skipped);
    code.place(choose);
    Register next = code.callForResult(Helper.GET_PRANDOM_U32);
    code.alu(Width.W64, AluOp.MOD, next, range);
    code.alu(Width.W64, AluOp.ADD, next, 1);
    code.store(Size.DW, place, next);
    code.place(chosen);
  }
}
