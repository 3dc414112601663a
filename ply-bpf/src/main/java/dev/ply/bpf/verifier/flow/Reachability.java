package dev.ply.bpf.verifier.flow;

import dev.ply.bpf.isa.HelperSignature.Parameter;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.WideSource;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The control-flow graph of a program and its functions, including calls and callbacks. */
public final class Reachability {
  private static final int[] NONE = {};

  private final List<Instruction> code;
  private final Map<Label, Integer> labels = new HashMap<>();
  private final TreeSet<Integer> functions = new TreeSet<>();
  private final int[][] successors;
  private final Map<Integer, Boolean> inLoop = new HashMap<>();
  private final int[] predecessors;

  /** Follows all jumps and calls from the first instruction. */
  public Reachability(List<Instruction> code) {
    this.code = code;
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof LabelMark mark) {
        labels.putIfAbsent(mark.label(), i);
      }
    }
    functions.add(0);
    for (Instruction instruction : code) {
      Optional<Integer> called = called(instruction);
      if (called.isPresent()) {
        functions.add(called.get());
      }
    }
    successors = new int[code.size()][];
    for (int i = 0; i < code.size(); i++) {
      successors[i] = successorsOf(i);
    }
    predecessors = new int[code.size()];
    for (int entry : functions) {
      predecessors[entry]++;
    }
    for (int i = 0; i < code.size(); i++) {
      for (int next : successors[i]) {
        predecessors[next]++;
      }
      Optional<Integer> callback = callback(code.get(i));
      if (callback.isPresent()) {
        predecessors[callback.get()]++;
      }
    }
  }

  /** Returns the instructions, by index. */
  public List<Instruction> code() {
    return code;
  }

  /** Returns the index of a label, if it is defined. */
  public Optional<Integer> target(Label label) {
    return Optional.ofNullable(labels.get(label));
  }

  /** Returns the label that an instruction refers to, if any. */
  static Optional<Label> referencedLabel(Instruction instruction) {
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

  /** Returns the entry of the function whose address an instruction loads, if any. */
  Optional<Integer> callback(Instruction instruction) {
    return instruction instanceof LoadWide load
            && load.source() instanceof WideSource.Function function
        ? target(function.target())
        : Optional.empty();
  }

  /** Returns the entry of the function that an instruction calls or refers to, if any. */
  private Optional<Integer> called(Instruction instruction) {
    return instruction instanceof CallLocal call ? target(call.target()) : callback(instruction);
  }

  /** Returns the successors within the function; a call's is its return point. Read-only. */
  int[] successors(int index) {
    return successors[index];
  }

  private int[] successorsOf(int index) {
    Instruction instruction = code.get(index);
    boolean falls =
        !(instruction instanceof Exit) && !(instruction instanceof Goto) && index + 1 < code.size();
    Optional<Integer> target = Optional.empty();
    if (instruction instanceof Goto jump) {
      target = target(jump.target());
    } else if (instruction instanceof Jump jump) {
      target = target(jump.target());
    }
    if (target.isEmpty()) {
      return falls ? new int[] {index + 1} : NONE;
    }
    return falls ? new int[] {index + 1, target.get()} : new int[] {target.get()};
  }

  /** Returns the entries of all functions; that of the program is 0. */
  Set<Integer> functions() {
    return functions;
  }

  /** Returns the entries of global functions. */
  public Set<Integer> globals() {
    Set<Integer> globals = new TreeSet<>();
    for (Instruction instruction : code) {
      if (instruction instanceof CallLocal call && call.isGlobal()) {
        target(call.target()).ifPresent(globals::add);
      }
    }
    return globals;
  }

  /** Returns the entry of the function that contains {@code index}. */
  int functionOf(int index) {
    return functions.headSet(index, true).last();
  }

  /** Returns the end of the function with the given entry, exclusive. */
  int endOf(int entry) {
    Integer next = functions.higher(entry);
    return next == null ? code.size() : next;
  }

  /**
   * Returns whether {@code index} is a label with several predecessors, or follows a call of a
   * helper that calls a function any number of times.
   */
  public boolean isJoin(int index) {
    return (code.get(index) instanceof LabelMark && predecessors[index] > 1) || isCalled(index);
  }

  /** Returns whether {@code index} follows a call of a helper that calls a function. */
  public boolean isCalled(int index) {
    return index > 0
        && code.get(index - 1) instanceof CallHelper call
        && call.helper()
            .filter(helper -> helper.signature().parameters().contains(Parameter.CALLBACK))
            .isPresent();
  }

  /**
   * Returns whether control can return to {@code index}, within a call of its function or because a
   * loop calls it.
   */
  public boolean isInLoop(int index) {
    Boolean known = inLoop.get(index);
    if (known == null) {
      inLoop.put(index, false); // for functions that call themselves
      known =
          reachable(successors[index], false).get(index)
              || callers(functionOf(index)).anyMatch(this::isInLoop);
      inLoop.put(index, known);
    }
    return known;
  }

  /** Returns the calls of a static function; the verifier follows it from each of them. */
  private IntStream callers(int function) {
    return IntStream.range(0, code.size())
        .filter(
            i ->
                code.get(i) instanceof CallLocal call
                    && !call.isGlobal()
                    && target(call.target()).filter(target -> target == function).isPresent());
  }

  /** Returns the instructions reachable from the program's entry, including callees. */
  BitSet reachable() {
    return reachable(new int[] {0}, true);
  }

  private BitSet reachable(int[] starts, boolean intoCalls) {
    BitSet seen = new BitSet(code.size());
    Deque<Integer> pending = new ArrayDeque<>();
    push(starts, pending);
    while (!pending.isEmpty()) {
      int index = pending.pop();
      if (!seen.get(index)) {
        seen.set(index);
        push(successors[index], pending);
        Optional<Integer> called = intoCalls ? called(code.get(index)) : Optional.empty();
        if (called.isPresent()) {
          pending.push(called.get());
        }
      }
    }
    return seen;
  }

  private static void push(int[] indexes, Deque<Integer> pending) {
    for (int index : indexes) {
      pending.push(index);
    }
  }
}
