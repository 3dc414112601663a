package dev.ply.bpf.codegen.context;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.codegen.clause.ContextLayout;
import dev.ply.bpf.codegen.clause.Expressions;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.plan.SystemCallPlan;
import dev.ply.ir.Expr;
import dev.ply.target.TracepointFormat;

/** Emulates the record of a syscall tracepoint: from the user registers and the syscall number. */
public abstract class SystemCallLayout implements ContextLayout {
  final Frame frame;

  SystemCallLayout(Frame frame) {
    this.frame = frame;
  }

  /** Returns the syscall number. */
  public abstract Register number();

  /** Returns the location of a user register. */
  abstract Place register(String name);

  @Override
  public ScalarCode argument(int index) {
    throw new IllegalStateException("a tracepoint has no arguments");
  }

  @Override
  public ScalarCode returnValue() {
    throw new IllegalStateException("a tracepoint has no result");
  }

  @Override
  public ScalarCode programCounter() {
    throw new IllegalStateException("a tracepoint has no program counter");
  }

  @Override
  public ScalarCode scalar(AnalyzedClause clause, Expr.Member member, Expressions expressions) {
    if (member.name().equals("__syscall_nr") || member.name().equals("nr")) {
      return new ScalarCode.InRegister(number());
    }
    return RecordLayout.common(clause, member.name(), frame)
        .orElseGet(() -> ContextLayout.super.scalar(clause, member, expressions));
  }

  @Override
  public Place place(AnalyzedClause clause, Expr.Member member) {
    TracepointFormat.Field field =
        clause.tracepoint().flatMap(format -> format.field(member.name())).orElseThrow();
    return register(frame.architecture().systemCallArguments().get(SystemCallPlan.word(field)));
  }

  @Override
  public void write(AnalyzedClause clause, Place to, int size) {
    throw new IllegalStateException("\"data\" cannot be used as a value here");
  }
}
