package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.plan.ProgramContext;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.ir.Expr;
import dev.ply.target.KernelTypes;
import dev.ply.target.PidNamespace;
import dev.ply.target.PidScope;
import dev.ply.type.Type;
import java.util.Optional;
import java.util.OptionalInt;

/** Generates code for facts about the current thread. */
public final class ThreadCode {
  /** The size of struct bpf_pidns_info, which has TID and TGID. */
  private static final int IDS_SIZE = 8;

  private static final int TID = 0;
  private static final int TGID = 4;

  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Generates into the program of a clause. */
  public ThreadCode(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Adds the generators of the built-ins of threads. */
  public static void addTo(BuiltinTable codes) {
    codes.scalar(
        ThreadBuiltins.RAND,
        Cost.HELPER,
        (clause, call) -> new InRegister(clause.code().callForResult(Helper.GET_PRANDOM_U32)));
    codes.scalar(
        ThreadBuiltins.PID,
        Cost.HELPER,
        (clause, call) -> new InRegister(new ThreadCode(clause).pid(ThreadBuiltins.scope(call))));
    codes.scalar(
        ThreadBuiltins.KPID,
        Cost.HELPER,
        (clause, call) -> new InRegister(new ThreadCode(clause).tid(ThreadBuiltins.scope(call))));
    codes.scalar(
        ThreadBuiltins.UID,
        Cost.HELPER,
        (clause, call) -> new InRegister(clause.code().callForResult(Helper.GET_CURRENT_UID_GID)));
    codes.scalar(
        ThreadBuiltins.GID,
        Cost.HELPER,
        (clause, call) ->
            new InRegister(new ThreadCode(clause).upperHalf(Helper.GET_CURRENT_UID_GID)));
    codes.scalar(
        ThreadBuiltins.CPU,
        Cost.HELPER,
        (clause, call) -> new InRegister(clause.code().callForResult(Helper.GET_SMP_PROCESSOR_ID)));
    codes.scalar(
        ThreadBuiltins.CURTASK,
        Cost.HELPER,
        (clause, call) -> new InRegister(clause.code().callForResult(Helper.GET_CURRENT_TASK)));
    codes.inMemory(ThreadBuiltins.COMM, Cost.NAME, new Name());
  }

  /** Generates the read of the thread's name. */
  private static final class Name implements BuiltinCode.InMemory {
    @Override
    public void write(ClauseCode clause, Expr.Call call, Place to, int size) {
      CodeBuilder code = clause.code();
      Optional<Place> name = address(clause);
      if (name.isPresent()) {
        code.copy(name.get(), to, size);
        return;
      }
      // Linux 6.0 and 6.1 do not clear the bytes after the NUL: equal names would differ.
      code.zero(to, size);
      code.call(Helper.GET_CURRENT_COMM, code.address(to), code.value(size));
    }

    /** Returns the name's location in task_struct, if it can be loaded from there. */
    @Override
    public Optional<Place> address(ClauseCode clause) {
      OptionalInt offset = clause.script().target().threadNameOffset();
      return offset.isPresent()
          ? Optional.of(
              new Place(
                  clause.code().callForResult(Helper.GET_CURRENT_TASK_BTF), offset.getAsInt()))
          : Optional.empty();
    }

    @Override
    public boolean isPadded() {
      return true;
    }
  }

  /** Returns the process ID. */
  Register pid(PidScope scope) {
    if (scope == PidScope.CONTAINER) {
      return new NamespaceIds(clause)
          .innermostOfProcess(code.callForResult(Helper.GET_CURRENT_TASK));
    }
    Optional<Register> namespaced = inNamespace(scope, TGID);
    return namespaced
        .or(() -> ofThread("tgid"))
        .orElseGet(() -> upperHalf(Helper.GET_CURRENT_PID_TGID));
  }

  /** Returns the thread ID. */
  Register tid(PidScope scope) {
    if (scope == PidScope.CONTAINER) {
      return new NamespaceIds(clause)
          .innermostOfThread(code.callForResult(Helper.GET_CURRENT_TASK));
    }
    Optional<Register> namespaced = inNamespace(scope, TID);
    return namespaced
        .or(() -> ofThread("pid"))
        .orElseGet(() -> code.callForResult(Helper.GET_CURRENT_PID_TGID));
  }

  /**
   * Loads an ID in the tracer's PID namespace, unless it is the initial one. The helper knows it
   * for threads created in that namespace; for others it fails and writes zeros, and what the
   * kernel keeps for nested namespaces is searched.
   */
  private Optional<Register> inNamespace(PidScope scope, int offset) {
    Optional<PidNamespace> namespace = clause.script().target().pidNamespace();
    if (scope == PidScope.INIT || namespace.isEmpty()) {
      return Optional.empty();
    }
    Place ids = clause.memory().allocate(IDS_SIZE);
    Register device = code.fresh();
    code.constant(device, namespace.get().device());
    Register inode = code.fresh();
    code.constant(inode, namespace.get().inode());
    code.call(
        Helper.GET_NS_CURRENT_PID_TGID,
        code.value(device),
        code.value(inode),
        code.address(ids),
        code.value(IDS_SIZE));
    Register id = code.fresh();
    code.load(Size.W, id, ids.plus(offset));
    if (NamespaceIds.areKnown(clause.script().target().types())) {
      Label known = code.label("known");
      code.jump(Width.W64, JumpOp.JNE, id, new Immediate(0), known);
      Register task = code.callForResult(Helper.GET_CURRENT_TASK);
      NamespaceIds nested = new NamespaceIds(clause);
      code.move(
          id,
          offset == TGID
              ? nested.ofProcess(task, namespace.get())
              : nested.ofThread(task, namespace.get()));
      code.place(known);
    }
    return Optional.of(id);
  }

  /**
   * Returns the CPU number, for an offset in memory. A program that has the task's address loads it
   * from there: it is set when the task is scheduled, and the task stays on that CPU while the
   * program runs.
   */
  public Register processor() {
    Optional<Register> ofThread =
        clause.program().asksThread() ? ofThread("thread_info", "cpu") : Optional.empty();
    return ofThread.orElseGet(() -> code.callForResult(Helper.GET_SMP_PROCESSOR_ID));
  }

  /**
   * Loads a number from task_struct, or a structure inside it, in programs that have its address
   * anyway or get it cheaply: trampolines, for which BTF has been read, programs on all syscalls,
   * which check for compat syscalls, and those that load the thread's name from there.
   */
  private Optional<Register> ofThread(String... path) {
    if (!loadsThread()) {
      return Optional.empty();
    }
    KernelTypes types = clause.script().target().types().kernel();
    Optional<Type.KernelStruct> task = types.struct("task_struct");
    if (task.isEmpty()) {
      return Optional.empty();
    }
    Type type = task.get();
    int offset = 0;
    for (String name : path) {
      Optional<KernelTypes.Member> member =
          type instanceof Type.KernelStruct struct ? types.member(struct, name) : Optional.empty();
      if (member.isEmpty()) {
        return Optional.empty();
      }
      type = member.get().type();
      offset += member.get().offset();
    }
    if (type.size() != Integer.BYTES) {
      return Optional.empty();
    }
    Register number = code.fresh();
    Register thread = code.callForResult(Helper.GET_CURRENT_TASK_BTF);
    code.load(Size.W, number, new Place(thread, offset));
    return Optional.of(number);
  }

  private boolean loadsThread() {
    return clause.program().context().types().isPresent()
        || isOnAllSystemCalls()
        || (clause.asksName() && clause.script().target().threadNameOffset().isPresent());
  }

  private boolean isOnAllSystemCalls() {
    return clause.program().context() instanceof ProgramContext.AllSyscalls
        && clause.script().target().attachFeatures().loadsThread();
  }

  private Register upperHalf(Helper helper) {
    Register half = code.fresh();
    code.move(half, code.callForResult(helper));
    code.alu(Width.W64, AluOp.RSH, half, 32);
    return half;
  }
}
