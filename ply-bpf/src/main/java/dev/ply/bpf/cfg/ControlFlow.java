package dev.ply.bpf.cfg;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The control flow of a program: jump targets and register use by instruction index. Immutable.
 *
 * <p>Computed once per program, since every pass queries it.
 */
public final class ControlFlow {
  /** The target of an instruction that does not jump. */
  public static final int NO_TARGET = -1;

  private static final int[] NONE = {};

  private final Instruction[] code;
  private final int[] targets;
  private final int[][] reads;
  private final int[][] writes;
  private final int labels;
  private final int registers;

  private ControlFlow(List<Instruction> program) {
    code = program.toArray(new Instruction[0]);
    Map<Label, Integer> indexOfLabel = new HashMap<>();
    for (int i = 0; i < code.length; i++) {
      if (code[i] instanceof Instruction.LabelMark mark) {
        indexOfLabel.put(mark.label(), i);
      }
    }
    labels = indexOfLabel.size();
    targets = new int[code.length];
    reads = new int[code.length][];
    writes = new int[code.length][];
    int highest = Register.R10.number();
    for (int i = 0; i < code.length; i++) {
      targets[i] = target(code[i], indexOfLabel);
      RegisterUse use = RegisterUse.of(code[i]);
      reads[i] = numbers(use.reads());
      writes[i] = numbers(use.writes());
      highest = Math.max(highest, Math.max(highest(reads[i]), highest(writes[i])));
    }
    registers = highest + 1;
  }

  /**
   * Returns the control flow of a program.
   *
   * @throws IllegalArgumentException if a jump has an undefined target
   */
  public static ControlFlow of(List<Instruction> code) {
    return new ControlFlow(code);
  }

  private static int target(Instruction instruction, Map<Label, Integer> indexOfLabel) {
    Label label;
    if (instruction instanceof Instruction.Goto jump) {
      label = jump.target();
    } else if (instruction instanceof Instruction.Jump branch) {
      label = branch.target();
    } else {
      return NO_TARGET;
    }
    Integer index = indexOfLabel.get(label);
    if (index == null) {
      throw new IllegalArgumentException("jump to undefined label " + label);
    }
    return index;
  }

  private static int[] numbers(List<Register> registers) {
    int size = registers.size();
    if (size == 0) {
      return NONE;
    }
    int[] numbers = new int[size];
    for (int i = 0; i < size; i++) {
      numbers[i] = registers.get(i).number();
    }
    return numbers;
  }

  private static int highest(int[] numbers) {
    int highest = 0;
    for (int number : numbers) {
      highest = Math.max(highest, number);
    }
    return highest;
  }

  /** Returns the number of instructions, pseudo-instructions included. */
  public int size() {
    return code.length;
  }

  /** Returns the instruction at {@code index}. */
  public Instruction at(int index) {
    return code[index];
  }

  /** Returns the number of labels. */
  int labels() {
    return labels;
  }

  /** Returns one more than the highest register number in use, at least 11. */
  public int registers() {
    return registers;
  }

  /** Returns the numbers of the registers read at {@code index}, each once; read-only. */
  public int[] reads(int index) {
    return reads[index];
  }

  /** Returns the numbers of the registers overwritten at {@code index}, each once; read-only. */
  public int[] writes(int index) {
    return writes[index];
  }

  /** Returns the index of the jump target, or {@link #NO_TARGET}. */
  public int target(int index) {
    return targets[index];
  }

  /** Returns whether control may continue with the next instruction. */
  public boolean fallsThrough(int index) {
    return index + 1 < code.length
        && !(code[index] instanceof Instruction.Goto)
        && !(code[index] instanceof Instruction.Exit);
  }

  /** Returns the instructions reachable from the first. */
  public BitSet reachable() {
    BitSet reached = new BitSet(code.length);
    int[] pending = new int[code.length + 1];
    int count = 0;
    if (code.length > 0) {
      pending[count++] = 0;
    }
    while (count > 0) {
      int at = pending[--count];
      boolean continues = !reached.get(at);
      while (continues) {
        reached.set(at);
        if (targets[at] != NO_TARGET) {
          pending[count++] = targets[at];
        }
        continues = fallsThrough(at) && !reached.get(at + 1);
        at++;
      }
    }
    return reached;
  }
}
