package dev.ply.ir;

/**
 * The binary operators with their precedence, C's, higher binds tighter; all are left-associative.
 */
public enum BinaryOp {
  /** Logical or; the right side is evaluated only if the left is zero. */
  LOGICAL_OR("||", 1, Kind.LOGICAL),
  /** Logical exclusive or. */
  LOGICAL_XOR("^^", 2, Kind.LOGICAL),
  /** Logical and; the right side is evaluated only if the left is not zero. */
  LOGICAL_AND("&&", 3, Kind.LOGICAL),
  /** Bitwise or. */
  OR("|", 4, Kind.ARITHMETIC),
  /** Bitwise exclusive or. */
  XOR("^", 5, Kind.ARITHMETIC),
  /** Bitwise and. */
  AND("&", 6, Kind.ARITHMETIC),
  /** Equality. */
  EQ("==", 7, Kind.COMPARISON),
  /** Inequality. */
  NE("!=", 7, Kind.COMPARISON),
  /** Less. */
  LT("<", 8, Kind.COMPARISON),
  /** Greater. */
  GT(">", 8, Kind.COMPARISON),
  /** Less or equal. */
  LE("<=", 8, Kind.COMPARISON),
  /** Greater or equal. */
  GE(">=", 8, Kind.COMPARISON),
  /** Left shift. */
  SHL("<<", 9, Kind.SHIFT),
  /** Right shift, arithmetic for signed operands. */
  SHR(">>", 9, Kind.SHIFT),
  /** Addition. */
  ADD("+", 10, Kind.ARITHMETIC),
  /** Subtraction. */
  SUB("-", 10, Kind.ARITHMETIC),
  /** Multiplication. */
  MUL("*", 11, Kind.ARITHMETIC),
  /** Division, truncating; x / 0 is 0. */
  DIV("/", 11, Kind.ARITHMETIC),
  /** Remainder with the dividend's sign; x % 0 is x. */
  MOD("%", 11, Kind.ARITHMETIC);

  /** How an operator's operands and result are typed. */
  public enum Kind {
    /** Operands are truth values; the result is the int 0 or 1. */
    LOGICAL,
    /** Operands are converted to a common type; the result is the int 0 or 1. */
    COMPARISON,
    /** Operands are converted to a common type, which is also the result's. */
    ARITHMETIC,
    /** The result has the left operand's promoted type. */
    SHIFT
  }

  private final String symbol;
  private final int precedence;
  private final Kind kind;

  BinaryOp(String symbol, int precedence, Kind kind) {
    this.symbol = symbol;
    this.precedence = precedence;
    this.kind = kind;
  }

  /** {@return the operator as scripts write it} */
  public String symbol() {
    return symbol;
  }

  /** {@return the precedence, 1 (loosest) to 11} */
  public int precedence() {
    return precedence;
  }

  /** {@return how operands and result are typed} */
  public Kind kind() {
    return kind;
  }

  /**
   * {@return the operator with this symbol}
   *
   * @param symbol as scripts write it, such as {@code &&}
   * @throws IllegalArgumentException if it is unknown
   */
  public static BinaryOp named(String symbol) {
    for (BinaryOp op : values()) {
      if (op.symbol.equals(symbol)) {
        return op;
      }
    }
    throw new IllegalArgumentException("no operator: " + symbol);
  }
}
