package dev.ply.type;

import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.TupleType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** C's conversions of integers to a common type, and the unification of types that share a map. */
public final class Conversions {
  private Conversions() {}

  /** Returns the type of arithmetic on one operand: at least 32 bits, printed as a plain number. */
  public static IntType promote(IntType type) {
    return type.bytes() < 4 ? IntType.S32 : IntType.of(type.bytes(), type.signedness());
  }

  /**
   * Returns the type of arithmetic on two operands: C's usual arithmetic conversions, except that
   * two operands of one type keep its format ({@code time - time} is still a time).
   */
  public static IntType common(IntType left, IntType right) {
    if (left.equals(right) && left.bytes() >= 4) {
      return left;
    }
    IntType a = promote(left);
    IntType b = promote(right);
    int bytes = Math.max(a.bytes(), b.bytes());
    boolean unsigned =
        (!a.isSigned() && a.bytes() == bytes) || (!b.isSigned() && b.bytes() == bytes);
    return IntType.of(bytes, unsigned ? Signedness.UNSIGNED : Signedness.SIGNED);
  }

  /** Returns the integer type a scalar is computed in: an address is an unsigned 64-bit integer. */
  public static Optional<IntType> asInteger(Type type) {
    if (type instanceof IntType integer) {
      return Optional.of(integer);
    }
    return type instanceof PointerType ? Optional.of(IntType.U64) : Optional.empty();
  }

  /**
   * Returns the type for a distribution of values of both types: signed if one of them is, and then
   * wider than the unsigned one where possible.
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
   * Returns a type that holds values of both types, empty if there is none: the wider integer, the
   * longer string or buffer, of tuples so each element; the first of two of one size.
   */
  public static Optional<Type> unify(Type first, Type second) {
    if (first.isScalar() && second.isScalar()) {
      return Optional.of(second.size() > first.size() ? second : first);
    }
    if (first instanceof ArrayType a && second instanceof ArrayType b && a.isText() && b.isText()) {
      boolean isSecond = b.length() > a.length() || (b.length() == a.length() && b.marksCut());
      return Optional.of(isSecond ? b : a);
    }
    if (first instanceof TupleType a && second instanceof TupleType b) {
      return unifyTuples(a, b);
    }
    if (capacity(first).isPresent() && capacity(second).isPresent()) {
      boolean isLonger = capacity(second).getAsInt() > capacity(first).getAsInt();
      return Optional.of(isLonger ? second : first);
    }
    return first.equals(second) ? Optional.of(first) : Optional.empty();
  }

  /** Returns the capacity of a buffer. */
  private static OptionalInt capacity(Type type) {
    return type instanceof Type.EncodedString string
            && string.encoding() instanceof Encoding.Buffer buffer
        ? OptionalInt.of(buffer.capacity())
        : OptionalInt.empty();
  }

  private static Optional<Type> unifyTuples(TupleType first, TupleType second) {
    List<Type> a = first.elements();
    List<Type> b = second.elements();
    List<Type> both = new ArrayList<>();
    for (int i = 0; i < a.size() && a.size() == b.size(); i++) {
      unify(a.get(i), b.get(i)).ifPresent(both::add);
    }
    return a.size() == b.size() && both.size() == a.size()
        ? Optional.of(TupleType.of(both))
        : Optional.empty();
  }
}
