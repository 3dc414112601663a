package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.ValueState;
import dev.ply.bpf.cfg.Values;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * Computes and fetches once what is needed more than once (common subexpressions): arithmetic,
 * loads, helpers that always give the same, look-ups of one key, and the thread's name, which is
 * copied or stays where it is. Assumes virtual registers, which are free to live on.
 */
public final class ShareValues implements UnaryOperator<List<Instruction>> {
  private final Analyses analyses;

  /** A pass that asks these. */
  ShareValues(Analyses analyses) {
    this.analyses = analyses;
  }

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    Values values = analyses.values(code);
    Rewriting rewriting = new Rewriting(values, analyses.flow(code));
    values.visit(rewriting);
    return rewriting.result(code);
  }

  private static final class Rewriting implements Values.Visitor {
    private final Values values;
    private final ControlFlow flow;

    /** What stands in an instruction's place. */
    private final Map<Integer, List<Instruction>> replaced = new HashMap<>();

    private int next;

    Rewriting(Values values, ControlFlow flow) {
      this.values = values;
      this.flow = flow;
      this.next = Math.max(Register.FIRST_VIRTUAL, flow.registers());
    }

    List<Instruction> result(List<Instruction> code) {
      if (replaced.isEmpty()) {
        return code;
      }
      List<Instruction> result = new ArrayList<>(code.size());
      for (int i = 0; i < code.size(); i++) {
        result.addAll(replaced.getOrDefault(i, List.of(code.get(i))));
      }
      return result;
    }

    @Override
    public void see(int index, Instruction instruction, ValueState before) {
      if (instruction instanceof Instruction.CallHelper call) {
        if (call.number() == Helper.GET_CURRENT_COMM.number()) {
          shareName(index, call, before);
        } else {
          share(index, Register.R0, values.holder(index, call, before));
        }
      } else if (isComputed(instruction)) {
        Register written = new Register(flow.writes(index)[0]);
        if (written.isVirtual()) {
          share(index, written, values.holder(index, instruction, before));
        }
      }
    }

    private void share(int index, Register to, Optional<Register> holder) {
      if (holder.isPresent() && !holder.get().equals(to)) {
        replaced.put(index, List.of(move(to, holder.get())));
      }
    }

    private static boolean isComputed(Instruction instruction) {
      return instruction instanceof Instruction.Load
          || (instruction instanceof Instruction.Alu alu && alu.op() != AluOp.MOV);
    }

    private void shareName(int index, Instruction.CallHelper call, ValueState before) {
      OptionalInt source = values.threadName(call, before);
      if (source.isEmpty()) {
        return;
      }
      int from = source.getAsInt();
      int to = before.stackOffset(Register.R1).orElseThrow();
      List<Instruction> copy = new ArrayList<>();
      List<Instruction> stores = new ArrayList<>();
      // The two may overlap: all is loaded before anything is stored.
      for (int word = 0; word < 16 && from != to; word += 8) {
        Register register = new Register(next++);
        copy.add(
            new Instruction.Load(Size.DW, Extension.ZERO, register, Register.R10, from + word));
        stores.add(new Instruction.Store(Size.DW, Register.R10, to + word, register));
      }
      copy.addAll(stores);
      replaced.put(index, copy);
    }

    private static Instruction move(Register to, Register from) {
      return new Instruction.Alu(Width.W64, AluOp.MOV, to, from);
    }
  }
}
