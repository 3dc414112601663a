package dev.ply;

import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.TypeName;
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

  /** Returns the expression as IR. */
  public Expr expr() {
    return expr;
  }

  /** Returns the sum of this and another value. */
  public Value plus(Value other) {
    return binary(BinaryOp.ADD, other);
  }

  /** Returns the sum of this value and a constant. */
  public Value plus(long constant) {
    return plus(Values.number(constant));
  }

  /** Returns the difference of this and another value. */
  public Value minus(Value other) {
    return binary(BinaryOp.SUB, other);
  }

  /** Returns the difference of this value and a constant. */
  public Value minus(long constant) {
    return minus(Values.number(constant));
  }

  /** Returns the product of this and another value. */
  public Value times(Value other) {
    return binary(BinaryOp.MUL, other);
  }

  /** Returns the product of this value and a constant. */
  public Value times(long constant) {
    return times(Values.number(constant));
  }

  /** Returns the quotient of this and another value, truncated; x / 0 is 0. */
  public Value dividedBy(Value other) {
    return binary(BinaryOp.DIV, other);
  }

  /** Returns the quotient of this value and a constant, truncated. */
  public Value dividedBy(long constant) {
    return dividedBy(Values.number(constant));
  }

  /** Returns the remainder of this value's division by another; x % 0 is x. */
  public Value modulo(Value other) {
    return binary(BinaryOp.MOD, other);
  }

  /** Returns the remainder of this value's division by a constant. */
  public Value modulo(long constant) {
    return modulo(Values.number(constant));
  }

  /** Returns the bitwise and of this and another value. */
  public Value bitAnd(Value other) {
    return binary(BinaryOp.AND, other);
  }

  /** Returns the bitwise and of this value and a mask. */
  public Value bitAnd(long mask) {
    return bitAnd(Values.number(mask));
  }

  /** Returns the bitwise or of this and another value. */
  public Value bitOr(Value other) {
    return binary(BinaryOp.OR, other);
  }

  /** Returns the bitwise exclusive or of this and another value. */
  public Value bitXor(Value other) {
    return binary(BinaryOp.XOR, other);
  }

  /** Returns this value shifted left. */
  public Value shiftLeft(int bits) {
    return shiftLeft(Values.number(bits));
  }

  /** Returns this value shifted left by another. */
  public Value shiftLeft(Value bits) {
    return binary(BinaryOp.SHL, bits);
  }

  /** Returns this value shifted right; arithmetically if signed. */
  public Value shiftRight(int bits) {
    return shiftRight(Values.number(bits));
  }

  /** Returns this value shifted right by another. */
  public Value shiftRight(Value bits) {
    return binary(BinaryOp.SHR, bits);
  }

  /** Returns {@code then} where this is not zero, else {@code otherwise}. */
  public Value choose(Value then, Value otherwise) {
    return new Value(
        new Expr.Conditional(expr(), Optional.of(then.expr()), otherwise.expr(), CallSite.here()));
  }

  /** Returns this value where it is not zero, else another. */
  public Value orElse(Value otherwise) {
    return new Value(
        new Expr.Conditional(expr(), Optional.empty(), otherwise.expr(), CallSite.here()));
  }

  /** Returns this value cast to a type: {@code uint32}, {@code struct sock *}. */
  public Value cast(String type) {
    return new Value(new Expr.Cast(typeName(type), expr(), CallSite.here()));
  }

  static TypeName typeName(String type) {
    String base = type.replace("*", "").strip();
    return new TypeName(base, (int) type.chars().filter(c -> c == '*').count());
  }

  /** Returns whether this equals another value; both are numbers or strings. */
  public Value eq(Value other) {
    return binary(BinaryOp.EQ, other);
  }

  /** Returns whether this equals a constant. */
  public Value eq(long constant) {
    return eq(Values.number(constant));
  }

  /** Returns whether this string equals a constant. */
  public Value eq(String text) {
    return eq(Values.text(text));
  }

  /** Returns whether this differs from another value; both are numbers or strings. */
  public Value ne(Value other) {
    return binary(BinaryOp.NE, other);
  }

  /** Returns whether this differs from a constant. */
  public Value ne(long constant) {
    return ne(Values.number(constant));
  }

  /** Returns whether this string differs from a constant. */
  public Value ne(String text) {
    return ne(Values.text(text));
  }

  /** Returns whether this is less than another value. */
  public Value lt(Value other) {
    return binary(BinaryOp.LT, other);
  }

  /** Returns whether this is less than a constant. */
  public Value lt(long constant) {
    return lt(Values.number(constant));
  }

  /** Returns whether this is at most another value. */
  public Value le(Value other) {
    return binary(BinaryOp.LE, other);
  }

  /** Returns whether this is at most a constant. */
  public Value le(long constant) {
    return le(Values.number(constant));
  }

  /** Returns whether this is greater than another value. */
  public Value gt(Value other) {
    return binary(BinaryOp.GT, other);
  }

  /** Returns whether this is greater than a constant. */
  public Value gt(long constant) {
    return gt(Values.number(constant));
  }

  /** Returns whether this is at least another value. */
  public Value ge(Value other) {
    return binary(BinaryOp.GE, other);
  }

  /** Returns whether this is at least a constant. */
  public Value ge(long constant) {
    return ge(Values.number(constant));
  }

  /** Returns the logical and; the other value is evaluated only if this is not zero. */
  public Value and(Value other) {
    return binary(BinaryOp.LOGICAL_AND, other);
  }

  /** Returns the logical or; the other value is evaluated only if this is zero. */
  public Value or(Value other) {
    return binary(BinaryOp.LOGICAL_OR, other);
  }

  /** Returns the logical exclusive or of this and another value. */
  public Value xor(Value other) {
    return binary(BinaryOp.LOGICAL_XOR, other);
  }

  /** Returns the logical negation: 1 for zero, else 0. */
  public Value not() {
    return unary(UnaryOp.NOT);
  }

  /** Returns the arithmetic negation. */
  public Value negate() {
    return unary(UnaryOp.NEGATE);
  }

  /** Returns the bitwise complement. */
  public Value complement() {
    return unary(UnaryOp.COMPLEMENT);
  }

  /** Returns the value that this pointer points to. */
  public Value dereference() {
    return unary(UnaryOp.DEREFERENCE);
  }

  /** Returns the address of this member, of this element, or of a pointer's target. */
  public Value address() {
    return unary(UnaryOp.ADDRESS_OF);
  }

  /** Returns a member of the structure that this pointer points to, {@code p->name}. */
  public Value member(String name) {
    SourceSpan here = CallSite.here();
    return new Value(new Expr.Member(expr, Expr.Member.Access.ARROW, name, here, here));
  }

  /** Returns an element of this array or pointer, counted from 0. */
  public Value element(Value index) {
    return new Value(new Expr.Element(expr, index.expr(), CallSite.here()));
  }

  /** Returns an element of this array or pointer, counted from 0. */
  public Value element(int index) {
    return element(Values.number(index));
  }

  /** Returns an element of this tuple, counted from 0. */
  public Value part(int index) {
    return field(Integer.toString(index));
  }

  /** Returns a member of this structure, {@code s.name}. */
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

  static List<Expr> exprs(Value... values) {
    return java.util.Arrays.stream(values).map(Value::expr).toList();
  }
}
