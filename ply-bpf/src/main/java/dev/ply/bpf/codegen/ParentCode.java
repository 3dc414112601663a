package dev.ply.bpf.codegen;

import dev.ply.bpf.codegen.ScalarCode.InRegister;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.ParentBuiltins;
import dev.ply.ir.Expr;
import dev.ply.target.KernelTypes;
import dev.ply.target.PidScope;
import dev.ply.type.Type.KernelStruct;

/** Generates code for facts about the parent process. */
final class ParentCode {
  /** PIDTYPE_TGID of include/linux/pid_types.h. */
  private static final int TGID_TYPE = 1;

  private final ClauseCompiler clause;
  private final CodeBuilder code;

  private ParentCode(ClauseCompiler clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  static void addTo(BuiltinCodes codes) {
    codes.scalar(
        ParentBuiltins.PPID,
        Cost.MEMORY,
        (clause, call) -> new InRegister(new ParentCode(clause).pid()));
    codes.inMemory(ParentBuiltins.PCOMM, Cost.MEMORY, new Name());
  }

  /** Generates the read of the parent's name. */
  private static final class Name implements BuiltinCode.InMemory {
    @Override
    public void write(ClauseCompiler clause, Expr.Call call, Place to, int size) {
      ParentCode parent = new ParentCode(clause);
      CodeBuilder code = clause.code();
      Register name = parent.plus(parent.task(), parent.offset("task_struct", "comm"));
      code.zero(to, size);
      code.call(Helper.PROBE_READ_KERNEL_STR, code.address(to), code.value(size), code.value(name));
    }

    @Override
    public boolean isPadded() {
      return true;
    }
  }

  private Register pid() {
    return clause.script().target().pidNamespace().isPresent()
        ? pidInNamespace()
        : read(Size.W, task(), offset("task_struct", "tgid"));
  }

  /**
   * Returns the parent's PID in the current thread's namespace, if that is the tracer's: a process
   * has a PID in its own namespace and in all ancestors.
   */
  private Register pidInNamespace() {
    Register id = code.fresh();
    Label done = code.label("parent");
    code.move(id, new Immediate(0));
    Register own = new ThreadCode(clause).tid(PidScope.CURR_NS);
    code.jump(Width.W64, JumpOp.JEQ, own, new Immediate(0), done);
    Register current = code.callForResult(Helper.GET_CURRENT_TASK);
    Register ownPid = read(Size.DW, current, offset("task_struct", "thread_pid"));
    Register level = read(Size.W, ownPid, offset("pid", "level"));
    Register signal = read(Size.DW, task(), offset("task_struct", "signal"));
    Register pid = read(Size.DW, signal, offset("signal_struct", "pids") + TGID_TYPE * Long.BYTES);
    Register parentLevel = read(Size.W, pid, offset("pid", "level"));
    code.jump(Width.W64, JumpOp.JLT, parentLevel, level, done);
    Register number = code.fresh();
    code.move(number, level);
    code.alu(Width.W64, AluOp.MUL, number, struct("upid").size());
    code.alu(Width.W64, AluOp.ADD, number, pid);
    Register found = read(Size.W, number, offset("pid", "numbers") + offset("upid", "nr"));
    code.move(id, found);
    code.place(done);
    return id;
  }

  /** Returns the address of the parent's task_struct, 0 if it cannot be read. */
  private Register task() {
    Register current = code.callForResult(Helper.GET_CURRENT_TASK);
    return read(Size.DW, current, offset("task_struct", "real_parent"));
  }

  /** Reads memory at an address; zero if it cannot be read. */
  private Register read(Size size, Register base, int offset) {
    Place copy = clause.memory().allocate(Long.BYTES);
    Register address = plus(base, offset);
    code.call(
        Helper.PROBE_READ_KERNEL,
        code.address(copy),
        code.value(size.bytes()),
        code.value(address));
    Register value = code.fresh();
    code.load(size, value, copy);
    return value;
  }

  private Register plus(Register base, int offset) {
    Register address = code.fresh();
    code.move(address, base);
    if (offset != 0) {
      code.alu(Width.W64, AluOp.ADD, address, offset);
    }
    return address;
  }

  private int offset(String tag, String member) {
    KernelTypes types = clause.script().target().types();
    return types.member(struct(tag), member).orElseThrow().offset();
  }

  private KernelStruct struct(String tag) {
    return clause.script().target().types().struct(tag).orElseThrow();
  }
}
