package dev.ply.analysis;

import dev.ply.analysis.typing.LocalVariable;
import dev.ply.analysis.typing.TypeVariable;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.SymbolBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.ir.UnaryOp;
import dev.ply.target.TracepointFormat;
import dev.ply.type.AddressSpace;
import dev.ply.type.Type;
import dev.ply.type.Type.PointerType;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A clause with the types of its expressions. A node shared by several clauses can have another
 * type in each.
 */
public final class AnalyzedClause {
  private final Clause clause;
  private final Optional<TracepointFormat> tracepoint;
  private final IdentityHashMap<Expr, Type> types;
  private final IdentityHashMap<Object, LocalVariable> variables;
  private final Map<Integer, Expr> firstValues;

  AnalyzedClause(
      Clause clause,
      Optional<TracepointFormat> tracepoint,
      IdentityHashMap<Expr, Type> types,
      TypeVariable variables) {
    this.variables = variables.variables();
    this.firstValues = variables.values();
    this.clause = clause;
    this.tracepoint = tracepoint;
    this.types = types;
  }

  /** Returns the clause. */
  public Clause clause() {
    return clause;
  }

  /** Returns the format of the tracepoint's record, for clauses on a tracepoint. */
  public Optional<TracepointFormat> tracepoint() {
    return tracepoint;
  }

  /**
   * Returns the address space of an address: that of an {@code uptr}, {@code kptr} or {@code
   * anyptr} around it, which arithmetic keeps; else that of its type; the kernel, if it is {@code
   * curtask}, {@code kaddr} or read through them; else the probe's: user space for probes in user
   * code, else the kernel.
   */
  public AddressSpace spaceOf(Expr address) {
    return markedSpace(address)
        .orElse(clause.point().isInUserSpace() ? AddressSpace.USER : AddressSpace.KERNEL);
  }

  private Optional<AddressSpace> markedSpace(Expr address) {
    if (address instanceof Expr.Call call && call.function() == MemoryBuiltins.UPTR) {
      return Optional.of(AddressSpace.USER);
    }
    if (address instanceof Expr.Call call && call.function() == MemoryBuiltins.KPTR) {
      return Optional.of(AddressSpace.KERNEL);
    }
    if (address instanceof Expr.Call call && call.function() == MemoryBuiltins.ANYPTR) {
      return Optional.of(AddressSpace.ANY);
    }
    if (address instanceof Expr.Call call
        && (call.function() == ThreadBuiltins.CURTASK
            || call.function() == ContextBuiltins.CTX
            || call.function() == SymbolBuiltins.KADDR)) {
      return Optional.of(AddressSpace.KERNEL);
    }
    if (address instanceof Expr.Unary unary
        && unary.op() == UnaryOp.ADDRESS_OF
        && unary.operand() instanceof Expr.VariableRead) {
      return Optional.of(AddressSpace.KERNEL);
    }
    if (address instanceof Expr.Conditional choice && choice.then().isPresent()) {
      return markedSpace(choice.then().get()).or(() -> typedSpace(address));
    }
    if (address instanceof Expr.Cast cast) {
      return markedSpace(cast.operand()).or(() -> typedSpace(address));
    }
    if (address instanceof Expr.VariableRead read) {
      Expr value = firstValues.get(variable(read).number());
      // A loop variable, or one that is assigned to itself.
      return value == null || value instanceof Expr.VariableRead
          ? typedSpace(address)
          : markedSpace(value).or(() -> typedSpace(address));
    }
    if (address instanceof Expr.Binary sum
        && (sum.op() == BinaryOp.ADD || sum.op() == BinaryOp.SUB)) {
      Optional<AddressSpace> left = markedSpace(sum.left());
      Optional<AddressSpace> right = markedSpace(sum.right());
      return right.filter(AddressSpace.USER::equals).isPresent() ? right : left.or(() -> right);
    }
    return typedSpace(address)
        .or(() -> holder(address).flatMap(this::markedSpace).filter(AddressSpace.KERNEL::equals));
  }

  /** Returns the structure, array or pointer that an address is read from. */
  private static Optional<Expr> holder(Expr address) {
    if (address instanceof Expr.Member member) {
      return Optional.of(member.base());
    }
    if (address instanceof Expr.Element element) {
      return Optional.of(element.base());
    }
    return address instanceof Expr.Unary unary && unary.op() == UnaryOp.DEREFERENCE
        ? Optional.of(unary.operand())
        : Optional.empty();
  }

  private Optional<AddressSpace> typedSpace(Expr address) {
    return typeOf(address) instanceof PointerType pointer && pointer.space() == AddressSpace.USER
        ? Optional.of(AddressSpace.USER)
        : Optional.empty();
  }

  /** Returns the variable that is read. */
  public LocalVariable variable(Expr.VariableRead read) {
    return named(read);
  }

  /** Returns the variable that is assigned to. */
  public LocalVariable variable(Statement.Assign assignment) {
    return named(assignment);
  }

  /** Returns the variable declared. */
  public LocalVariable variable(Statement.Declare declaration) {
    return named(declaration);
  }

  /** Returns the loop variable. */
  public LocalVariable variable(Statement.ForRange loop) {
    return named(loop);
  }

  /** Returns the variable that holds an entry, a tuple of key and value. */
  public LocalVariable variable(Statement.ForEach loop) {
    return named(loop);
  }

  private LocalVariable named(Object node) {
    LocalVariable variable = variables.get(node);
    if (variable == null) {
      throw new IllegalArgumentException("names no variable of this clause: " + node);
    }
    return variable;
  }

  /** Returns all expressions of the clause, in no particular order. */
  public Collection<Expr> expressions() {
    return Collections.unmodifiableSet(types.keySet());
  }

  /** Returns whether an expression is evaluated: whole maps are not. */
  public boolean isTyped(Expr expr) {
    return types.containsKey(expr);
  }

  /** Returns the type of an expression of this clause. */
  public Type typeOf(Expr expr) {
    Type type = types.get(expr);
    if (type == null) {
      throw new IllegalArgumentException("not an expression of this clause: " + expr);
    }
    return type;
  }
}
