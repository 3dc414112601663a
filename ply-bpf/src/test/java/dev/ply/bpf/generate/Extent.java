package dev.ply.bpf.generate;

/** How much there is in a generated script. */
public enum Extent {
  /** About what people write. */
  USUAL(3, 1, 1),
  /** More than anybody writes: expressions with many operands, conditions inside of conditions. */
  LARGE(4, 3, 12);

  private final int clauses;
  private final int blocks;
  private final int operands;

  Extent(int clauses, int blocks, int operands) {
    this.clauses = clauses;
    this.blocks = blocks;
    this.operands = operands;
  }

  /** Returns how many clauses there may be besides the one that gives maps their types. */
  int clauses() {
    return clauses;
  }

  /** Returns how deep blocks may be in each other. */
  int blocks() {
    return blocks;
  }

  /** Returns how many operands expressions have that grow beyond a fixed depth. */
  int operands() {
    return operands;
  }
}
