package dev.ply.bpf.isa;

import java.util.Map;
import java.util.Optional;

/** The labels that instructions refer to. */
public final class Labels {
  private Labels() {}

  /** Returns where a jump leads; empty for other instructions. */
  public static Optional<Label> jumpTarget(Instruction instruction) {
    if (instruction instanceof Instruction.Goto jump) {
      return Optional.of(jump.target());
    }
    return instruction instanceof Instruction.Jump jump
        ? Optional.of(jump.target())
        : Optional.empty();
  }

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
