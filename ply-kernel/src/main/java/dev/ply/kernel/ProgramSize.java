package dev.ply.kernel;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.kernel.sys.SystemCalls;

/**
 * How large a program is that the kernel has loaded, whoever did, as it tells (struct bpf_prog_info
 * of include/uapi/linux/bpf.h).
 *
 * @param bytecode bytes of its bytecode as the kernel's verifier left it: some calls are
 *     instructions by then, and what is never reached is gone
 * @param machineCode bytes of what the kernel compiled that to; 0 if it interprets it
 */
public record ProgramSize(int bytecode, int machineCode) {
  private static final int SIZE = 24;
  private static final int MACHINE_CODE = 16;
  private static final int BYTECODE = 20;

  /**
   * Asks about any program of this machine. Needs kernel 4.13 and CAP_SYS_ADMIN.
   *
   * @param id the kernel's number of the program
   * @throws KernelException if the kernel refuses: {@code ENOENT} where there is none
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
