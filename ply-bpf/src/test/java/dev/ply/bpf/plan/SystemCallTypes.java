package dev.ply.bpf.plan;

import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.machine.Architecture;
import dev.ply.target.KernelTypes;
import java.nio.ByteOrder;
import java.util.List;

/** The types of a kernel that implements each system call in a function of its own. */
final class SystemCallTypes {
  /** Where the flag of 32-bit calls is, in bytes. */
  private static final int STATUS = 16;

  private SystemCallTypes() {}

  /**
   * Returns the types of what implements these calls, of the tracepoints of all, and of a thread
   * with its numbers.
   */
  static KernelTypes of(String... calls) {
    BtfBuilder btf = new BtfBuilder();
    int word = btf.integer("long unsigned int", 8, false);
    int number = btf.integer("int", 4, true);
    List<String> registers = Architecture.X86_64.registers();
    Member[] members = new Member[registers.size()];
    for (int i = 0; i < members.length; i++) {
      members[i] = Member.at(i * Long.BYTES, registers.get(i), word);
    }
    int saved = btf.pointer(btf.constant(btf.struct("pt_regs", members.length * 8, members)));
    int unused =
        btf.struct(
            "task_struct",
            Task.NAME_OFFSET + 16,
            Member.at(STATUS, "status", number),
            Member.at(Task.PID_OFFSET, "pid", number),
            Member.at(Task.PID_OFFSET + 4, "tgid", number));
    unused = btf.rawTracepoint("sys_enter", saved, word);
    unused = btf.rawTracepoint("sys_exit", saved, word);
    for (String call : calls) {
      unused = btf.function("__x64_sys_" + call, word, "regs", saved);
    }
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }
}
