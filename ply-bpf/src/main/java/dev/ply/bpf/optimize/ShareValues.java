package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.ValueNumbering;
import dev.ply.bpf.cfg.ValueState;
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
 * Eliminates common subexpressions: arithmetic, loads, invariant helpers, lookups, thread names.
 *
 * <p>A second fetch of the thread name becomes a copy on the stack. Needs virtual registers, whose
 * live ranges can grow.
 */
public final class ShareValues implements UnaryOperator<List<Instruction>> {
  private final Analyses analyses;

  /** Creates the pass. */
  ShareValues(Analyses analyses) {
    this.analyses = analyses;
  }

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    ValueNumbering values = analyses.values(code);
    Rewriting rewriting = new Rewriting(values, analyses.flow(code));
    values.visit(rewriting);
    return rewriting.result(code);
  }

  private static final class Rewriting implements ValueNumbering.Visitor {
    private final ValueNumbering values;
    private final ControlFlow flow;

    /** The replacements of instructions, by index. */
    private final Map<Integer, List<Instruction>> replaced = new HashMap<>();

    private int next;

    Rewriting(ValueNumbering values, ControlFlow flow) {
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
    public void visit(int index, Instruction instruction, ValueState before) {
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
      int alignment = Integer.lowestOneBit(from | to | Long.BYTES);
      if (alignment < Integer.BYTES && from != to) {
        // Copied in smaller parts, it would cost as much as the call.
        return;
      }
      Size part = Size.ofBytes(Math.max(alignment, Integer.BYTES));
      List<Instruction> copy = new ArrayList<>();
      List<Instruction> stores = new ArrayList<>();
      // Source and destination may overlap: load everything before the first store.
      for (int offset = 0; offset < 16 && from != to; offset += part.bytes()) {
        Register register = new Register(next++);
        copy.add(new Instruction.Load(part, Extension.ZERO, register, Register.R10, from + offset));
        stores.add(new Instruction.Store(part, Register.R10, to + offset, register));
      }
      copy.addAll(stores);
      replaced.put(index, copy);
    }

    private static Instruction move(Register to, Register from) {
      return new Instruction.Alu(Width.W64, AluOp.MOV, to, from);
    }
  }
}
