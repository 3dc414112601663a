package dev.ply.bpf.vm.interpret;

import static dev.ply.bpf.vm.memory.VmFault.Kind.MALFORMED;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.vm.helper.CallbackHelpers;
import dev.ply.bpf.vm.map.MapTable;
import dev.ply.bpf.vm.memory.VmFault;
import dev.ply.diagnostic.SourceSpan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Links a program: resolves labels and maps, collects constants, checks registers. */
public final class Linker {
  private final MapTable maps;
  private final Map<Label, Integer> targets = new HashMap<>();
  private final List<Step> steps = new ArrayList<>();
  private final List<Long> constants = new ArrayList<>();

  private Linker(MapTable maps) {
    this.maps = maps;
  }

  /**
   * Links a program.
   *
   * @throws VmFault of kind MALFORMED if a label or map is undefined or a register is invalid
   */
  public static LinkedProgram link(List<Instruction> code, MapTable maps) {
    return new Linker(maps).link(code);
  }

  private LinkedProgram link(List<Instruction> code) {
    findTargets(code);
    SourceSpan span = SourceSpan.NONE;
    for (int index = 0; index < code.size(); index++) {
      Instruction instruction = code.get(index);
      if (instruction instanceof Instruction.SourceMark mark) {
        span = mark.span();
      } else if (instruction.slots() > 0) {
        try {
          steps.add(draft(instruction).step(index, span));
        } catch (VmFault fault) {
          throw fault.at(index, span);
        }
      }
    }
    steps.add(new Draft(Step.Kind.END, new Instruction.Exit()).step(code.size(), span));
    return new LinkedProgram(steps, constants);
  }

  private void findTargets(List<Instruction> code) {
    int next = 0;
    for (int index = 0; index < code.size(); index++) {
      Instruction instruction = code.get(index);
      if (instruction instanceof Instruction.LabelMark mark
          && targets.put(mark.label(), next) != null) {
        throw new VmFault(MALFORMED, "redefines label " + mark.label()).at(index, SourceSpan.NONE);
      }
      if (instruction.slots() > 0) {
        next++;
      }
    }
  }

  private Draft draft(Instruction instruction) {
    if (instruction instanceof Instruction.Alu alu) {
      Draft draft =
          new Draft(Step.Kind.of(alu.op(), alu.width()), alu).right(alu.src()).write(alu.dst());
      return alu.op() == AluOp.MOV ? draft : draft.read(alu.dst());
    }
    if (instruction instanceof Instruction.Negate negate) {
      return new Draft(Step.Kind.NEGATE, negate).read(negate.dst()).write(negate.dst());
    }
    if (instruction instanceof Instruction.SignExtend extend) {
      return new Draft(Step.Kind.SIGN_EXTEND, extend).right(extend.src()).write(extend.dst());
    }
    if (instruction instanceof Instruction.ByteSwap swap) {
      if (swap.bits() != 16 && swap.bits() != 32 && swap.bits() != 64) {
        throw new VmFault(MALFORMED, "swaps the bytes of 16, 32 or 64 bits, not " + swap.bits());
      }
      return new Draft(Step.Kind.BYTE_SWAP, swap).read(swap.dst()).write(swap.dst());
    }
    if (instruction instanceof Instruction.LoadWide wide) {
      return wide(wide);
    }
    if (instruction instanceof Instruction.Load load) {
      Step.Kind kind =
          load.extension() == Extension.SIGN ? Step.Kind.LOAD_SIGNED : Step.Kind.load(load.size());
      return new Draft(kind, load).right(load.base()).offset(load.offset()).write(load.dst());
    }
    if (instruction instanceof Instruction.Store store) {
      return new Draft(Step.Kind.store(store.size()), store)
          .right(store.src())
          .base(store.base())
          .offset(store.offset());
    }
    if (instruction instanceof Instruction.Atomic atomic) {
      return atomic(atomic);
    }
    if (instruction instanceof Instruction.Jump jump) {
      return new Draft(Step.Kind.of(jump.op(), jump.width()), jump)
          .right(jump.right())
          .base(jump.left())
          .target(resolve(jump.target()));
    }
    if (instruction instanceof Instruction.Goto jump) {
      return new Draft(Step.Kind.GOTO, jump).target(resolve(jump.target()));
    }
    if (instruction instanceof Instruction.CallHelper call) {
      return call.helper().map(helper -> helper(call, helper)).orElse(unsupported(call));
    }
    if (instruction instanceof Instruction.CallLocal call) {
      return new Draft(Step.Kind.CALL_LOCAL, call).target(resolve(call.target()));
    }
    if (instruction instanceof Instruction.Exit exit) {
      return new Draft(Step.Kind.EXIT, exit);
    }
    return unsupported(instruction);
  }

  private Draft wide(Instruction.LoadWide wide) {
    WideSource source = wide.source();
    Draft draft = new Draft(Step.Kind.MOV, wide).write(wide.dst());
    if (source instanceof WideSource.Constant constant) {
      return draft.constant(constant.value());
    }
    if (source instanceof WideSource.Map map) {
      return draft.constant(maps.address(map.name()));
    }
    if (source instanceof WideSource.MapValue value) {
      return draft.constant(maps.valueAddress(value.name(), value.offset()));
    }
    if (source instanceof WideSource.Function function) {
      int target = resolve(function.target());
      return draft.constant(CallbackHelpers.addressOf(target)).target(target);
    }
    return unsupported(wide);
  }

  private Draft atomic(Instruction.Atomic atomic) {
    Draft draft =
        new Draft(Step.Kind.ATOMIC, atomic)
            .right(atomic.src())
            .base(atomic.base())
            .offset(atomic.offset());
    if (atomic.op() == AtomicOp.CMPXCHG) {
      return draft.read(Register.R0).define(Register.R0);
    }
    return atomic.op().fetches() ? draft.define(atomic.src()) : draft;
  }

  private Draft helper(Instruction.CallHelper call, Helper helper) {
    Draft draft = new Draft(Step.Kind.CALL_HELPER, call);
    for (int i = 1; i <= helper.signature().required(); i++) {
      draft.read(Register.argument(i));
    }
    return draft;
  }

  private Draft unsupported(Instruction instruction) {
    return new Draft(Step.Kind.UNSUPPORTED, instruction);
  }

  private int resolve(Label label) {
    Integer target = targets.get(label);
    if (target == null) {
      throw new VmFault(MALFORMED, "refers to undefined label " + label);
    }
    return target;
  }

  /** A builder of a step. */
  private final class Draft {
    private final Step.Kind kind;
    private final Instruction instruction;
    private int reads;
    private int writes;
    private int destination;
    private int source;
    private int offset;
    private int target;

    Draft(Step.Kind kind, Instruction instruction) {
      this.kind = kind;
      this.instruction = instruction;
    }

    /** Sets the right operand, or the address of a load. */
    Draft right(Operand operand) {
      if (operand instanceof Immediate constant) {
        return constant(constant.value());
      }
      if (operand instanceof Register register) {
        source = register.number();
        return read(register);
      }
      return this;
    }

    /** Sets the address of a store, or the left operand of a jump. */
    Draft base(Register register) {
      destination = register.number();
      return read(register);
    }

    Draft write(Register register) {
      destination = register.number();
      return define(register);
    }

    Draft read(Register register) {
      reads |= bit(register);
      return this;
    }

    Draft define(Register register) {
      if (register.equals(Register.R10)) {
        throw new VmFault(MALFORMED, "writes r10, which is read-only");
      }
      writes |= bit(register);
      return this;
    }

    /** Sets the right operand to a constant. */
    Draft constant(long value) {
      int known = constants.indexOf(value);
      if (known < 0) {
        known = constants.size();
        constants.add(value);
      }
      source = LinkedProgram.REGISTERS + known;
      return this;
    }

    Draft offset(int distance) {
      offset = distance;
      return this;
    }

    Draft target(int index) {
      target = index;
      return this;
    }

    Step step(int index, SourceSpan span) {
      return new Step(
          kind, instruction, index, span, reads, writes, destination, source, offset, target);
    }

    private int bit(Register register) {
      if (register.isVirtual()) {
        throw new VmFault(MALFORMED, "uses virtual register " + register);
      }
      return 1 << register.number();
    }
  }
}
