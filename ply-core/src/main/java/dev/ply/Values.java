package dev.ply;

import dev.ply.builtin.catalog.MapBuiltins;
import dev.ply.builtin.catalog.TypeBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Creates the values of probes; meant for static import, which is why the files of its subjects are
 * its superclasses.
 */
public final class Values extends ProbeValues {
  private static final Pattern VARIABLE = Pattern.compile("@[A-Za-z0-9_]*|[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern SCRATCH = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private Values() {}

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
    return new Value(new Expr.NamedConstant(name, CallSite.here()));
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
   * {@return a constant}
   *
   * @param value of 64 bits
   */
  public static Value number(long value) {
    return new Value(Expr.number(value, CallSite.here()));
  }

  /**
   * {@return a constant string}
   *
   * @param value without NUL
   */
  public static Value text(String value) {
    return new Value(new Expr.StringLiteral(value, CallSite.here()));
  }

  /**
   * {@return a variable shared by probes: one value for each combination of keys, initially zero}
   *
   * @param name letters, digits and underscores, after an {@code @} if it aggregates; the same name
   *     denotes the same variable throughout a trace
   * @param keys numbers or strings, none for a single value
   * @throws IllegalArgumentException if the name has other characters, or none
   */
  public static Variable variable(String name, Value... keys) {
    if (!VARIABLE.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "\""
              + name
              + "\" is no name of a variable: it has letters, digits and underscores, after"
              + " an @ if it aggregates");
    }
    SourceSpan here = CallSite.here();
    return new Variable(new MapRef(name, Value.exprs(keys), here), here);
  }

  /**
   * {@return whether a variable has an entry for its keys: 1 or 0}
   *
   * @param variable of the same trace
   */
  public static Value hasKey(Variable variable) {
    return Value.call(MapBuiltins.HAS_KEY, variable);
  }

  /**
   * {@return whether a variable has an entry for its keys, whose value is then assigned: 1 or 0}
   *
   * @param variable of the same trace
   * @param found keeps its value if there is no entry
   */
  public static Value find(Variable variable, Scratch found) {
    return Value.call(MapBuiltins.FIND, variable, found);
  }

  /**
   * {@return the number of entries of a variable with keys} Needs kernel 5.13.
   *
   * @param variable of the same trace
   */
  public static Value len(Variable variable) {
    SourceSpan here = CallSite.here();
    MapRef whole = new MapRef(variable.map().name(), List.of(), here);
    return new Value(new Expr.Call(MapBuiltins.LEN, List.of(new Expr.MapRead(whole, here)), here));
  }

  /**
   * {@return a tuple, whose elements {@link Value#part} selects}
   *
   * @param elements at least one, numbers or strings
   */
  public static Value tuple(Value... elements) {
    return new Value(new Expr.Tuple(Value.exprs(elements), CallSite.here()));
  }

  /**
   * {@return a scratch variable, to be set with {@link Actions#let} or {@link Actions#set(Scratch,
   * Value)} before it is read}
   *
   * @param name without {@code $}
   */
  public static Scratch scratch(String name) {
    if (!SCRATCH.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "\""
              + name
              + "\" is no name of a scratch variable: it has letters, digits and"
              + " underscores, the first no digit; its $ is added");
    }
    return new Scratch("$" + name, CallSite.here());
  }

  /**
   * {@return the size in bytes of a type: {@code uint32}, {@code struct sock}}
   *
   * @param type as C writes it: {@code "struct task_struct"}
   */
  public static Value sizeOf(String type) {
    SourceSpan here = CallSite.here();
    return new Value(new Expr.SizeOfType(Value.typeName(type), here));
  }

  /**
   * {@return the offset in bytes of a member from the start of a structure, {@code struct sock}}
   *
   * @param type as C writes it: {@code "struct task_struct"}
   * @param path the names of the members that lead to it
   */
  public static Value offsetOf(String type, String... path) {
    SourceSpan here = CallSite.here();
    return new Value(new Expr.OffsetOf(Value.typeName(type), List.of(path), here));
  }

  /**
   * {@return the size in bytes of a value}
   *
   * @param value whose type is meant; it is not evaluated
   */
  public static Value sizeOf(Value value) {
    return new Value(new Expr.SizeOf(value.expr(), CallSite.here()));
  }
}
