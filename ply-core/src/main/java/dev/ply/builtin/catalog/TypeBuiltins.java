package dev.ply.builtin.catalog;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.Expr;
import dev.ply.type.Encoding;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import java.util.List;
import java.util.Optional;

/** Questions about the type of an expression, answered when the script is compiled. */
public final class TypeBuiltins {
  /** Whether an expression is a string. */
  public static final Predicate IS_STR =
      new Predicate("is_str", "a string", "comm") {
        @Override
        public boolean holds(Expr argument, Type type) {
          return type.isText()
              || (type instanceof Type.EncodedString string
                  && !(string.encoding() instanceof Encoding.Buffer));
        }
      };

  /** Whether an expression is a pointer. */
  public static final Predicate IS_PTR =
      new Predicate("is_ptr", "a pointer", "curtask") {
        @Override
        public boolean holds(Expr argument, Type type) {
          return type instanceof PointerType;
        }
      };

  /** Whether an expression is an array, and no string. */
  public static final Predicate IS_ARRAY =
      new Predicate("is_array", "an array, and no string", "pton(\"::1\")") {
        @Override
        public boolean holds(Expr argument, Type type) {
          return type instanceof ArrayType && !type.isText();
        }
      };

  /** Whether an expression is an integer. */
  public static final Predicate IS_INTEGER =
      new Predicate("is_integer", "an integer", "pid") {
        @Override
        public boolean holds(Expr argument, Type type) {
          return type instanceof IntType;
        }
      };

  /** Whether an expression is an unsigned integer. */
  public static final Predicate IS_UNSIGNED_INTEGER =
      new Predicate("is_unsigned_integer", "an unsigned integer", "pid") {
        @Override
        public boolean holds(Expr argument, Type type) {
          return type instanceof IntType integer && !integer.isSigned();
        }
      };

  /** Whether an expression is a literal. */
  public static final Predicate IS_LITERAL =
      new Predicate("is_literal", "a literal, such as 1, true or \"text\"", "1") {
        @Override
        public boolean holds(Expr argument, Type type) {
          return argument instanceof Expr.IntLiteral
              || argument instanceof Expr.StringLiteral
              || (argument instanceof Expr.Cast cast
                  && type instanceof IntType truth
                  && truth.isTruth()
                  && cast.operand() instanceof Expr.IntLiteral);
        }
      };

  /** Refuses the script unless an expression is a string. */
  public static final Builtin ASSERT_STR =
      new Builtin(Signature.of(Parameter.VALUE), Effect.EVENT, "assert_str") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr argument = call.arguments().get(0);
          Optional<Type> type = typing.apply(argument);
          if (type.isPresent() && !IS_STR.holds(argument, type.get())) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.TYPE_MISMATCH,
                    argument.span(),
                    "this must be a string, but is " + type.get().withArticle(),
                    "str(address) reads the string at an address");
          }
          return Optional.of(new Type.VoidType());
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "nothing",
              """
              Refuses the script unless an expression, which is not evaluated, is a string.
              """,
              """
              BEGIN { assert_str(comm); exit(0); }
              """,
              "assert_str(value)");
        }
      };

  private static final ImmutableList<Predicate> PREDICATES =
      ImmutableList.of(IS_STR, IS_PTR, IS_ARRAY, IS_INTEGER, IS_UNSIGNED_INTEGER, IS_LITERAL);

  static final ImmutableList<Builtin> ALL =
      ImmutableList.<Builtin>builder().addAll(PREDICATES).add(ASSERT_STR).build();

  private TypeBuiltins() {}

  /** {@return all predicates} */
  public static List<Predicate> predicates() {
    return PREDICATES;
  }

  /** A predicate on the type of an expression; the expression is not evaluated. */
  public abstract static class Predicate extends Builtin {
    private final String what;
    private final String example;

    Predicate(String name, String what, String example) {
      super(Signature.of(Parameter.VALUE), Effect.PURE, name);
      this.what = what;
      this.example = example;
    }

    /** {@return whether the predicate is true} */
    public abstract boolean holds(Expr argument, Type type);

    @Override
    public final Optional<Type> type(Expr.Call call, Typing typing) {
      return typing.apply(call.arguments().get(0)).map(unused -> IntType.TRUTH);
    }

    @Override
    public final Documentation documentation() {
      return new Documentation(
          "int",
          "1 if an expression, which is not evaluated, is "
              + what
              + ", else 0; a constant. Branches that it excludes are not type-checked.\n",
          "BEGIN { print(" + canonicalName() + "(" + example + ")); exit(0); }\n",
          canonicalName() + "(value)");
    }
  }
}
