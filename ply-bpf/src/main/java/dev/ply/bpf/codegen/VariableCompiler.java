package dev.ply.bpf.codegen;

import dev.ply.analysis.LocalVariable;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Register;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.type.Conversions;
import dev.ply.type.Type.IntType;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Compiles scratch variables: numbers in registers, strings in memory. */
final class VariableCompiler {
  private final ClauseCompiler clause;
  private final CodeBuilder code;

  /** The variables in scope. */
  private final Map<String, LocalVariable> visible = new HashMap<>();

  private final Map<Integer, Register> registers = new HashMap<>();
  private final Map<Integer, Place> places = new HashMap<>();

  VariableCompiler(ClauseCompiler clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Compiles a block, which is the scope of its variables. */
  void compileBlock(Runnable statements) {
    boolean unused =
        compileValue(
            () -> {
              statements.run();
              return true;
            });
  }

  /** Compiles a block with a value, which is the scope of its variables. */
  <T> T compileValue(Supplier<T> block) {
    Map<String, LocalVariable> outer = Map.copyOf(visible);
    T value = block.get();
    visible.values().removeIf(variable -> !outer.containsValue(variable));
    visible.putAll(outer);
    registers.keySet().removeIf(number -> !isVisible(number));
    places.keySet().removeIf(number -> !isVisible(number));
    return value;
  }

  private boolean isVisible(int number) {
    return visible.values().stream().anyMatch(variable -> variable.number() == number);
  }

  /** Returns the variable that an assignment sets or declares. */
  LocalVariable assigned(Statement.Assign node) {
    LocalVariable known = visible.get(node.variable());
    return known == null ? clause.clause().variable(node) : known;
  }

  /** Returns the variable that a name denotes here. */
  LocalVariable named(Expr.VariableRead read) {
    return Objects.requireNonNull(visible.get(read.name()), read.name());
  }

  /** Allocates a variable, in the memory of the current block. */
  void allocate(LocalVariable variable) {
    visible.put(variable.name(), variable);
    if (variable.type().isScalar()) {
      registers.computeIfAbsent(variable.number(), unused -> code.fresh());
    } else {
      places.computeIfAbsent(
          variable.number(), unused -> clause.memory().allocate(variable.type().size()));
    }
  }

  /** Returns the register of a number, for writing. */
  Register register(LocalVariable variable) {
    return Objects.requireNonNull(registers.get(variable.number()), variable.name());
  }

  /** Returns the location of a string. */
  Place place(LocalVariable variable) {
    return Objects.requireNonNull(places.get(variable.number()), variable.name());
  }

  /** Sets a variable to zero, or to the empty string. */
  void clear(LocalVariable variable) {
    if (variable.type().isScalar()) {
      code.move(register(variable), new Immediate(0));
    } else {
      code.zero(place(variable), variable.type().size());
    }
  }

  /** Sets a variable. */
  void assign(LocalVariable variable, Expr value) {
    if (variable.type().isScalar()) {
      ScalarCode scalar = clause.expressions().scalar(value, integer(variable));
      if (scalar instanceof ScalarCode.Constant constant) {
        code.constant(register(variable), constant.value());
      } else {
        code.move(register(variable), clause.arithmetic().register(scalar));
      }
      return;
    }
    int size = variable.type().size();
    if (value instanceof Expr.StringLiteral) {
      clause.texts().write(value, place(variable), size);
    } else {
      // The value can depend on the variable itself.
      Place fresh = clause.memory().allocate(size);
      clause.maps().write(value, fresh, variable.type());
      code.copy(fresh, place(variable), size);
    }
  }

  /** Returns a copy of a number in a register of its own, which later changes do not affect. */
  ScalarCode read(LocalVariable variable) {
    Register copy = code.fresh();
    code.move(copy, register(variable));
    return new ScalarCode.InRegister(copy);
  }

  private static IntType integer(LocalVariable variable) {
    return Conversions.asInteger(variable.type()).orElseThrow();
  }
}
