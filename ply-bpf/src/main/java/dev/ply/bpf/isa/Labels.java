package dev.ply.bpf.isa;

import java.util.Map;

/** Renames labels, so that code can be copied within a program. */
public final class Labels {
  private Labels() {}

  /**
   * Returns an instruction with other names for its labels.
   *
   * @param names the new name of each label; those without one keep theirs
   * @return the same instruction if it has no label
   */
  public static Instruction renamed(Instruction instruction, Map<Label, Label> names) {
    if (instruction instanceof Instruction.LabelMark mark) {
      return new Instruction.LabelMark(names.getOrDefault(mark.label(), mark.label()));
    } else if (instruction instanceof Instruction.Goto jump) {
      return new Instruction.Goto(names.getOrDefault(jump.target(), jump.target()));
    } else if (instruction instanceof Instruction.Jump jump) {
      return new Instruction.Jump(
          jump.width(),
          jump.op(),
          jump.left(),
          jump.right(),
          names.getOrDefault(jump.target(), jump.target()));
    }
    return instruction;
  }
}
