package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.target.KernelTypes;
import dev.ply.target.PidNamespace;

/**
 * Generates the search for the ID that a task has in a PID namespace. A task has one in the
 * namespace that it was created in, and in each that encloses it: struct pid lists them from the
 * outermost to the innermost.
 */
final class NamespaceIds {
  /** PIDTYPE_TGID of include/linux/pid_types.h. */
  private static final int TGID_TYPE = 1;

  /** MAX_PID_NS_LEVEL of include/linux/pid_namespace.h. */
  private static final int DEEPEST = 32;

  private final CodeBuilder code;
  private final KernelReads kernel;
  private final PidNamespace namespace;

  NamespaceIds(ClauseCode clause, PidNamespace namespace) {
    this.code = clause.code();
    this.kernel = new KernelReads(clause);
    this.namespace = namespace;
  }

  /** {@return whether the kernel's types say how} */
  static boolean areKnown(KernelTypes types) {
    return types.struct("pid").isPresent() && types.struct("upid").isPresent();
  }

  /** Returns the ID of a task's process, 0 if it has none there. */
  Register ofProcess(Register task) {
    Register signal = kernel.read(Size.DW, task, kernel.offset("task_struct", "signal"));
    int pids = kernel.offset("signal_struct", "pids");
    return number(kernel.read(Size.DW, signal, pids + TGID_TYPE * Long.BYTES));
  }

  /** Returns the ID of a task, 0 if it has none there. */
  Register ofThread(Register task) {
    return number(kernel.read(Size.DW, task, kernel.offset("task_struct", "thread_pid")));
  }

  private Register number(Register pid) {
    Register id = code.fresh();
    Label done = code.label("numbered");
    code.move(id, new Immediate(0));
    Register level = code.fresh();
    code.move(level, kernel.read(Size.W, pid, kernel.offset("pid", "level")));
    code.jump(Width.W64, JumpOp.JGT, level, new Immediate(DEEPEST), done);
    int size = kernel.struct("upid").size();
    Register entry = code.fresh();
    code.move(entry, level);
    code.alu(Width.W64, AluOp.MUL, entry, size);
    code.alu(Width.W64, AluOp.ADD, entry, pid);
    code.alu(Width.W64, AluOp.ADD, entry, kernel.offset("pid", "numbers"));
    Register inode = code.fresh();
    code.constant(inode, namespace.inode());
    Label head = code.label("level");
    Label found = code.label("found");
    code.place(head);
    Register owner = kernel.read(Size.DW, entry, kernel.offset("upid", "ns"));
    int inodeOffset = kernel.offset("pid_namespace", "ns") + kernel.offset("ns_common", "inum");
    code.jump(Width.W64, JumpOp.JEQ, kernel.read(Size.W, owner, inodeOffset), inode, found);
    code.alu(Width.W64, AluOp.SUB, entry, size);
    code.alu(Width.W64, AluOp.SUB, level, 1);
    code.jump(Width.W64, JumpOp.JSGE, level, new Immediate(0), head);
    code.jump(done);
    code.place(found);
    code.move(id, kernel.read(Size.W, entry, kernel.offset("upid", "nr")));
    code.place(done);
    return id;
  }
}
