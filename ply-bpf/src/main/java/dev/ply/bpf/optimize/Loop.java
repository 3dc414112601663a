package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Labels;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A loop without another one inside: instructions in a row, from a label to the last jump back.
 *
 * @param head the index of its label
 * @param size the number of its instructions
 * @param jumpsBack the jumps to its label, as offsets from it
 */
record Loop(int head, int size, BitSet jumpsBack) {
  /** Returns the loop that begins at a label, unless there is none or another one is inside. */
  static Optional<Loop> at(int head, ControlFlow flow) {
    BitSet inside = reachable(head, flow);
    BitSet jumpsBack = new BitSet();
    for (int i = inside.nextSetBit(head); i >= 0; i = inside.nextSetBit(i + 1)) {
      if (flow.target(i) == head) {
        jumpsBack.set(i - head);
      }
    }
    int size = jumpsBack.length();
    for (int i = head; i < head + size; i++) {
      if (flow.target(i) > head && flow.target(i) < i) {
        return Optional.empty();
      }
    }
    return size == 0 ? Optional.empty() : Optional.of(new Loop(head, size, jumpsBack));
  }

  /** Returns what is reached from a label by jumping forward only. */
  private static BitSet reachable(int head, ControlFlow flow) {
    BitSet reached = new BitSet();
    reached.set(head);
    for (int i = head; i >= 0; i = reached.nextSetBit(i + 1)) {
      if (flow.fallsThrough(i)) {
        reached.set(i + 1);
      }
      if (flow.target(i) > i) {
        reached.set(flow.target(i));
      }
    }
    return reached;
  }

  /** Returns whether it calls functions. */
  boolean calls(List<Instruction> code) {
    return code.subList(head, head + size).stream()
        .anyMatch(
            instruction ->
                instruction instanceof Instruction.CallHelper
                    || instruction instanceof Instruction.CallKernel
                    || instruction instanceof Instruction.CallLocal);
  }

  /** Returns the number of its slots. */
  int slots(List<Instruction> code) {
    return code.subList(head, head + size).stream().mapToInt(Instruction::slots).sum();
  }

  /** Returns the number of instructions of each copy, with the jump to what follows the loop. */
  int copySize() {
    return size + 1;
  }

  /**
   * Returns a program with copies of this loop one after the other. An iteration in one copy is
   * followed by one in the next, and after the last copy by one in the first.
   */
  List<Instruction> unrolled(List<Instruction> code, int copies) {
    Set<Label> taken = labels(code);
    List<Instruction> body = code.subList(head, head + size);
    Label first = ((Instruction.LabelMark) body.get(0)).label();
    Label end = unique(new Label(first + "_end"), taken);
    List<Map<Label, Label>> names = new ArrayList<>();
    names.add(Map.of());
    for (int copy = 1; copy < copies; copy++) {
      names.add(newNames(labels(body), taken));
    }
    List<Instruction> unrolled = new ArrayList<>(code.subList(0, head));
    for (int copy = 0; copy < copies; copy++) {
      Label next = names.get((copy + 1) % copies).getOrDefault(first, first);
      for (int i = 0; i < size; i++) {
        unrolled.add(
            Labels.renamed(body.get(i), jumpsBack.get(i) ? Map.of(first, next) : names.get(copy)));
      }
      unrolled.add(new Instruction.Goto(end));
    }
    unrolled.add(new Instruction.LabelMark(end));
    unrolled.addAll(code.subList(head + size, code.size()));
    return List.copyOf(unrolled);
  }

  private static Set<Label> labels(List<Instruction> code) {
    Set<Label> labels = new LinkedHashSet<>();
    for (Instruction instruction : code) {
      if (instruction instanceof Instruction.LabelMark mark) {
        labels.add(mark.label());
      }
    }
    return labels;
  }

  private static Map<Label, Label> newNames(Set<Label> labels, Set<Label> taken) {
    Map<Label, Label> names = new HashMap<>();
    for (Label label : labels) {
      names.put(label, unique(label, taken));
    }
    return names;
  }

  private static Label unique(Label label, Set<Label> taken) {
    Label name = label;
    for (int i = 2; !taken.add(name); i++) {
      name = new Label(label + "_" + i);
    }
    return name;
  }
}
