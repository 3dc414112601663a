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
 * Where control goes after each instruction of a program, and which registers each reads and
 * writes: what all that follows a program asks again and again, found once. Immutable.
 */
public final class ControlFlow {
  /** No place in the program. */
  public static final int NOWHERE = -1;

  private static final int[] NONE = {};

  private final Instruction[] code;
  private final int[] targets;
  private final int[][] reads;
  private final int[][] writes;
  private final int labels;
  private final int registers;

  private ControlFlow(List<Instruction> program) {
    code = program.toArray(new Instruction[0]);
    Map<Label, Integer> places = new HashMap<>();
    for (int i = 0; i < code.length; i++) {
      if (code[i] instanceof Instruction.LabelMark mark) {
        places.put(mark.label(), i);
      }
    }
    labels = places.size();
    targets = new int[code.length];
    reads = new int[code.length][];
    writes = new int[code.length][];
    int highest = Register.R10.number();
    for (int i = 0; i < code.length; i++) {
      targets[i] = target(code[i], places);
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
   * @throws IllegalArgumentException if a jump names a label that is not there
   */
  public static ControlFlow of(List<Instruction> code) {
    return new ControlFlow(code);
  }

  private static int target(Instruction instruction, Map<Label, Integer> places) {
    Label label;
    if (instruction instanceof Instruction.Goto jump) {
      label = jump.target();
    } else if (instruction instanceof Instruction.Jump branch) {
      label = branch.target();
    } else {
      return NOWHERE;
    }
    Integer place = places.get(label);
    if (place == null) {
      throw new IllegalArgumentException("a jump goes to " + label + ", which is nowhere");
    }
    return place;
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

  /** Returns the number of instructions, marks included. */
  public int size() {
    return code.length;
  }

  /** Returns the instruction at an index. */
  public Instruction at(int index) {
    return code[index];
  }

  /** Returns the number of labels. */
  int labels() {
    return labels;
  }

  /** Returns one more than the highest number of a register that the program names, 11 or more. */
  public int registers() {
    return registers;
  }

  /**
   * Returns the numbers of the registers whose old value matters to the instruction at an index,
   * each once; the array must not be changed.
   */
  public int[] reads(int index) {
    return reads[index];
  }

  /**
   * Returns the numbers of the registers whose value is lost by the instruction at an index, each
   * once; the array must not be changed.
   */
  public int[] writes(int index) {
    return writes[index];
  }

  /** Returns the place of the label that a jump goes to, {@link #NOWHERE} for what is no jump. */
  public int target(int index) {
    return targets[index];
  }

  /** Tells whether control may go on behind the instruction at an index. */
  public boolean goesOn(int index) {
    return index + 1 < code.length
        && !(code[index] instanceof Instruction.Goto)
        && !(code[index] instanceof Instruction.Exit);
  }

  /** Returns the instructions that control can reach from the first one. */
  public BitSet reachable() {
    BitSet reached = new BitSet(code.length);
    int[] pending = new int[code.length + 1];
    int count = 0;
    if (code.length > 0) {
      pending[count++] = 0;
    }
    while (count > 0) {
      int at = pending[--count];
      boolean goesOn = !reached.get(at);
      while (goesOn) {
        reached.set(at);
        if (targets[at] != NOWHERE) {
          pending[count++] = targets[at];
        }
        goesOn = goesOn(at) && !reached.get(at + 1);
        at++;
      }
    }
    return reached;
  }
}
