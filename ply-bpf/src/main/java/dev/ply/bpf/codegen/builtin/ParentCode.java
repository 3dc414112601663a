package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.builtin.catalog.ParentBuiltins;
import dev.ply.ir.Expr;
import dev.ply.target.PidNamespace;
import java.util.Optional;

/** Generates code for facts about the parent process. */
public final class ParentCode {
  private final ClauseCode clause;
  private final CodeBuilder code;
  private final KernelReads kernel;

  private ParentCode(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
    this.kernel = new KernelReads(clause);
  }

  /** Adds the generators of the built-ins of parent processes. */
  public static void addTo(BuiltinTable codes) {
    codes.scalar(
        ParentBuiltins.PPID,
        Cost.MEMORY,
        (clause, call) -> new InRegister(new ParentCode(clause).pid()));
    codes.inMemory(ParentBuiltins.PCOMM, Cost.MEMORY, new Name());
  }

  /** Generates the read of the parent's name. */
  private static final class Name implements BuiltinCode.InMemory {
    @Override
    public void write(ClauseCode clause, Expr.Call call, Place to, int size) {
      ParentCode parent = new ParentCode(clause);
      CodeBuilder code = clause.code();
      Register name =
          parent.kernel.plus(parent.task(), parent.kernel.offset("task_struct", "comm"));
      code.zero(to, size);
      code.call(Helper.PROBE_READ_KERNEL_STR, code.address(to), code.value(size), code.value(name));
    }

    @Override
    public boolean isPadded() {
      return true;
    }
  }

  private Register pid() {
    Optional<PidNamespace> namespace = clause.script().target().pidNamespace();
    return namespace.isPresent()
        ? new NamespaceIds(clause).ofProcess(task(), namespace.get())
        : kernel.read(Size.W, task(), kernel.offset("task_struct", "tgid"));
  }

  /** Returns the address of the parent's task_struct, 0 if it cannot be read. */
  private Register task() {
    Register current = code.callForResult(Helper.GET_CURRENT_TASK);
    return kernel.read(Size.DW, current, kernel.offset("task_struct", "real_parent"));
  }
}
