package dev.ply.binding;

import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.EncodedString;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.TupleType;
import java.util.Optional;

/** Decides which components take values of which types. */
public final class ComponentCheck {
  private ComponentCheck() {}

  /**
   * Why a component does not take a value.
   *
   * @param message a clause
   * @param hint what to do instead
   */
  public record Mismatch(String message, String hint) {}

  /** Returns why a component does not take values of a type; empty if it does. */
  public static Optional<Mismatch> mismatch(Component component, Type type) {
    return switch (component.kind()) {
      case BOOLEAN, DURATION, ERRNO, SYSTEM_CALL ->
          isNumber(type) ? Optional.empty() : noNumber(type);
      case INTEGER -> integer(component, type);
      case STRING -> string(type);
      case INSTANT -> instant(type);
      case ENUM -> constant(component, type);
      case BYTES ->
          type instanceof ArrayType || type instanceof StructType
              ? Optional.empty()
              : mismatch(type, remedy(type));
      case ADDRESS ->
          type instanceof EncodedString string
                  && string.encoding() instanceof Encoding.InternetAddress
              ? Optional.empty()
              : mismatch(type, "Internet addresses come from ntop(…)");
      case STACK ->
          type.isStack()
              ? Optional.empty()
              : mismatch(type, "stacks are stack(), ustack() and bothStacks()");
      case RECORD, OTHER ->
          Optional.of(
              new Mismatch(
                  "no value is decoded to this type; this is " + described(type), remedy(type)));
    };
  }

  private static Optional<Mismatch> integer(Component component, Type type) {
    if (!isNumber(type) && !(type instanceof PointerType)) {
      return noNumber(type);
    }
    int bits = bits(component.primitive());
    int needed = type.size() * Byte.SIZE;
    return bits >= needed
        ? Optional.empty()
        : Optional.of(
            new Mismatch(
                "it has " + bits + " bits; this is " + described(type) + " of " + needed,
                remedy(type)));
  }

  private static Optional<Mismatch> string(Type type) {
    boolean isString =
        type.isText()
            || type instanceof EncodedString
            || (type instanceof IntType integer && isNamed(integer));
    return isString ? Optional.empty() : mismatch(type, remedy(type));
  }

  private static Optional<Mismatch> instant(Type type) {
    boolean isTime =
        type instanceof EncodedString string
            ? string.encoding() instanceof Encoding.Time
            : type instanceof IntType integer
                && (integer.format().isPointInTime() || integer.format().isDuration());
    return isTime ? Optional.empty() : mismatch(type, "times are time() and walltime()");
  }

  private static Optional<Mismatch> constant(Component component, Type type) {
    if (!isNumber(type)) {
      return noNumber(type);
    }
    return component.numbers().isTotal()
        ? Optional.empty()
        : Optional.of(
            new Mismatch(
                "the enum has no constant UNKNOWN for the numbers that no other constant has",
                "add one"));
  }

  private static Optional<Mismatch> noNumber(Type type) {
    return mismatch(type, remedy(type));
  }

  private static Optional<Mismatch> mismatch(Type type, String hint) {
    return Optional.of(new Mismatch("this is " + described(type), hint));
  }

  /** Returns whether a value is a plain number; the numbers of stacks have no meaning. */
  private static boolean isNumber(Type type) {
    return type instanceof IntType integer
        && !type.isStack()
        && integer.format() != IntFormat.PROBE;
  }

  /** Returns whether a number stands for a name. */
  public static boolean isNamed(IntType type) {
    return switch (type.format()) {
      case SYMBOL, PROBE, CGROUP -> true;
      default -> false;
    };
  }

  private static int bits(Class<?> primitive) {
    if (primitive == byte.class) {
      return Byte.SIZE;
    }
    if (primitive == short.class || primitive == char.class) {
      return Short.SIZE;
    }
    return primitive == int.class ? Integer.SIZE : Long.SIZE;
  }

  private static String described(Type type) {
    if (type.isStack()) {
      return "a stack trace";
    }
    if (type.isText()) {
      return "a string";
    }
    if (type instanceof IntType integer) {
      return integer.format() == IntFormat.PROBE ? "the name of a probe" : "a number";
    }
    return type instanceof PointerType ? "an address" : type.withArticle();
  }

  private static String remedy(Type type) {
    return type instanceof TupleType
        ? "give the elements of the tuple instead, with part(0), part(1), …"
        : "declare it as " + javaType(type);
  }

  /** Returns the usual Java type for values of a type. */
  private static String javaType(Type type) {
    if (type.isStack()) {
      return "Stack";
    }
    if (type instanceof IntType integer && isNamed(integer)) {
      return "String";
    }
    if (type instanceof EncodedString string) {
      return string.encoding() instanceof Encoding.InternetAddress
          ? "String or InetAddress"
          : "String";
    }
    if (type.isText()) {
      return "String";
    }
    if (type.isScalar()) {
      return type.size() < Long.BYTES ? "int" : "long";
    }
    return "byte[]";
  }
}
