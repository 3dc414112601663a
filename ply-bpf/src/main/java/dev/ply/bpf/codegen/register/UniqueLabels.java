package dev.ply.bpf.codegen.register;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Renames labels of a program's functions that another function has, too: passes name new labels
 * without regard to other functions.
 */
public final class UniqueLabels {
  private final Set<Label> taken = new HashSet<>();

  /** Starts with the labels of the program's first function. */
  public UniqueLabels(List<Instruction> first) {
    for (Instruction instruction : first) {
      if (instruction instanceof Instruction.LabelMark mark) {
        taken.add(mark.label());
      }
    }
  }

  /** Returns the next function, with labels that none before has. */
  public List<Instruction> apply(List<Instruction> function) {
    Map<Label, Label> names = new HashMap<>();
    for (Instruction instruction : function) {
      if (instruction instanceof Instruction.LabelMark mark) {
        names.put(mark.label(), unique(mark.label()));
      }
    }
    List<Instruction> renamed = new ArrayList<>(function.size());
    for (Instruction instruction : function) {
      renamed.add(Labels.renamed(instruction, names));
    }
    return renamed;
  }

  private Label unique(Label label) {
    Label unique = label;
    for (int i = 1; !taken.add(unique); i++) {
      unique = new Label(label + "_" + i);
    }
    return unique;
  }
}
