package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.codegen.storage.ObjectBuilder;
import dev.ply.bpf.codegen.storage.ObjectBuilder.ErrorSite;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.FailureCause;
import java.util.EnumSet;
import java.util.Set;

/**
 * Emits reports of what fails while a program runs: each failure is counted, and sent when the
 * number of failures at the site is a power of two, so that a site sends at most 64 records however
 * often it fails.
 */
public final class ErrorReports {
  /**
   * The helpers whose failure is always one of the script; some others are checked where they are
   * called. The name of a thread can always be read, and is shared between its uses; a process
   * outside the PID namespace has no ID there.
   */
  private static final Set<Helper> CHECKED =
      EnumSet.of(
          Helper.PROBE_READ,
          Helper.PROBE_READ_STR,
          Helper.PROBE_READ_KERNEL,
          Helper.PROBE_READ_KERNEL_STR,
          Helper.PROBE_READ_USER,
          Helper.PROBE_READ_USER_STR,
          Helper.PROBE_WRITE_USER,
          Helper.D_PATH,
          Helper.FOR_EACH_MAP_ELEM,
          Helper.GET_STACK,
          Helper.GET_STACKID,
          Helper.LOOP,
          Helper.SEND_SIGNAL,
          Helper.SEND_SIGNAL_THREAD);

  private final CodeBuilder code;
  private final ObjectBuilder object;

  /** Emits reports of failed operations to the end of {@code code}. */
  public ErrorReports(CodeBuilder code, ObjectBuilder object) {
    this.code = code;
    this.object = object;
  }

  /** Returns whether all calls of a helper are checked. */
  static boolean isChecked(Helper helper) {
    return CHECKED.contains(helper);
  }

  /** Reports a call of a helper if its result is negative. */
  public void check(Helper helper, Register result) {
    Label failed = code.label("failed");
    code.jump(Width.W64, JumpOp.JSLT, result, new Immediate(0), failed);
    reportAt(failed, new FailureCause.Call(helper), result);
  }

  /** Reports an operation if a value is 0. */
  void checkZero(Width width, Register value, FailureCause.Operation operation) {
    Label failed = code.label("failed");
    code.jump(width, JumpOp.JEQ, value, new Immediate(0), failed);
    reportAt(failed, operation, new Immediate(0));
  }

  /** Reports an operation unless an unsigned value is below a limit. */
  public void checkBelow(Register value, int limit, FailureCause.Operation operation) {
    Label failed = code.label("failed");
    code.jump(Width.W64, JumpOp.JGE, value, new Immediate(limit), failed);
    reportAt(failed, operation, new Immediate(0));
  }

  private void reportAt(Label failed, FailureCause cause, Operand result) {
    Label reported = code.label("reported");
    code.place(reported);
    code.outOfLine(
        () -> {
          code.place(failed);
          report(cause, result);
          code.jump(reported);
        });
  }

  /** Reports a failed call of a helper. */
  public void report(Helper helper, Operand result) {
    report(new FailureCause.Call(helper), result);
  }

  /** Counts a failure, and sends a record if the number of failures is a power of two. */
  public void report(FailureCause cause, Operand result) {
    ErrorSite error = object.addError(cause, code.expression());
    Register counter = code.fresh();
    Register count = code.fresh();
    Register one = code.fresh();
    Register known = code.fresh();
    Label done = code.label("counted");
    code.mapValue(BpfObject.ERRORS, error.counter()).load(counter);
    // Before it is incremented: of concurrent failures one reads 0, and is sent.
    code.load(Size.DW, known, new Place(counter, 0));
    code.constant(one, 1);
    code.emit(new Instruction.Atomic(Size.DW, AtomicOp.ADD, counter, 0, one));
    code.store(Size.DW, new Place(counter, Long.BYTES), result);
    code.move(count, known);
    code.alu(Width.W64, AluOp.ADD, count, 1);
    code.alu(Width.W64, AluOp.AND, known, count);
    code.jump(Width.W64, JumpOp.JNE, known, new Immediate(0), done);
    Register record =
        code.callForResult(
            Helper.RINGBUF_RESERVE,
            code.map(object.events()),
            code.value(error.site().layout().size()),
            code.value(0));
    code.jumpIfNull(record, done);
    code.store(Size.W, new Place(record, 0), new Immediate(error.site().id()));
    code.store(Size.W, new Place(record, Integer.BYTES), result);
    code.store(Size.DW, new Place(record, Long.BYTES), count);
    code.call(Helper.RINGBUF_SUBMIT, code.value(record), code.value(0));
    code.place(done);
  }
}
