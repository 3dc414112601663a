package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Expr;
import dev.ply.type.Type.IntType;

/** Lengths that are computed while tracing. */
public final class BoundedLength {
  private BoundedLength() {}

  /**
   * Computes a length, at most {@code most}; 0 for negative numbers. The code that uses it follows
   * at once: a verifier forgets the bounds of a value that is spilled.
   */
  public static Register compile(ClauseCode clause, Expr length, int most) {
    CodeBuilder code = clause.code();
    boolean isSigned = clause.expressions().typeOf(length).isSigned();
    ScalarCode value = clause.expressions().scalar(length, IntType.S64);
    Register bounded = code.fresh();
    code.move(bounded, clause.arithmetic().register(value));
    if (isSigned) {
      Label positive = code.label("positive");
      code.jump(Width.W64, JumpOp.JSGE, bounded, new Immediate(0), positive);
      code.constant(bounded, 0);
      code.place(positive);
    }
    Label fits = code.label("fits");
    code.jump(Width.W64, JumpOp.JLE, bounded, new Immediate(most), fits);
    code.constant(bounded, most);
    code.place(fits);
    return bounded;
  }
}
