package dev.ply.kernel.sys;

import dev.ply.kernel.error.KernelException;
import dev.ply.name.Errno;
import java.nio.charset.StandardCharsets;

/** The BTF objects in the kernel (struct bpf_btf_info of include/uapi/linux/bpf.h). */
public final class BtfObjects {
  private static final int INFO_SIZE = 32;
  private static final int INFO_NAME = 16;
  private static final int INFO_NAME_LENGTH = 24;

  /** The size of a module's name with its NUL (MODULE_NAME_LEN). */
  private static final int LONGEST_NAME = 56;

  private BtfObjects() {}

  /**
   * Opens the BTF of a module. Requires Linux 5.11 and CAP_SYS_ADMIN.
   *
   * @throws KernelException if the kernel refuses: {@code ENOENT} if the module has none
   */
  public static FileDescriptor openModule(String module) {
    String object = "type information of module \"" + module + "\"";
    int id = 0;
    while (true) {
      BpfAttr next = BpfAttr.id(id);
      SystemCalls.bpf(BpfCommand.BTF_GET_NEXT_ID, next, object);
      id = next.nextId();
      FileDescriptor found;
      try {
        found = SystemCalls.openBpf(BpfCommand.BTF_GET_FD_BY_ID, BpfAttr.id(id), object);
      } catch (KernelException e) {
        if (e.errno() == Errno.ENOENT) {
          // Unloaded concurrently.
          continue;
        }
        throw e;
      }
      if (name(found, object).equals(module)) {
        return found;
      }
      found.close();
    }
  }

  private static String name(FileDescriptor types, String object) {
    NativeMemory name = NativeMemory.allocate(LONGEST_NAME);
    NativeMemory info = NativeMemory.allocate(INFO_SIZE);
    info.bytes().putLong(INFO_NAME, name.address()).putInt(INFO_NAME_LENGTH, LONGEST_NAME);
    SystemCalls.bpf(BpfCommand.OBJ_GET_INFO, BpfAttr.info(types.number(), info, name), object);
    byte[] text = new byte[LONGEST_NAME];
    name.bytes().get(0, text);
    return new String(text, StandardCharsets.US_ASCII).split("\0", 2)[0];
  }
}
