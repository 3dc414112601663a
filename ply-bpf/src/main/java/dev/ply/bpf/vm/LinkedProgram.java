package dev.ply.bpf.vm;

import java.util.List;

/** A program made ready to run on one machine. */
final class LinkedProgram {
  private final Step[] steps;

  /** Takes the instructions without marks, and one {@link Step.Kind#END} after them. */
  LinkedProgram(List<Step> steps) {
    this.steps = steps.toArray(Step[]::new);
  }

  /** Returns the steps; the array itself, for speed, which nobody changes. */
  Step[] steps() {
    return steps;
  }
}
