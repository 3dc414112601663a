package dev.ply.kernel.sys;

import dev.ply.name.Errno;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** What there is of BPF in the kernel, of all processes, as bpftool lists it. */
public final class KernelObjects {
  private static final int PROG_GET_NEXT_ID = 11;
  private static final int MAP_GET_NEXT_ID = 12;
  private static final int LINK_GET_NEXT_ID = 31;
  private static final int MAP_GET_FD_BY_ID = 14;

  /** Bytes of {@code struct bpf_map_info} up to the end of the name, and where that begins. */
  private static final int MAP_INFO_SIZE = 40;

  private static final int MAP_INFO_NAME = 24;

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

  /** Returns the numbers of the maps that have this name, which the kernel cuts at 15 bytes. */
  public static Set<Integer> mapsNamed(String name) {
    Set<Integer> named = maps();
    named.removeIf(id -> !nameOfMap(id).equals(name));
    return named;
  }

  /** Returns a map's name; empty if there is no such map any more. */
  private static String nameOfMap(int id) {
    NativeMemory attr = NativeMemory.allocate(BpfAttr.SIZE);
    attr.bytes().putInt(0, id);
    int descriptor =
        (int) LibC.syscall(bpf(), MAP_GET_FD_BY_ID, attr.address(), BpfAttr.SIZE, 0, 0);
    if (descriptor < 0) {
      return "";
    }
    try (FileDescriptor map = new FileDescriptor(descriptor, "map " + id)) {
      NativeMemory info = NativeMemory.allocate(MAP_INFO_SIZE);
      SystemCalls.bpf(BpfCommand.OBJ_GET_INFO, BpfAttr.info(map.number(), info), "map " + id);
      byte[] name = new byte[MAP_INFO_SIZE - MAP_INFO_NAME];
      info.bytes().get(MAP_INFO_NAME, name);
      return new String(name, StandardCharsets.US_ASCII).split("\0", 2)[0];
    }
  }

  private static long bpf() {
    return Syscall.BPF.number();
  }

  private static Set<Integer> ids(int command) {
    long bpf = bpf();
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
