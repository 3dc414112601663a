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

  NamespaceIds(ClauseCode clause) {
    this.code = clause.code();
    this.kernel = new KernelReads(clause);
  }

  /** {@return whether the kernel's types say how} */
  static boolean areKnown(KernelTypes types) {
    return types.struct("pid").isPresent() && types.struct("upid").isPresent();
  }

  /** Returns the ID of a task's process in a namespace, 0 if it has none there. */
  Register ofProcess(Register task, PidNamespace namespace) {
    return number(process(task), constant(namespace));
  }

  /** Returns the ID of a task in a namespace, 0 if it has none there. */
  Register ofThread(Register task, PidNamespace namespace) {
    return ofThread(task, constant(namespace));
  }

  /** Returns the ID of a task in the namespace of an inode, 0 if it has none there. */
  Register ofThread(Register task, Register inode) {
    return number(thread(task), inode);
  }

  /** Returns the ID of a task's process in its innermost namespace. */
  Register innermostOfProcess(Register task) {
    return kernel.read(Size.W, innermost(process(task)), kernel.offset("upid", "nr"));
  }

  /** Returns the ID of a task in its innermost namespace. */
  Register innermostOfThread(Register task) {
    return kernel.read(Size.W, innermost(thread(task)), kernel.offset("upid", "nr"));
  }

  /** Returns the inode of a task's innermost namespace. */
  Register inode(Register task) {
    return owner(innermost(thread(task)));
  }

  private Register constant(PidNamespace namespace) {
    Register inode = code.fresh();
    code.constant(inode, namespace.inode());
    return inode;
  }

  private Register process(Register task) {
    Register signal = kernel.read(Size.DW, task, kernel.offset("task_struct", "signal"));
    int pids = kernel.offset("signal_struct", "pids");
    return kernel.read(Size.DW, signal, pids + TGID_TYPE * Long.BYTES);
  }

  private Register thread(Register task) {
    return kernel.read(Size.DW, task, kernel.offset("task_struct", "thread_pid"));
  }

  /** Returns the address of the last struct upid of a struct pid. */
  private Register innermost(Register pid) {
    return entry(pid, kernel.read(Size.W, pid, kernel.offset("pid", "level")));
  }

  private Register entry(Register pid, Register level) {
    Register entry = code.fresh();
    code.move(entry, level);
    code.alu(Width.W64, AluOp.MUL, entry, kernel.struct("upid").size());
    code.alu(Width.W64, AluOp.ADD, entry, pid);
    code.alu(Width.W64, AluOp.ADD, entry, kernel.offset("pid", "numbers"));
    return entry;
  }

  /** Returns the inode of the namespace of a struct upid. */
  private Register owner(Register entry) {
    Register owner = kernel.read(Size.DW, entry, kernel.offset("upid", "ns"));
    return kernel.read(
        Size.W, owner, kernel.offset("pid_namespace", "ns") + kernel.offset("ns_common", "inum"));
  }

  private Register number(Register pid, Register inode) {
    Register id = code.fresh();
    Label done = code.label("numbered");
    code.move(id, new Immediate(0));
    Register level = code.fresh();
    code.move(level, kernel.read(Size.W, pid, kernel.offset("pid", "level")));
    code.jump(Width.W64, JumpOp.JGT, level, new Immediate(DEEPEST), done);
    Register entry = code.fresh();
    code.move(entry, entry(pid, level));
    Label head = code.label("level");
    Label found = code.label("found");
    code.place(head);
    code.jump(Width.W64, JumpOp.JEQ, owner(entry), inode, found);
    code.alu(Width.W64, AluOp.SUB, entry, kernel.struct("upid").size());
    code.alu(Width.W64, AluOp.SUB, level, 1);
    code.jump(Width.W64, JumpOp.JSGE, level, new Immediate(0), head);
    code.jump(done);
    code.place(found);
    code.move(id, kernel.read(Size.W, entry, kernel.offset("upid", "nr")));
    code.place(done);
    return id;
  }
}
