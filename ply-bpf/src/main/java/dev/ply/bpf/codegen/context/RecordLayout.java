package dev.ply.bpf.codegen.context;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.codegen.clause.ContextLayout;
import dev.ply.bpf.codegen.clause.Expressions;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Size;
import dev.ply.ir.Expr;
import dev.ply.target.TracepointFormat;
import java.util.Optional;

/** The record of a tracepoint. */
final class RecordLayout implements ContextLayout {
  /** Programs cannot read the first bytes, where the kernel keeps a pointer. */
  private static final int HIDDEN = 8;

  private final Frame frame;

  RecordLayout(Frame frame) {
    this.frame = frame;
  }

  @Override
  public ScalarCode argument(int index) {
    throw new IllegalStateException("a record has no arguments");
  }

  @Override
  public ScalarCode returnValue() {
    throw new IllegalStateException("a record has no result");
  }

  @Override
  public ScalarCode programCounter() {
    throw new IllegalStateException("a record has no program counter");
  }

  @Override
  public ScalarCode scalar(AnalyzedClause clause, Expr.Member member, Expressions expressions) {
    return common(clause, member.name(), frame)
        .orElseGet(() -> ContextLayout.super.scalar(clause, member, expressions));
  }

  /** Returns a field that programs cannot read in the record, computed otherwise. */
  static Optional<ScalarCode> common(AnalyzedClause clause, String name, Frame frame) {
    return switch (name) {
      case "common_type" -> clause.tracepoint().map(format -> new ScalarCode.Constant(format.id()));
      case "common_pid" ->
          Optional.of(
              new ScalarCode.InRegister(frame.code().callForResult(Helper.GET_CURRENT_PID_TGID)));
      default -> Optional.empty();
    };
  }

  @Override
  public Place place(AnalyzedClause clause, Expr.Member member) {
    return new Place(frame.context(), RegistersLayout.offset(clause, member));
  }

  @Override
  public void write(AnalyzedClause clause, Place to, int size) {
    clause.tracepoint().ifPresent(format -> writeHidden(format, to));
    frame.code().copy(new Place(frame.context(), HIDDEN), to.plus(HIDDEN), size - HIDDEN);
  }

  private void writeHidden(TracepointFormat format, Place to) {
    CodeBuilder code = frame.code();
    code.zero(to, HIDDEN);
    format
        .field("common_type")
        .ifPresent(
            field ->
                code.store(Size.H, to.plus(field.offset()), new Immediate((short) format.id())));
    format
        .field("common_pid")
        .ifPresent(
            field ->
                code.store(
                    Size.W,
                    to.plus(field.offset()),
                    code.callForResult(Helper.GET_CURRENT_PID_TGID)));
  }
}
