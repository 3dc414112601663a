package dev.ply.ir;

/** The prefix operators; all bind tighter than any binary one. */
public enum UnaryOp {
  /** Arithmetic negation. */
  NEGATE("-"),
  /** Bitwise complement. */
  COMPLEMENT("~"),
  /** Logical negation: 1 for zero, else 0. */
  NOT("!"),
  /** The value a pointer points to. */
  DEREFERENCE("*"),
  /** The address of a member, an element, or a pointer's target. */
  ADDRESS_OF("&");

  private final String symbol;

  UnaryOp(String symbol) {
    this.symbol = symbol;
  }

  /** {@return the operator as scripts write it} */
  public String symbol() {
    return symbol;
  }
}
