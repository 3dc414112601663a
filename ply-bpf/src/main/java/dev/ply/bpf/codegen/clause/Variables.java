package dev.ply.bpf.codegen.clause;

import dev.ply.analysis.typing.LocalVariable;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Register;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import java.util.function.Supplier;

/** Compiles scratch variables. */
public interface Variables {
  /** Compiles a block, which is the scope of its variables. */
  void compileBlock(Runnable statements);

  /** Compiles a block with a value, which is the scope of its variables. */
  <T> T compileValue(Supplier<T> block);

  /** Returns the variable that an assignment sets or declares. */
  LocalVariable assigned(Statement.Assign node);

  /** Returns the variable that a name denotes here. */
  LocalVariable named(Expr.VariableRead read);

  /** Allocates a variable, in the memory of the current block. */
  void allocate(LocalVariable variable);

  /** Returns the register of a number, for writing. */
  Register register(LocalVariable variable);

  /** Returns the location of a string, or of a variable whose address is taken. */
  Place place(LocalVariable variable);

  /** Sets a variable to zero, or to the empty string. */
  void clear(LocalVariable variable);

  /** Sets a variable. */
  void assign(LocalVariable variable, Expr value);

  /** Returns a copy of a number in a register of its own, which later changes do not affect. */
  ScalarCode read(LocalVariable variable);

  /** Adds to a number. */
  void add(LocalVariable variable, int amount);

  /** Returns the address of a variable. */
  ScalarCode address(LocalVariable variable);
}
