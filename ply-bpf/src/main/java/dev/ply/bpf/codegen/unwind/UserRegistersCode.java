package dev.ply.bpf.codegen.unwind;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.machine.Architecture;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type;
import java.util.Map;
import java.util.Optional;

/** Loads the registers with which the current thread continues in user space. */
final class UserRegistersCode {
  /** The size of a kernel stack of x86-64, and of aarch64 with pages of 4 KiB. */
  private static final int KERNEL_STACK = 1 << 14;

  private final ClauseCode clause;
  private final CodeBuilder code;
  private final Architecture architecture;

  UserRegistersCode(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
    this.architecture = clause.script().target().architecture();
  }

  /** Returns whether the kernel's types are known as far as they are needed. */
  boolean areReachable() {
    return hasHelper() || stackOffset().isPresent();
  }

  private boolean hasHelper() {
    return clause.script().target().attachFeatures().loadsThread();
  }

  /** Loads the registers of these names. */
  void load(Map<String, Register> registers) {
    if (hasHelper()) {
      Register thread = code.callForResult(Helper.GET_CURRENT_TASK_BTF);
      Register saved = code.callForResult(Helper.TASK_PT_REGS, code.value(thread));
      registers.forEach((name, to) -> code.load(Size.DW, to, new Place(saved, offset(name))));
      return;
    }
    Place word = clause.memory().allocate(Long.BYTES);
    Register saved = code.fresh();
    Register thread = code.callForResult(Helper.GET_CURRENT_TASK);
    read(saved, new Place(thread, stackOffset().orElseThrow()), word);
    code.alu(Width.W64, AluOp.ADD, saved, KERNEL_STACK - savedSize());
    registers.forEach((name, to) -> read(to, new Place(saved, offset(name)), word));
  }

  private void read(Register to, Place from, Place word) {
    code.call(
        Helper.PROBE_READ_KERNEL, code.address(word), code.value(Long.BYTES), code.address(from));
    code.load(Size.DW, to, word);
  }

  /**
   * Loads where the stack of the current process began; empty if the kernel's types are unknown.
   * After execve(2) it begins elsewhere, as the kernel chooses the address at random.
   */
  Optional<Register> stackStart() {
    Optional<Integer> start = offset("mm_struct", "start_stack");
    if (start.isEmpty()) {
      return Optional.empty();
    }
    return memory()
        .map(
            memory -> {
              Register begins = code.fresh();
              Place from = new Place(memory, start.get());
              if (hasHelper()) {
                code.load(Size.DW, begins, from);
              } else {
                read(begins, from, clause.memory().allocate(Long.BYTES));
              }
              return begins;
            });
  }

  /** Jumps if the current thread has no memory of a process, as those of the kernel. */
  void jumpIfInKernelOnly(Label target) {
    memory().ifPresent(memory -> code.jumpIfNull(memory, target));
  }

  /** Loads the address of the current process's memory; empty if the kernel's types are unknown. */
  private Optional<Register> memory() {
    Optional<Integer> offset = offset("task_struct", "mm");
    return offset.map(
        at -> {
          Register memory = code.fresh();
          if (hasHelper()) {
            Register thread = code.callForResult(Helper.GET_CURRENT_TASK_BTF);
            code.load(Size.DW, memory, new Place(thread, at));
          } else {
            Register thread = code.callForResult(Helper.GET_CURRENT_TASK);
            read(memory, new Place(thread, at), clause.memory().allocate(Long.BYTES));
          }
          return memory;
        });
  }

  private int offset(String register) {
    return architecture.registerOffset(register).orElseThrow();
  }

  /** The kernel's structure can have members after those that user space knows. */
  private int savedSize() {
    return kernel()
        .struct("pt_regs")
        .map(Type.KernelStruct::size)
        .orElseGet(architecture::registersSize);
  }

  private Optional<Integer> stackOffset() {
    return offset("task_struct", "stack");
  }

  private Optional<Integer> offset(String struct, String member) {
    return kernel()
        .struct(struct)
        .flatMap(type -> kernel().member(type, member))
        .map(KernelTypes.Member::offset);
  }

  private KernelTypes kernel() {
    return clause.script().target().types().kernel();
  }
}
