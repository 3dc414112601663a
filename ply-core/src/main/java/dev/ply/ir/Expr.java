package dev.ply.ir;

import dev.ply.diagnostic.SourceSpan;
import dev.ply.type.TextBytes;
import java.util.List;
import java.util.Optional;

/**
 * An expression. Immutable; analysis results (type, storage) are kept beside the tree, keyed by
 * node identity.
 */
public sealed interface Expr {
  /** {@return the position in the source} */
  SourceSpan span();

  /**
   * Calls the visitor's method for this kind of node.
   *
   * @param visitor the operation, with a method for each kind
   */
  <R> R accept(Visitor<R> visitor);

  /**
   * {@return an expression of this value: a literal, negated for negative values}
   *
   * @param value any 64-bit number
   */
  static Expr number(long value, SourceSpan span) {
    if (value >= 0) {
      return new IntLiteral(value, span);
    }
    long magnitude = -value;
    if ((magnitude <= Integer.MAX_VALUE && magnitude > 0) || magnitude > 0xffff_ffffL) {
      return new Unary(UnaryOp.NEGATE, new IntLiteral(magnitude, span), span);
    }
    if (~value > 0xffff_ffffL) {
      return new Unary(UnaryOp.COMPLEMENT, new IntLiteral(~value, span), span);
    }
    // As in C, the literal of the magnitude alone could be an unsigned 32-bit constant.
    long wide = 1L << 33;
    return new Binary(
        BinaryOp.SUB, new IntLiteral(wide + value, span), new IntLiteral(wide, span), span);
  }

  /**
   * An integer constant.
   *
   * @param value 64 bits, unsigned: a sign is an operator
   */
  record IntLiteral(long value, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A string constant, escapes already resolved.
   *
   * @param value its bytes as {@link TextBytes} writes them
   */
  record StringLiteral(String value, SourceSpan span) implements Expr {
    /** Normalises the string, so that equal bytes are equal strings. */
    public StringLiteral {
      value = TextBytes.decode(TextBytes.encode(value));
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A built-in value or function; a value is a call without arguments.
   *
   * @param function the built-in of the language
   * @param arguments in the order of its parameters
   */
  record Call(Function function, List<Expr> arguments, SourceSpan span) implements Expr {
    /** Copies the arguments. */
    public Call {
      arguments = List.copyOf(arguments);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code argN}: argument {@code index} of the probed function, counted from 0.
   *
   * @param index counted from 0
   */
  record Argument(int index, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The value of a map's entry, zero if absent; without keys, the whole map.
   *
   * @param map the map and its key
   */
  record MapRead(MapRef map, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code base->name} or {@code base.name}; of a tuple, {@code base.0} is its first element.
   *
   * @param base a structure, a pointer to one, or a tuple
   * @param access by arrow or dot
   * @param name of the member, or the decimal index of a tuple's element
   * @param nameSpan the position of the name
   */
  record Member(Expr base, Access access, String name, SourceSpan nameSpan, SourceSpan span)
      implements Expr {
    /** How a member is reached. */
    public enum Access {
      /** {@code base.name}: of a structure. */
      DOT("."),
      /** {@code base->name}: through a pointer. */
      ARROW("->");

      private final String symbol;

      Access(String symbol) {
        this.symbol = symbol;
      }

      /** {@return the operator as scripts write it} */
      public String symbol() {
        return symbol;
      }
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A constant of the kernel by name: an enumerator, {@code TCP_ESTABLISHED}, or a macro of its
   * headers, {@code O_CREAT}.
   *
   * @param name as the headers have it
   */
  record NamedConstant(String name, SourceSpan span) implements Expr {
    /**
     * {@return whether a name has the form of a constant's: two or more capitals, digits or
     * underscores}
     *
     * @param name of any form
     */
    public static boolean isName(String name) {
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        boolean isLetter = c >= 'A' && c <= 'Z';
        if (!isLetter && (i == 0 || (c != '_' && (c < '0' || c > '9')))) {
          return false;
        }
      }
      return name.length() > 1;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code base[index]}: an element of an array, or of the memory that a pointer points to.
   *
   * @param base an array, pointer, string or tuple
   * @param index counted from 0
   */
  record Element(Expr base, Expr index, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * Unparsed input in place of an expression; the error has been reported. The rest of the script
   * can still be analysed, but not compiled.
   *
   * @param parts the subexpressions that could be parsed
   * @param names the maps and variables it mentions
   */
  record Unknown(List<Expr> parts, List<String> names, SourceSpan span) implements Expr {
    /** Copies the parts. */
    public Unknown {
      parts = List.copyOf(parts);
      names = List.copyOf(names);
    }

    /** Unparsed input without any parsed subexpression. */
    public Unknown(SourceSpan span) {
      this(List.of(), List.of(), span);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code (a, b)}: a tuple; one of a single element is {@code (a,)}. With names it is a record,
   * {@code (x=a, y=b)}.
   *
   * @param names one for each element, none if the elements are numbered
   * @param elements at least one
   */
  record Tuple(List<String> names, List<Expr> elements, SourceSpan span) implements Expr {
    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if some elements have names and others have none
     */
    public Tuple {
      names = List.copyOf(names);
      elements = List.copyOf(elements);
      if (!names.isEmpty() && names.size() != elements.size()) {
        throw new IllegalArgumentException(names.size() + " names, " + elements.size() + " values");
      }
    }

    /**
     * A tuple whose elements are numbered.
     *
     * @param elements at least one
     */
    public Tuple(List<Expr> elements, SourceSpan span) {
      this(List.of(), elements, span);
    }

    /** {@return whether the elements have names} */
    public boolean isRecord() {
      return !names.isEmpty();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A prefix operation.
   *
   * @param operand its only operand
   */
  record Unary(UnaryOp op, Expr operand, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A binary operation.
   *
   * @param left the first operand
   * @param right the second operand; of {@code &&} and {@code ||} evaluated on demand
   */
  record Binary(BinaryOp op, Expr left, Expr right, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The value of a scratch variable.
   *
   * @param name with its {@code $}
   */
  record VariableRead(String name, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code condition ? then : otherwise}; without {@code then}, the value of the condition itself.
   *
   * @param condition true unless zero
   * @param then its value if the condition is true
   * @param otherwise its value if the condition is false
   */
  record Conditional(Expr condition, Optional<Expr> then, Expr otherwise, SourceSpan span)
      implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code (type)operand}: a conversion.
   *
   * @param type the type to convert to
   * @param operand the value to convert
   */
  record Cast(TypeReference type, Expr operand, SourceSpan span) implements Expr {
    private static final TypeName BOOL = new TypeName("bool", 0);

    /**
     * {@return {@code true} or {@code false}: a number converted to a truth value}
     *
     * @param value true or false
     */
    public static Cast truth(boolean value, SourceSpan span) {
      return new Cast(BOOL, new IntLiteral(value ? 1 : 0, span), span);
    }

    /** {@return whether the operand is converted to a truth value} */
    public boolean isTruth() {
      return type.equals(BOOL);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code sizeof(type)}: the size of a type in bytes.
   *
   * @param type complete: with a known size
   */
  record SizeOfType(TypeReference type, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code offsetof(type, member)}: the offset of a member from the start of a structure in bytes.
   *
   * @param type of the structure
   * @param path the member's name, or those of the members that lead to it
   */
  record OffsetOf(TypeReference type, List<String> path, SourceSpan span) implements Expr {
    /** Copies the path. */
    public OffsetOf {
      path = List.copyOf(path);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code sizeof(operand)}: the size of the operand's type in bytes; the operand is not evaluated.
   *
   * @param operand of any type with a size
   */
  record SizeOf(Expr operand, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code target++}, {@code --target} and so on: changes a variable or a map entry by one.
   *
   * @param op the direction, and whether the old or the new value is the result
   * @param target a {@link VariableRead} or a {@link MapRead}
   */
  record Step(StepOp op, Expr target, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * {@code { statements value }}: statements, and after them a value; their variables are known in
   * both.
   *
   * @param statements run before the value is computed
   */
  record Block(Statement.Block statements, Expr value, SourceSpan span) implements Expr {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** One method per kind of expression, so that a new kind is a compile error in every pass. */
  interface Visitor<R> {
    /** Visits an integer constant. */
    R visit(IntLiteral node);

    /** Visits a string constant. */
    R visit(StringLiteral node);

    /** Visits a built-in. */
    R visit(Call node);

    /** Visits an argument of the probed function. */
    R visit(Argument node);

    /** Visits a map read. */
    R visit(MapRead node);

    /** Visits a member access. */
    R visit(Member node);

    /** Visits a named kernel constant. */
    R visit(NamedConstant node);

    /** Visits an element of an array. */
    R visit(Element node);

    /** Visits unparsed input. */
    R visit(Unknown node);

    /** Visits a tuple. */
    R visit(Tuple node);

    /** Visits a prefix operation. */
    R visit(Unary node);

    /** Visits a binary operation. */
    R visit(Binary node);

    /** Visits a scratch variable. */
    R visit(VariableRead node);

    /** Visits a conditional. */
    R visit(Conditional node);

    /** Visits a cast. */
    R visit(Cast node);

    /** Visits {@code sizeof(type)}. */
    R visit(SizeOfType node);

    /** Visits {@code offsetof(type, member)}. */
    R visit(OffsetOf node);

    /** Visits {@code sizeof(expression)}. */
    R visit(SizeOf node);

    /** Visits an increment or decrement. */
    R visit(Step node);

    /** Visits a block with a value. */
    R visit(Block node);
  }
}
