package dev.ply.lang.events.translate;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.aggregate.AggregateFunctions;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.StringBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Aggregation;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.TypeName;
import dev.ply.ir.UnaryOp;
import dev.ply.machine.Architecture;
import dev.ply.result.TraceLine;
import java.util.ArrayList;
import java.util.List;

/** Creates the nodes of a script, all at one position of the definition that they come from. */
record Nodes(SourceSpan span) {
  Expr number(long value) {
    return Expr.number(value, span);
  }

  Expr text(String value) {
    return new Expr.StringLiteral(value, span);
  }

  Expr call(Builtin function, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), span);
  }

  Expr register(String name) {
    return new Expr.Member(call(ContextBuiltins.REGS), Expr.Member.Access.ARROW, name, span, span);
  }

  /** Returns the probed address of the kernel: some breakpoints leave the one after it. */
  Expr probed(Architecture architecture) {
    Expr counter = call(ContextBuiltins.CALLER);
    return architecture.breakpointSize() > 0
        ? plus(counter, -architecture.breakpointSize())
        : counter;
  }

  Expr argument(int index) {
    return new Expr.Argument(index, span);
  }

  Expr cast(String type, int pointers, Expr operand) {
    return new Expr.Cast(new TypeName(type, pointers), operand, span);
  }

  Expr unary(UnaryOp op, Expr operand) {
    return new Expr.Unary(op, operand, span);
  }

  Expr binary(BinaryOp op, Expr left, Expr right) {
    return new Expr.Binary(op, left, right, span);
  }

  /** Returns an address plus a number of bytes. */
  Expr plus(Expr address, long bytes) {
    if (bytes == 0) {
      return address;
    }
    boolean isNegative = bytes < 0 && bytes != Long.MIN_VALUE;
    return binary(
        isNegative ? BinaryOp.SUB : BinaryOp.ADD, address, number(isNegative ? -bytes : bytes));
  }

  /** Returns the value of a type at an address. */
  Expr load(String type, Expr address) {
    return unary(UnaryOp.DEREFERENCE, cast(type, 1, address));
  }

  Expr element(Expr array, int index) {
    return new Expr.Element(array, number(index), span);
  }

  /** Returns a member of what a pointer leads to. */
  Expr arrow(Expr base, String name) {
    return member(base, Expr.Member.Access.ARROW, name);
  }

  /** Returns a member of a structure. */
  Expr dot(Expr base, String name) {
    return member(base, Expr.Member.Access.DOT, name);
  }

  private Expr member(Expr base, Expr.Member.Access access, String name) {
    return new Expr.Member(base, access, name, span, span);
  }

  /** Returns whether a string matches a pattern of a filter. */
  Expr matches(Expr string, String pattern) {
    boolean isPattern = pattern.chars().anyMatch(c -> "*?[\\".indexOf(c) >= 0);
    return isPattern
        ? call(StringBuiltins.STRGLOB, string, text(pattern))
        : binary(BinaryOp.EQ, string, text(pattern));
  }

  Expr quoted(Expr address, int size) {
    return call(MemoryBuiltins.QUOTED, address, number(size));
  }

  Statement trace(TraceLine line, List<Expr> values) {
    List<Expr> arguments = new ArrayList<>();
    arguments.add(text(line.textFormat()));
    arguments.addAll(values);
    Expr call = new Expr.Call(new EventBuiltins.TracePrintf(line), arguments, span);
    return new Statement.Evaluate(call, span);
  }

  Statement assign(String variable, Expr value) {
    return new Statement.Assign(variable, span, value, span);
  }

  Expr variable(String name) {
    return new Expr.VariableRead(name, span);
  }

  Statement count(String map, Expr key) {
    return new Statement.Aggregate(
        new MapRef(map, List.of(key), span),
        new Aggregation(AggregateFunctions.COUNT, List.of(), span),
        span);
  }

  MapRef entry(String map, Expr... keys) {
    return new MapRef(map, List.of(keys), span);
  }

  Expr read(MapRef entry) {
    return new Expr.MapRead(entry, span);
  }

  Statement store(MapRef entry, Expr value) {
    return new Statement.Store(entry, value, span);
  }

  Statement delete(MapRef entry) {
    return new Statement.Delete(entry, span);
  }

  Statement.Block block(List<Statement> statements) {
    return new Statement.Block(statements, span);
  }

  Statement onlyIf(Expr condition, List<Statement> statements) {
    return new Statement.If(condition, block(statements), block(List.of()), span);
  }

  /** Returns the type of unsigned integers of a size, as scripts name it. */
  static String unsigned(int bits) {
    return "uint" + bits;
  }

  /** Returns the type of integers of a size, as scripts name it. */
  static String integer(int bits, boolean isSigned) {
    return (isSigned ? "int" : "uint") + bits;
  }
}
