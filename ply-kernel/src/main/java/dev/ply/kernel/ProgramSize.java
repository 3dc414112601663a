package dev.ply.kernel;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.kernel.sys.SystemCalls;

/**
 * The size of a program loaded in the kernel (struct bpf_prog_info in include/uapi/linux/bpf.h).
 *
 * @param bytecode bytes after verification: some calls are inlined, and dead code is removed
 * @param machineCode bytes of JIT-compiled code; 0 if the program is interpreted
 */
public record ProgramSize(int bytecode, int machineCode) {
  private static final int SIZE = 24;
  private static final int MACHINE_CODE = 16;
  private static final int BYTECODE = 20;

  /**
   * Queries any program of this machine. Requires Linux 4.13 and CAP_SYS_ADMIN.
   *
   * @param id the program's id
   * @return the size before and after the kernel's JIT
   * @throws KernelException if the kernel refuses: {@code ENOENT} for an unknown id
   */
  public static ProgramSize of(int id) {
    String object = "program " + id;
    try (FileDescriptor program =
        SystemCalls.openBpf(BpfCommand.PROG_GET_FD_BY_ID, BpfAttr.id(id), object)) {
      NativeMemory info = NativeMemory.allocate(SIZE);
      SystemCalls.bpf(BpfCommand.OBJ_GET_INFO, BpfAttr.info(program.number(), info), object);
      return new ProgramSize(info.bytes().getInt(BYTECODE), info.bytes().getInt(MACHINE_CODE));
    }
  }
}
