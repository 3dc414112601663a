package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.WideSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Where control can go in a program, whatever the values; indexes count marks. */
final class ControlFlow {
  private final List<Instruction> code;
  private final Map<Label, Integer> labels = new HashMap<>();
  private final TreeSet<Integer> functions = new TreeSet<>();
  private final List<List<Integer>> successors = new ArrayList<>();
  private final Map<Integer, Boolean> inLoop = new HashMap<>();
  private final int[] predecessors;

  ControlFlow(List<Instruction> code) {
    this.code = code;
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof LabelMark mark) {
        labels.putIfAbsent(mark.label(), i);
      }
    }
    functions.add(0);
    for (Instruction instruction : code) {
      if (instruction instanceof CallLocal call) {
        target(call.target()).ifPresent(functions::add);
      }
      callback(instruction).ifPresent(functions::add);
    }
    for (int i = 0; i < code.size(); i++) {
      successors.add(successorsOf(i));
    }
    predecessors = new int[code.size()];
    functions.forEach(entry -> predecessors[entry]++);
    for (int i = 0; i < code.size(); i++) {
      successors(i).forEach(next -> predecessors[next]++);
      callback(code.get(i)).ifPresent(entry -> predecessors[entry]++);
    }
  }

  List<Instruction> code() {
    return code;
  }

  /** Returns the index of a label's mark, if the program has it. */
  Optional<Integer> target(Label label) {
    return Optional.ofNullable(labels.get(label));
  }

  /** Returns the label that an instruction names as a place to go to, if it does. */
  static Optional<Label> namedLabel(Instruction instruction) {
    if (instruction instanceof Goto jump) {
      return Optional.of(jump.target());
    } else if (instruction instanceof Jump jump) {
      return Optional.of(jump.target());
    } else if (instruction instanceof CallLocal call) {
      return Optional.of(call.target());
    } else if (instruction instanceof LoadWide load
        && load.source() instanceof WideSource.Function function) {
      return Optional.of(function.target());
    }
    return Optional.empty();
  }

  /** Returns the start of the function whose address an instruction takes, if it does. */
  Optional<Integer> callback(Instruction instruction) {
    return instruction instanceof LoadWide load
            && load.source() instanceof WideSource.Function function
        ? target(function.target())
        : Optional.empty();
  }

  /** Returns the indexes that may follow within the function; a call's is where it returns to. */
  List<Integer> successors(int index) {
    return successors.get(index);
  }

  private List<Integer> successorsOf(int index) {
    Instruction instruction = code.get(index);
    List<Integer> next = new ArrayList<>(2);
    boolean falls = !(instruction instanceof Exit) && !(instruction instanceof Goto);
    if (falls && index + 1 < code.size()) {
      next.add(index + 1);
    }
    if (instruction instanceof Goto jump) {
      target(jump.target()).ifPresent(next::add);
    } else if (instruction instanceof Jump jump) {
      target(jump.target()).ifPresent(next::add);
    }
    return next;
  }

  /** Returns the indexes at which functions start; the program starts at 0. */
  Set<Integer> functions() {
    return functions;
  }

  /** Returns the start of the function that an index belongs to. */
  int functionOf(int index) {
    return functions.headSet(index, true).last();
  }

  /** Returns the index after the last of the function that starts at {@code entry}. */
  int endOf(int entry) {
    Integer next = functions.higher(entry);
    return next == null ? code.size() : next;
  }

  /** Tells whether more than one way leads to a label's mark. */
  boolean isJoin(int index) {
    return code.get(index) instanceof LabelMark && predecessors[index] > 1;
  }

  /** Tells whether control can come back to an index within one call of its function. */
  boolean isInLoop(int index) {
    return inLoop.computeIfAbsent(index, i -> reachable(successors(i), false).get(i));
  }

  /** Returns the indexes that control can reach from the program's start, calls followed. */
  BitSet reachable() {
    return reachable(List.of(0), true);
  }

  private BitSet reachable(List<Integer> starts, boolean intoCalls) {
    BitSet seen = new BitSet(code.size());
    Deque<Integer> pending = new ArrayDeque<>();
    starts.forEach(pending::push);
    while (!pending.isEmpty()) {
      int index = pending.pop();
      if (!seen.get(index)) {
        seen.set(index);
        successors(index).forEach(pending::push);
        if (intoCalls && code.get(index) instanceof CallLocal call) {
          target(call.target()).ifPresent(pending::push);
        }
        if (intoCalls) {
          callback(code.get(index)).ifPresent(pending::push);
        }
      }
    }
    return seen;
  }
}
