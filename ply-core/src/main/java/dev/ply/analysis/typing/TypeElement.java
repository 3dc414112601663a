package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.target.KernelTypes;
import dev.ply.type.AddressSpace;
import dev.ply.type.Dialect;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.TupleType;
import java.util.Optional;
import java.util.OptionalLong;

/** Types pointer dereferences, and elements of arrays in memory. */
final class TypeElement {
  private final TypeExpression expressions;
  private final Diagnostics diagnostics;

  TypeElement(TypeExpression expressions, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  /** Types {@code *address}. In bpftrace's dialect, what a number is the address of has 64 bits. */
  Optional<Type> dereferenced(Expr.Unary node, Type address, Dialect dialect) {
    return dialect == Dialect.BPFTRACE && address instanceof IntType integer && !integer.isTruth()
        ? Optional.of(IntType.U64)
        : pointedTo(node, address);
  }

  /** Types {@code *pointer}, unless it is the probe's context. */
  private Optional<Type> pointedTo(Expr node, Type type) {
    if (type instanceof PointerType pointer && isReadable(pointer)) {
      return Optional.of(pointer.target());
    }
    diagnostics.error(
        TYPE_MISMATCH, node.span(), TypeExpression.article(type) + " points to nothing readable");
    return Optional.empty();
  }

  /** Types {@code &lvalue}, for locations in memory. */
  Optional<Type> address(Expr.Unary node, Type type) {
    if (node.operand() instanceof Expr.VariableRead variable) {
      return addressOf(variable, type);
    }
    if (isRead(node.operand()) && !isBitField(node.operand())) {
      return Optional.of(new PointerType(type, space(node.operand())));
    }
    diagnostics.error(
        TYPE_MISMATCH,
        node.span(),
        isBitField(node.operand()) ? "a bit-field has no address" : "this has no address",
        "variables, members of structures, elements of their arrays, and targets of pointers have"
            + " one");
    return Optional.empty();
  }

  /** The memory of a variable is the program's, and so the kernel's. */
  private Optional<Type> addressOf(Expr.VariableRead variable, Type type) {
    if (!expressions.isLoopVariable(variable)) {
      return Optional.of(new PointerType(type, AddressSpace.KERNEL));
    }
    diagnostics.error(
        TYPE_MISMATCH,
        variable.span(),
        "the variable of a loop has no address",
        "copy it first: $x = " + variable.name() + ";");
    return Optional.empty();
  }

  /** Types an array in memory as the address of its first element, like C. */
  Optional<Type> decayed(Expr array, PointerType wanted) {
    if (array instanceof Expr.Member && isOfContext(array)) {
      // A tracepoint's record is the kernel's.
      return Optional.of(new PointerType(wanted.target(), AddressSpace.KERNEL));
    }
    return isRead(array)
        ? Optional.of(new PointerType(wanted.target(), space(array)))
        : Optional.empty();
  }

  private boolean isBitField(Expr expr) {
    return expr instanceof Expr.Member member
        && expressions.member(member).filter(KernelTypes.Member::isBitField).isPresent();
  }

  /** Returns the address space of the innermost pointer of an lvalue. */
  private AddressSpace space(Expr place) {
    Expr base =
        place instanceof Expr.Member member
            ? member.base()
            : place instanceof Expr.Element element
                ? element.base()
                : ((Expr.Unary) place).operand();
    Type type = expressions.typeOf(base).orElseThrow();
    if (type instanceof PointerType pointer) {
      return pointer.space();
    }
    return type instanceof IntType ? AddressSpace.KERNEL : space(base);
  }

  /**
   * Returns the type of pointer arithmetic, which counts elements, as in C. Empty for pointers to
   * void and incomplete types, which count bytes.
   */
  static Optional<Type> moved(BinaryOp op, Type left, Type right) {
    if (op != BinaryOp.ADD && op != BinaryOp.SUB) {
      return Optional.empty();
    }
    if (isSteppable(left) && right instanceof IntType) {
      return Optional.of(left);
    }
    return op == BinaryOp.ADD && isSteppable(right) && left instanceof IntType
        ? Optional.of(right)
        : Optional.empty();
  }

  /** Warns of arithmetic with addresses whose result is neither an address nor a distance. */
  void checkAddresses(Expr.Binary node, Type left, Type right) {
    boolean isLeft = left instanceof PointerType;
    boolean isRight = right instanceof PointerType;
    boolean isMisused =
        switch (node.op()) {
          case ADD -> isLeft && isRight;
          case SUB -> !isLeft && isRight;
          case MUL, SHL -> isLeft || isRight;
          default -> false;
        };
    if (isMisused) {
      misuse(node, node.op().symbol());
    }
  }

  /** Warns of the negation or complement of an address. */
  void checkAddress(Expr.Unary node, Type operand) {
    if (operand instanceof PointerType) {
      misuse(node, node.op().symbol());
    }
  }

  private void misuse(Expr node, String operator) {
    diagnostics.warning(
        TYPE_MISMATCH,
        node.span(),
        "\"" + operator + "\" is not defined for addresses",
        "numbers can be added to addresses and subtracted; (uint64)p is an address as a number");
  }

  /** Returns whether a pointer points to a type with a size. */
  static boolean isSteppable(Type type) {
    return type instanceof PointerType pointer
        && pointer.space() != AddressSpace.CONTEXT
        && pointer.target().size() > 0;
  }

  private static boolean isReadable(PointerType pointer) {
    return pointer.space() != AddressSpace.CONTEXT
        && (pointer.target().isScalar()
            || pointer.target() instanceof KernelStruct
            || isOfVariable(pointer.target()));
  }

  /** Returns whether variables have values of a type, whose address can be taken. */
  private static boolean isOfVariable(Type type) {
    return type.size() > 0
        && (type instanceof ArrayType
            || type instanceof TupleType
            || type instanceof Type.EncodedString);
  }

  /** Types {@code base[index]}. */
  Optional<Type> apply(Expr.Element node, Type base, Type index) {
    boolean isNumber =
        expressions.integer(index, node.index(), "the index of an element").isPresent();
    if (base instanceof PointerType) {
      Optional<Type> element = pointedTo(node.base(), base);
      return isNumber ? element : Optional.empty();
    }
    if (base instanceof TupleType tuple) {
      return isNumber ? ofTuple(node, tuple) : Optional.empty();
    }
    if (!(base instanceof ArrayType array)) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.base().span(),
          TypeExpression.article(base) + " has no elements",
          "arrays, strings and tuples have elements");
      return Optional.empty();
    }
    Type element =
        array.isFloatingPoint() ? IntType.of(array.size(), Signedness.UNSIGNED) : array.element();
    return isNumber && isWithin(node, array) ? Optional.of(element) : Optional.empty();
  }

  private boolean isWithin(Expr.Element node, ArrayType array) {
    if (isNegative(node.index())) {
      diagnostics.error(
          OUT_OF_RANGE,
          node.index().span(),
          "elements are counted from 0",
          array.length() == 0
              ? new String[0]
              : new String[] {"the array has elements 0 to " + (array.length() - 1)});
      return false;
    }
    OptionalLong index = ConstantValue.of(node.index());
    if (index.isPresent()) {
      // A flexible array member has length 0.
      boolean within =
          array.length() == 0 || Long.compareUnsigned(index.getAsLong(), array.length()) < 0;
      if (!within) {
        diagnostics.error(
            OUT_OF_RANGE,
            node.index().span(),
            "no element " + Long.toUnsignedString(index.getAsLong()),
            "the array has elements 0 to " + (array.length() - 1));
      }
      return within;
    }
    if (isOfContext(node.base())) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.index().span(),
          "the index of a field's element must be a literal",
          "the kernel lets probes read their record at constant offsets only");
      return false;
    }
    return true;
  }

  private static boolean isNegative(Expr index) {
    return index instanceof Expr.Unary minus
        && minus.op() == UnaryOp.NEGATE
        && minus.operand() instanceof Expr.IntLiteral literal
        && literal.value() != 0;
  }

  private static boolean isOfContext(Expr expr) {
    return expr instanceof Expr.Element element
        ? isOfContext(element.base())
        : expr instanceof Expr.Member member && TypeMember.isContext(member.base());
  }

  /** Returns whether a value is read from memory through a pointer. */
  private boolean isRead(Expr expr) {
    if (expr instanceof Expr.Unary unary) {
      return unary.op() == UnaryOp.DEREFERENCE;
    }
    if (expr instanceof Expr.Member member) {
      Type base = expressions.typeOf(member.base()).orElseThrow();
      return base instanceof PointerType pointer
          ? pointer.target() instanceof KernelStruct
          : isRead(member.base());
    }
    return expr instanceof Expr.Element element
        && (expressions.typeOf(element.base()).orElseThrow() instanceof PointerType
            || isRead(element.base()));
  }

  private Optional<Type> ofTuple(Expr.Element node, TupleType tuple) {
    if (tuple.isRecord()) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.index().span(),
          "the elements of a record have names",
          "write ." + String.join(", .", tuple.names()));
      return Optional.empty();
    }
    OptionalLong index = ConstantValue.of(node.index());
    int last = tuple.elements().size() - 1;
    if (index.isPresent() && index.getAsLong() >= 0 && index.getAsLong() <= last) {
      return Optional.of(tuple.elements().get((int) index.getAsLong()));
    }
    diagnostics.error(
        OUT_OF_RANGE,
        node.index().span(),
        index.isPresent()
            ? "no element " + index.getAsLong()
            : "the index of a tuple's element must be a literal",
        "the tuple has elements 0 to " + last);
    return Optional.empty();
  }
}
