package dev.ply.value;

import dev.ply.CallSite;
import dev.ply.Value;
import dev.ply.Values;
import dev.ply.builtin.catalog.TypeBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.TypeName;
import java.util.List;

/**
 * Types, their sizes, and constants of the kernel. Meant for static import, beside {@link Values}.
 */
public final class TypeValues {
  private TypeValues() {}

  /**
   * {@return a kernel constant: an enumerator, on kernels with BTF, or a macro of the kernel's
   * headers}
   *
   * @param name in capitals: {@code TCP_ESTABLISHED}, {@code O_CREAT}
   * @throws IllegalArgumentException if the name has other characters than capitals, digits and
   *     underscores
   */
  public static Value constant(String name) {
    if (!Expr.NamedConstant.isName(name)) {
      throw new IllegalArgumentException("not the name of a constant: " + name);
    }
    return Value.of(new Expr.NamedConstant(name, CallSite.here()));
  }

  /**
   * {@return 1 if a value is a string, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isString(Value value) {
    return Value.call(TypeBuiltins.IS_STR, value);
  }

  /**
   * {@return 1 if a value is a pointer, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isPointer(Value value) {
    return Value.call(TypeBuiltins.IS_PTR, value);
  }

  /**
   * {@return 1 if a value is an array and no string, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isArray(Value value) {
    return Value.call(TypeBuiltins.IS_ARRAY, value);
  }

  /**
   * {@return 1 if a value is an integer, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isInteger(Value value) {
    return Value.call(TypeBuiltins.IS_INTEGER, value);
  }

  /**
   * {@return 1 if a value is an unsigned integer, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isUnsignedInteger(Value value) {
    return Value.call(TypeBuiltins.IS_UNSIGNED_INTEGER, value);
  }

  /**
   * {@return 1 if a value is a literal, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isLiteral(Value value) {
    return Value.call(TypeBuiltins.IS_LITERAL, value);
  }

  /**
   * {@return the size in bytes of a type: {@code uint32}, {@code struct sock}}
   *
   * @param type as C writes it: {@code "struct task_struct"}
   */
  public static Value sizeOf(String type) {
    SourceSpan here = CallSite.here();
    return Value.of(new Expr.SizeOfType(TypeName.parse(type), here));
  }

  /**
   * {@return the offset in bytes of a member from the start of a structure, {@code struct sock}}
   *
   * @param type as C writes it: {@code "struct task_struct"}
   * @param path the names of the members that lead to it
   */
  public static Value offsetOf(String type, String... path) {
    SourceSpan here = CallSite.here();
    return Value.of(new Expr.OffsetOf(TypeName.parse(type), List.of(path), here));
  }

  /**
   * {@return the size in bytes of a value}
   *
   * @param value whose type is meant; it is not evaluated
   */
  public static Value sizeOf(Value value) {
    return Value.of(new Expr.SizeOf(value.expr(), CallSite.here()));
  }
}
