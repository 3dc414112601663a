package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.Liveness;
import dev.ply.bpf.cfg.ValueNumbering;
import dev.ply.bpf.cfg.ValueState;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * Propagates constants and copies, folds constants, and removes redundant truncations to 32 bits.
 *
 * <p>Leaves dead code to {@link EliminateDeadCode}.
 */
public final class PropagateValues implements UnaryOperator<List<Instruction>> {
  private final Analyses analyses;

  /** Creates the pass. */
  PropagateValues(Analyses analyses) {
    this.analyses = analyses;
  }

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    ValueNumbering values = analyses.values(code);
    List<Instruction> after = new ArrayList<>(code);
    values.visit(
        (index, instruction, before) ->
            after.set(index, rewrite(values, index, instruction, before)));
    return comparingWhatIsUsed(code, after);
  }

  /**
   * Has jumps compare a copy that is read later instead of its original: a verifier bounds what is
   * compared, and forgets that two registers are equal once one of them is spilled.
   */
  private static List<Instruction> comparingWhatIsUsed(
      List<Instruction> code, List<Instruction> after) {
    BitSet changed = new BitSet();
    for (int i = 0; i < code.size(); i++) {
      changed.set(i, comparesAnother(code.get(i), after.get(i)));
    }
    if (changed.isEmpty()) {
      return List.copyOf(after);
    }
    List<Instruction> result = new ArrayList<>(after);
    Liveness.of(ControlFlow.of(after))
        .visit(
            (index, live) -> {
              if (changed.get(index)
                  && code.get(index) instanceof Instruction.Jump jump
                  && live.get(jump.left().number())) {
                result.set(index, jump);
              }
            });
    return List.copyOf(result);
  }

  private static boolean comparesAnother(Instruction before, Instruction after) {
    return before instanceof Instruction.Jump jump
        && after instanceof Instruction.Jump other
        && !other.left().equals(jump.left());
  }

  private static Instruction rewrite(
      ValueNumbering values, int index, Instruction instruction, ValueState before) {
    if (instruction instanceof Instruction.Alu alu) {
      return rewrite(values, index, alu, before);
    }
    if (instruction instanceof Instruction.Load load) {
      OptionalLong constant = values.constant(index, load, before);
      Register base = before.original(load.base());
      if (constant.isPresent() && fits(constant.getAsLong())) {
        return constant(load.dst(), constant.getAsLong());
      }
      return base.equals(load.base())
          ? load
          : new Instruction.Load(load.size(), load.extension(), load.dst(), base, load.offset());
    }
    if (instruction instanceof Instruction.Store store) {
      Operand src = operand(store.src(), store.size() == Size.DW ? Width.W64 : Width.W32, before);
      Register base = before.original(store.base());
      return base.equals(store.base()) && src.equals(store.src())
          ? store
          : new Instruction.Store(store.size(), base, store.offset(), src);
    }
    if (instruction instanceof Instruction.Jump jump) {
      Register left = before.original(jump.left());
      Operand right = operand(jump.right(), jump.width(), before);
      return left.equals(jump.left()) && right.equals(jump.right())
          ? jump
          : new Instruction.Jump(jump.width(), jump.op(), left, right, jump.target());
    }
    return instruction;
  }

  private static Instruction rewrite(
      ValueNumbering values, int index, Instruction.Alu alu, ValueState before) {
    OptionalLong constant = values.constant(index, alu, before);
    if (constant.isPresent() && fits(constant.getAsLong())) {
      boolean isConstant =
          alu.op() == AluOp.MOV && alu.width() == Width.W64 && alu.src() instanceof Immediate;
      return isConstant ? alu : constant(alu.dst(), constant.getAsLong());
    }
    boolean isTruncation = alu.op() == AluOp.MOV && alu.width() == Width.W32;
    if (isTruncation
        && alu.src() instanceof Register source
        && values.yields(index, alu, before, source)) {
      return new Instruction.Alu(Width.W64, AluOp.MOV, alu.dst(), source);
    }
    boolean restricted =
        alu.op() == AluOp.DIV
            || alu.op() == AluOp.MOD
            || alu.op() == AluOp.SDIV
            || alu.op() == AluOp.SMOD
            || alu.op() == AluOp.LSH
            || alu.op() == AluOp.RSH
            || alu.op() == AluOp.ARSH;
    // The verifier rejects immediate zero divisors and shift counts out of range.
    Operand src =
        restricted || isTruncation
            ? original(alu.src(), before)
            : operand(alu.src(), alu.width(), before);
    return src.equals(alu.src()) ? alu : new Instruction.Alu(alu.width(), alu.op(), alu.dst(), src);
  }

  private static boolean fits(long value) {
    return value == (int) value;
  }

  private static Instruction constant(Register register, long value) {
    return new Instruction.Alu(Width.W64, AluOp.MOV, register, new Immediate((int) value));
  }

  private static Operand original(Operand operand, ValueState before) {
    return operand instanceof Register register ? before.original(register) : operand;
  }

  private static Operand operand(Operand operand, Width width, ValueState before) {
    OptionalLong constant = before.constant(operand);
    if (operand instanceof Register
        && constant.isPresent()
        && (width == Width.W32 || fits(constant.getAsLong()))) {
      return new Immediate((int) constant.getAsLong());
    }
    return original(operand, before);
  }
}
