package dev.ply.type;

import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.TupleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** C's conversions of integers to a common type, and the unification of types that share a map. */
public final class Conversions {
  private Conversions() {}

  /**
   * {@return the type of arithmetic on one operand: at least 32 bits, printed as a plain number}
   *
   * @param type of the operand
   */
  public static IntType promote(IntType type) {
    return type.bytes() < 4 ? IntType.S32 : IntType.of(type.bytes(), type.signedness());
  }

  /**
   * {@return the type of arithmetic on two operands: C's usual arithmetic conversions, except that
   * two operands of one type keep its format ({@code time - time} is still a time)}
   *
   * @param left of the first operand
   * @param right of the second operand
   */
  public static IntType common(IntType left, IntType right) {
    if (left.equals(right) && left.bytes() >= 4 && !left.isTruth()) {
      return left.named(Enumerators.NONE);
    }
    IntType a = promote(left);
    IntType b = promote(right);
    int bytes = Math.max(a.bytes(), b.bytes());
    boolean unsigned =
        (!a.isSigned() && a.bytes() == bytes) || (!b.isSigned() && b.bytes() == bytes);
    return IntType.of(bytes, unsigned ? Signedness.UNSIGNED : Signedness.SIGNED);
  }

  /**
   * {@return the integer type a scalar is computed in: an address is an unsigned 64-bit integer}
   *
   * @param type any type; the result is empty for those that are not scalars
   */
  public static Optional<IntType> asInteger(Type type) {
    if (type instanceof IntType integer) {
      return Optional.of(integer);
    }
    return type instanceof PointerType ? Optional.of(IntType.U64) : Optional.empty();
  }

  /**
   * {@return the type for a distribution of values of both types: signed if one of them is, and
   * then wider than the unsigned one where possible}
   *
   * @param first of the values of one statement
   * @param second of the values of another
   */
  public static IntType unifyDistributed(IntType first, IntType second) {
    if (first.signedness() == second.signedness()) {
      return second.bytes() > first.bytes() ? second : first;
    }
    IntType signed = first.isSigned() ? first : second;
    IntType unsigned = first.isSigned() ? second : first;
    int bytes = Math.min(8, unsigned.bytes() * 2);
    return bytes > signed.bytes() ? IntType.of(bytes, Signedness.SIGNED) : signed;
  }

  /**
   * {@return a type that holds values of both types, empty if missing: the wider integer, the
   * longer string or buffer, the function of a probe site or symbol, of tuples so each element; the
   * first of two of one size}
   *
   * @param first of the values of one statement
   * @param second of the values of another
   */
  public static Optional<Type> unify(Type first, Type second) {
    if (first instanceof IntType a && second instanceof IntType b && a.isTruth() != b.isTruth()) {
      return unify(number(a), number(b));
    }
    if (first instanceof IntType a
        && second instanceof IntType b
        && a.isStack()
        && b.isStack()
        && a.format().isOfFunctions() != b.format().isOfFunctions()) {
      return Optional.empty();
    }
    if (first.isScalar() && second.isScalar()) {
      Type wider = second.size() > first.size() ? second : first;
      if (first instanceof IntType a
          && second instanceof IntType b
          && a.format() == IntFormat.DECIMAL
          && b.format() == IntFormat.DECIMAL
          && a.size() == b.size()
          && a.size() == Long.BYTES
          && a.signedness() != b.signedness()) {
        // Of what no type of 64 bits holds, negative numbers are the likelier ones.
        return Optional.of(unifyDistributed(a, b));
      }
      return Optional.of(wider instanceof IntType integer ? named(integer, first, second) : wider);
    }
    if (first instanceof ArrayType a && second instanceof ArrayType b && a.isText() && b.isText()) {
      boolean isSecond = b.length() > a.length() || (b.length() == a.length() && b.marksCut());
      return Optional.of(isSecond ? b : a);
    }
    if (first instanceof TupleType a && second instanceof TupleType b) {
      return a.equals(b) ? Optional.of(a) : unifyTuples(a, b);
    }
    if (capacity(first).isPresent() && capacity(second).isPresent()) {
      boolean isLonger = capacity(second).getAsInt() > capacity(first).getAsInt();
      return Optional.of(isLonger ? second : first);
    }
    Optional<Type> choice = encodedOrText(first, second);
    if (choice.isPresent() && (isChoice(first) || isChoice(second))) {
      return choice;
    }
    if (isProbedFunction(first) && isSymbol(second)) {
      return Optional.of(first);
    }
    if (isSymbol(first) && isProbedFunction(second)) {
      return Optional.of(second);
    }
    return first.equals(second) ? Optional.of(first) : Optional.empty();
  }

  /**
   * {@return whether two types are pointers to structures of different names, so that the members
   * of one are not those of the other}
   *
   * @param first of a value
   * @param second of another value
   */
  public static boolean areOfDistinctStructures(Type first, Type second) {
    return first instanceof PointerType a
        && second instanceof PointerType b
        && a.target() instanceof KernelStruct one
        && b.target() instanceof KernelStruct other
        && !one.tag().equals(other.tag());
  }

  /**
   * {@return the type of strings of which some are decoded by user space, and others are the
   * program's own; empty if the types are no such strings, or of different encodings}
   *
   * @param first of some strings
   * @param second of the others
   */
  public static Optional<Type> encodedOrText(Type first, Type second) {
    Optional<Encoding> a = encoding(first);
    Optional<Encoding> b = encoding(second);
    boolean areStrings =
        (a.isPresent() || first.isText())
            && (b.isPresent() || second.isText())
            && (a.isPresent() || b.isPresent())
            && (a.isEmpty() || b.isEmpty() || a.equals(b));
    return areStrings
        ? Optional.of(
            new Type.EncodedString(
                new Encoding.EncodedOrText(
                    a.or(() -> b).orElseThrow(), Math.max(textBytes(first), textBytes(second)))))
        : Optional.empty();
  }

  private static boolean isChoice(Type type) {
    return type instanceof Type.EncodedString string
        && string.encoding() instanceof Encoding.EncodedOrText;
  }

  /** Returns what some of the strings of a type are decoded from. */
  private static Optional<Encoding> encoding(Type type) {
    if (!(type instanceof Type.EncodedString string)) {
      return Optional.empty();
    }
    Encoding encoding = string.encoding();
    if (encoding instanceof Encoding.EncodedOrText choice) {
      return Optional.of(choice.encoding());
    }
    return encoding instanceof Encoding.Buffer || encoding instanceof Encoding.QuotedString
        ? Optional.empty()
        : Optional.of(encoding);
  }

  /** Returns the size of the longest string of a type: with a NUL, after the mark of a cut one. */
  private static int textBytes(Type type) {
    if (type instanceof Type.EncodedString string) {
      return string.encoding() instanceof Encoding.EncodedOrText choice ? choice.bytes() : 0;
    }
    return (type.size() + 1 + 7) & -8;
  }

  private static boolean isProbedFunction(Type type) {
    return type instanceof Type.EncodedString string
        && string.encoding() instanceof Encoding.ProbedFunction;
  }

  private static boolean isSymbol(Type type) {
    return type instanceof IntType integer
        && integer.format() == IntFormat.SYMBOL
        && integer.bytes() == Long.BYTES;
  }

  /** Values of different enumerations, or of none, are numbers. */
  private static IntType named(IntType type, Type first, Type second) {
    boolean isSame =
        first instanceof IntType a && second instanceof IntType b && a.names().equals(b.names());
    return isSame ? type : type.named(Enumerators.NONE);
  }

  /**
   * {@return the type of a truth value that is used as a number}
   *
   * @param type of the truth value
   */
  public static IntType number(IntType type) {
    return type.isTruth() ? type.printedAs(IntFormat.DECIMAL) : type;
  }

  /** Returns the capacity of a buffer. */
  private static OptionalInt capacity(Type type) {
    return type instanceof Type.EncodedString string
            && string.encoding() instanceof Encoding.Buffer buffer
        ? OptionalInt.of(buffer.capacity())
        : OptionalInt.empty();
  }

  /** Records need the same names, in any order; the result has that of the first. */
  private static Optional<Type> unifyTuples(TupleType first, TupleType second) {
    List<Type> a = first.elements();
    List<Type> b = second.elements();
    List<String> names = first.names();
    if (a.size() != b.size()
        || first.isRecord() != second.isRecord()
        || !second.names().containsAll(names)) {
      return Optional.empty();
    }
    List<Type> both = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      unifyElements(a.get(i), b.get(second.indexOf(i, names))).ifPresent(both::add);
    }
    if (both.size() < a.size()) {
      return Optional.empty();
    }
    return Optional.of(first.isRecord() ? TupleType.ofNamed(names, both) : TupleType.of(both));
  }

  /** Narrow numbers, signed and unsigned, fit no type of their size; 64 bits are the widest. */
  private static Optional<Type> unifyElements(Type first, Type second) {
    return first instanceof IntType a
            && second instanceof IntType b
            && a.signedness() != b.signedness()
            && (a.isSigned() ? b : a).bytes() < Long.BYTES
        ? Optional.of(unifyDistributed(a, b))
        : unify(first, second);
  }
}
