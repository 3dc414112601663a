package dev.ply.bpf.codegen.clause;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.codegen.emit.ArithmeticCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.storage.KnownValues;
import dev.ply.bpf.codegen.storage.ObjectBuilder;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import java.util.function.Function;

/** A clause under compilation, as the compilers of its parts see it. */
public interface ClauseCode {
  /** Compiles a block and, in the scope of its variables, its value. */
  <T> T compileValue(Expr.Block node, Function<Expr, T> value);

  /** Compiles the body of a loop, in which values change from one iteration to the next. */
  void compileLoopBody(Statement.Block body);

  /** Jumps to a label unless a condition holds. */
  void compileCondition(Expr condition, Label otherwise);

  /** Compiles statements that run only if a condition holds. */
  void compileWhere(Expr condition, Runnable statements);

  /** Compiles a part, then frees the memory allocated for it. */
  void scoped(Runnable statement);

  AnalyzedClause clause();

  AnalyzedScript script();

  CodeBuilder code();

  Memory memory();

  KnownValues known();

  ObjectBuilder object();

  Register context();

  ContextLayout layout();

  /** Returns whether the program uses the thread's name. */
  boolean asksName();

  PlannedProgram program();

  ArithmeticCode arithmetic();

  Expressions expressions();

  Texts texts();

  Aggregates aggregates();

  Maps maps();

  Variables variables();

  Records records();

  /** Returns what sends events. */
  Events events();

  /** Returns the code generators of built-ins. */
  BuiltinTable builtins();

  /** Loads the number of the CPU. */
  Register processor();
}
