package dev.ply.bpf.reference;

import static dev.ply.bpf.reference.ByteStrings.beforeNul;
import static dev.ply.bpf.reference.ByteStrings.padded;

import dev.ply.table.Datum;
import dev.ply.type.Conversions;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.TupleType;
import dev.ply.type.Type.VoidType;
import java.util.ArrayList;
import java.util.List;

/** Values as their types hold them. */
final class DatumConversions {
  private DatumConversions() {}

  /** Returns what a variable or an entry of a type has before it is set. */
  static Datum zero(Type type) {
    if (type instanceof TupleType tuple) {
      return new Datum.Tuple(tuple.elements().stream().map(DatumConversions::zero).toList());
    }
    return type.isScalar()
        ? scalar(CInteger.of(0, integer(type)), type)
        : new Datum.Text("\0".repeat(type.size()));
  }

  /** Returns a value as a type that has room for it holds it. */
  static Datum converted(Datum value, Type type) {
    if (type instanceof TupleType tuple) {
      List<Datum> elements = new ArrayList<>();
      for (int i = 0; i < tuple.elements().size(); i++) {
        elements.add(converted(((Datum.Tuple) value).elements().get(i), tuple.elements().get(i)));
      }
      return new Datum.Tuple(elements);
    }
    return type.isScalar()
        ? scalar(CInteger.of(bits(value), integer(type)), type)
        : resized((Datum.Text) value, type);
  }

  /** Returns a string as a type holds it: only one of its own size tells that it was cut. */
  static Datum.Text resized(Datum.Text text, Type type) {
    int size = type.size();
    return new Datum.Text(
        padded(text.bytes(), size), text.isCut() && text.bytes().length() == size);
  }

  /** An address without a type is just a number, and prints as one. */
  static Datum scalar(CInteger number, Type type) {
    long bits = number.value().longValue();
    if (type instanceof PointerType pointer) {
      return pointer.target() instanceof VoidType
          ? new Datum.Int(bits, IntType.U64)
          : new Datum.Address(bits, pointer);
    }
    return new Datum.Int(bits, (IntType) type);
  }

  /** Returns whether two values of one type are equal: strings up to their NUL. */
  static boolean isEqual(Datum left, Datum right) {
    if (left instanceof Datum.Tuple a && right instanceof Datum.Tuple b) {
      for (int i = 0; i < a.elements().size(); i++) {
        if (!isEqual(a.elements().get(i), b.elements().get(i))) {
          return false;
        }
      }
      return true;
    }
    return (left instanceof Datum.Text a && right instanceof Datum.Text b)
        ? beforeNul(a.bytes()).equals(beforeNul(b.bytes()))
        : bits(left) == bits(right);
  }

  static long bits(Datum datum) {
    return datum instanceof Datum.Address address ? address.value() : ((Datum.Int) datum).value();
  }

  static IntType integer(Type type) {
    return Conversions.asInteger(type).orElseThrow();
  }
}
