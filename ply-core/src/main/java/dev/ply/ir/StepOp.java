package dev.ply.ir;

/** An operator that changes a variable by one. */
public enum StepOp {
  /** {@code ++x}: the value is the new one. */
  PRE_INCREMENT("++", 1, true),
  /** {@code --x}: the value is the new one. */
  PRE_DECREMENT("--", -1, true),
  /** {@code x++}: the value is the old one. */
  POST_INCREMENT("++", 1, false),
  /** {@code x--}: the value is the old one. */
  POST_DECREMENT("--", -1, false);

  private final String symbol;
  private final int amount;
  private final boolean isPrefix;

  StepOp(String symbol, int amount, boolean isPrefix) {
    this.symbol = symbol;
    this.amount = amount;
    this.isPrefix = isPrefix;
  }

  /** {@return the operator as scripts write it} */
  public String symbol() {
    return symbol;
  }

  /** {@return 1 or -1} */
  public int amount() {
    return amount;
  }

  /** {@return whether this is a prefix operator, whose value is the new one} */
  public boolean isPrefix() {
    return isPrefix;
  }
}
