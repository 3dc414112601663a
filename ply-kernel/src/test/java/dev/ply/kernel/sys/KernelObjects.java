package dev.ply.kernel.sys;

import dev.ply.kernel.error.Errno;
import java.util.Set;
import java.util.TreeSet;

/** What there is of BPF in the kernel, of all processes, as bpftool lists it. */
public final class KernelObjects {
  private static final int PROG_GET_NEXT_ID = 11;
  private static final int MAP_GET_NEXT_ID = 12;
  private static final int LINK_GET_NEXT_ID = 31;

  private KernelObjects() {}

  /** Returns the numbers of all programs. */
  public static Set<Integer> programs() {
    return ids(PROG_GET_NEXT_ID);
  }

  /** Returns the numbers of all maps. */
  public static Set<Integer> maps() {
    return ids(MAP_GET_NEXT_ID);
  }

  /** Returns the numbers of all links. */
  public static Set<Integer> links() {
    return ids(LINK_GET_NEXT_ID);
  }

  private static Set<Integer> ids(int command) {
    long bpf = Syscall.BPF.number(System.getProperty("os.arch", ""));
    Set<Integer> ids = new TreeSet<>();
    NativeMemory attr = NativeMemory.allocate(BpfAttr.SIZE);
    while (LibC.syscall(bpf, command, attr.address(), BpfAttr.SIZE, 0, 0) == 0) {
      int id = attr.bytes().getInt(4);
      ids.add(id);
      attr.bytes().putInt(0, id);
    }
    Errno errno = LibC.lastError();
    if (errno != Errno.ENOENT) {
      throw new IllegalStateException("listing with bpf(" + command + "): " + errno);
    }
    return ids;
  }
}
