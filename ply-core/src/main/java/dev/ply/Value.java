package dev.ply;

import dev.ply.builtin.Builtin;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeOf;
import dev.ply.ir.UnaryOp;
import java.util.List;
import java.util.Optional;

/**
 * A value that a probe computes on a hit: a built-in, a constant, or an operation on other values,
 * with C's arithmetic. Created by the methods of {@link Values}.
 */
public sealed class Value permits Scratch, Variable {
  private final Expr expr;

  Value(Expr expr) {
    this.expr = expr;
  }

  /**
   * {@return the value of an expression as IR}
   *
   * @param expr of any kind
   */
  public static Value of(Expr expr) {
    return new Value(expr);
  }

  /** {@return the expression as IR} */
  public Expr expr() {
    return expr;
  }

  /**
   * {@return the sum of this and another value}
   *
   * @param other a value of this trace
   */
  public Value plus(Value other) {
    return binary(BinaryOp.ADD, other);
  }

  /**
   * {@return the sum of this value and a constant}
   *
   * @param constant the other operand
   */
  public Value plus(long constant) {
    return plus(Values.number(constant));
  }

  /**
   * {@return the difference of this and another value}
   *
   * @param other a value of this trace
   */
  public Value minus(Value other) {
    return binary(BinaryOp.SUB, other);
  }

  /**
   * {@return the difference of this value and a constant}
   *
   * @param constant the other operand
   */
  public Value minus(long constant) {
    return minus(Values.number(constant));
  }

  /**
   * {@return the product of this and another value}
   *
   * @param other a value of this trace
   */
  public Value times(Value other) {
    return binary(BinaryOp.MUL, other);
  }

  /**
   * {@return the product of this value and a constant}
   *
   * @param constant the other operand
   */
  public Value times(long constant) {
    return times(Values.number(constant));
  }

  /**
   * {@return the quotient of this and another value, truncated; x / 0 is 0}
   *
   * @param other the divisor; zero yields zero
   */
  public Value dividedBy(Value other) {
    return binary(BinaryOp.DIV, other);
  }

  /**
   * {@return the quotient of this value and a constant, truncated}
   *
   * @param constant the divisor, not zero
   */
  public Value dividedBy(long constant) {
    return dividedBy(Values.number(constant));
  }

  /**
   * {@return the remainder of this value's division by another; x % 0 is x}
   *
   * @param other the divisor; zero yields this value
   */
  public Value modulo(Value other) {
    return binary(BinaryOp.MOD, other);
  }

  /**
   * {@return the remainder of this value's division by a constant}
   *
   * @param constant the divisor, not zero
   */
  public Value modulo(long constant) {
    return modulo(Values.number(constant));
  }

  /**
   * {@return the bitwise and of this and another value}
   *
   * @param other a value of this trace
   */
  public Value bitAnd(Value other) {
    return binary(BinaryOp.AND, other);
  }

  /**
   * {@return the bitwise and of this value and a mask}
   *
   * @param mask the bits to keep
   */
  public Value bitAnd(long mask) {
    return bitAnd(Values.number(mask));
  }

  /**
   * {@return the bitwise or of this and another value}
   *
   * @param other a value of this trace
   */
  public Value bitOr(Value other) {
    return binary(BinaryOp.OR, other);
  }

  /**
   * {@return the bitwise exclusive or of this and another value}
   *
   * @param other a value of this trace
   */
  public Value bitXor(Value other) {
    return binary(BinaryOp.XOR, other);
  }

  /**
   * {@return this value shifted left}
   *
   * @param bits 0 to 63
   */
  public Value shiftLeft(int bits) {
    return shiftLeft(Values.number(bits));
  }

  /**
   * {@return this value shifted left by another}
   *
   * @param bits 0 to 63
   */
  public Value shiftLeft(Value bits) {
    return binary(BinaryOp.SHL, bits);
  }

  /**
   * {@return this value shifted right; arithmetically if signed}
   *
   * @param bits 0 to 63
   */
  public Value shiftRight(int bits) {
    return shiftRight(Values.number(bits));
  }

  /**
   * {@return this value shifted right by another}
   *
   * @param bits 0 to 63
   */
  public Value shiftRight(Value bits) {
    return binary(BinaryOp.SHR, bits);
  }

  /**
   * {@return {@code then} where this is not zero, else {@code otherwise}}
   *
   * @param then the value if this is not zero
   * @param otherwise the value if this is zero
   */
  public Value choose(Value then, Value otherwise) {
    return new Value(
        new Expr.Conditional(expr(), Optional.of(then.expr()), otherwise.expr(), CallSite.here()));
  }

  /**
   * {@return this value where it is not zero, else another}
   *
   * @param otherwise the value if this is zero
   */
  public Value orElse(Value otherwise) {
    return new Value(
        new Expr.Conditional(expr(), Optional.empty(), otherwise.expr(), CallSite.here()));
  }

  /**
   * {@return this value cast to a type: {@code uint32}, {@code struct sock *}}
   *
   * @param type as C writes it: {@code "u32"}, {@code "struct task_struct *"}
   */
  public Value cast(String type) {
    return new Value(new Expr.Cast(TypeName.parse(type), expr(), CallSite.here()));
  }

  /**
   * {@return this value cast to the type of another, which is not evaluated}
   *
   * @param other whose type is meant
   */
  public Value castToTypeOf(Value other) {
    return new Value(new Expr.Cast(new TypeOf(other.expr(), 0), expr(), CallSite.here()));
  }

  /**
   * {@return whether this equals another value; both are numbers or strings}
   *
   * @param other a value of this trace
   */
  public Value eq(Value other) {
    return binary(BinaryOp.EQ, other);
  }

  /**
   * {@return whether this equals a constant}
   *
   * @param constant the other operand
   */
  public Value eq(long constant) {
    return eq(Values.number(constant));
  }

  /**
   * {@return whether this string equals a constant}
   *
   * @param text the string
   */
  public Value eq(String text) {
    return eq(Values.text(text));
  }

  /**
   * {@return whether this differs from another value; both are numbers or strings}
   *
   * @param other a value of this trace
   */
  public Value ne(Value other) {
    return binary(BinaryOp.NE, other);
  }

  /**
   * {@return whether this differs from a constant}
   *
   * @param constant the other operand
   */
  public Value ne(long constant) {
    return ne(Values.number(constant));
  }

  /**
   * {@return whether this string differs from a constant}
   *
   * @param text the string
   */
  public Value ne(String text) {
    return ne(Values.text(text));
  }

  /**
   * {@return whether this is less than another value}
   *
   * @param other the number to compare with
   */
  public Value lt(Value other) {
    return binary(BinaryOp.LT, other);
  }

  /**
   * {@return whether this is less than a constant}
   *
   * @param constant the number to compare with
   */
  public Value lt(long constant) {
    return lt(Values.number(constant));
  }

  /**
   * {@return whether this is at most another value}
   *
   * @param other the number to compare with
   */
  public Value le(Value other) {
    return binary(BinaryOp.LE, other);
  }

  /**
   * {@return whether this is at most a constant}
   *
   * @param constant the number to compare with
   */
  public Value le(long constant) {
    return le(Values.number(constant));
  }

  /**
   * {@return whether this is greater than another value}
   *
   * @param other the number to compare with
   */
  public Value gt(Value other) {
    return binary(BinaryOp.GT, other);
  }

  /**
   * {@return whether this is greater than a constant}
   *
   * @param constant the number to compare with
   */
  public Value gt(long constant) {
    return gt(Values.number(constant));
  }

  /**
   * {@return whether this is at least another value}
   *
   * @param other the number to compare with
   */
  public Value ge(Value other) {
    return binary(BinaryOp.GE, other);
  }

  /**
   * {@return whether this is at least a constant}
   *
   * @param constant the number to compare with
   */
  public Value ge(long constant) {
    return ge(Values.number(constant));
  }

  /**
   * {@return the logical and; the other value is evaluated only if this is not zero}
   *
   * @param other a value of this trace
   */
  public Value and(Value other) {
    return binary(BinaryOp.LOGICAL_AND, other);
  }

  /**
   * {@return the logical or; the other value is evaluated only if this is zero}
   *
   * @param other a value of this trace
   */
  public Value or(Value other) {
    return binary(BinaryOp.LOGICAL_OR, other);
  }

  /**
   * {@return the logical exclusive or of this and another value}
   *
   * @param other a value of this trace
   */
  public Value xor(Value other) {
    return binary(BinaryOp.LOGICAL_XOR, other);
  }

  /** {@return the logical negation: 1 for zero, else 0} */
  public Value not() {
    return unary(UnaryOp.NOT);
  }

  /** {@return the arithmetic negation} */
  public Value negate() {
    return unary(UnaryOp.NEGATE);
  }

  /** {@return the bitwise complement} */
  public Value complement() {
    return unary(UnaryOp.COMPLEMENT);
  }

  /** {@return the value that this pointer points to} */
  public Value dereference() {
    return unary(UnaryOp.DEREFERENCE);
  }

  /** {@return the address of this member, of this element, or of a pointer's target} */
  public Value address() {
    return unary(UnaryOp.ADDRESS_OF);
  }

  /**
   * {@return a member of the structure that this pointer points to, {@code p->name}}
   *
   * @param name of the member, as the kernel declares it
   */
  public Value member(String name) {
    SourceSpan here = CallSite.here();
    return new Value(new Expr.Member(expr, Expr.Member.Access.ARROW, name, here, here));
  }

  /**
   * {@return an element of this array or pointer, counted from 0}
   *
   * @param index counted from 0
   */
  public Value element(Value index) {
    return new Value(new Expr.Element(expr, index.expr(), CallSite.here()));
  }

  /**
   * {@return an element of this array or pointer, counted from 0}
   *
   * @param index counted from 0
   */
  public Value element(int index) {
    return element(Values.number(index));
  }

  /**
   * {@return an element of this tuple, counted from 0}
   *
   * @param index of the element, counted from 0
   */
  public Value part(int index) {
    return field(Integer.toString(index));
  }

  /**
   * {@return a member of this structure, {@code s.name}}
   *
   * @param name of the member, as the kernel declares it
   */
  public Value field(String name) {
    SourceSpan here = CallSite.here();
    return new Value(new Expr.Member(expr, Expr.Member.Access.DOT, name, here, here));
  }

  private Value unary(UnaryOp op) {
    return new Value(new Expr.Unary(op, expr, CallSite.here()));
  }

  private Value binary(BinaryOp op, Value other) {
    return new Value(new Expr.Binary(op, expr, other.expr, CallSite.here()));
  }

  /**
   * {@return the value of a built-in, called with arguments if it is a function}
   *
   * @param function a built-in value or function
   * @param arguments in order
   */
  public static Value call(Builtin function, Value... arguments) {
    return new Value(new Expr.Call(function, exprs(arguments), CallSite.here()));
  }

  static List<Expr> exprs(Value... values) {
    return java.util.Arrays.stream(values).map(Value::expr).toList();
  }
}
