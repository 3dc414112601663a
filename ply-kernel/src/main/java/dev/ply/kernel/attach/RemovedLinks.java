package dev.ply.kernel.attach;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.NativeMemory;
import dev.ply.kernel.sys.SystemCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Links whose files were removed. The kernel detaches their programs some time after: it frees the
 * file first, once no CPU can be reading it.
 */
public final class RemovedLinks {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(1);

  /** The size of struct bpf_link_info up to prog_id (include/uapi/linux/bpf.h). */
  private static final int SIZE = 12;

  private static final int ID = 4;
  private static final int PROGRAM_ID = 8;

  private final List<Integer> links;
  private final List<Integer> programs;

  private RemovedLinks(List<Integer> links, List<Integer> programs) {
    this.links = List.copyOf(links);
    this.programs = List.copyOf(programs);
  }

  /** Returns the links of files that are about to be removed. */
  static RemovedLinks of(List<Path> files) {
    List<Integer> links = new ArrayList<>();
    List<Integer> programs = new ArrayList<>();
    for (Path file : files) {
      String object = file.toString();
      try (FileDescriptor link =
          SystemCalls.openBpf(BpfCommand.OBJ_GET, BpfAttr.path(object), object)) {
        NativeMemory info = NativeMemory.allocate(SIZE);
        SystemCalls.bpf(BpfCommand.OBJ_GET_INFO, BpfAttr.info(link.number(), info), object);
        links.add(info.bytes().getInt(ID));
        programs.add(info.bytes().getInt(PROGRAM_ID));
      }
    }
    return new RemovedLinks(links, programs);
  }

  /**
   * Waits until the programs of closed sessions are detached and gone, 2 s at most: another process
   * can have a link or a program open. Does not wait without CAP_SYS_ADMIN.
   */
  public void awaitUnloaded() {
    long begin = System.nanoTime();
    await(BpfCommand.LINK_GET_FD_BY_ID, links, begin);
    // A link loses its id before its program is detached, a program afterwards.
    await(BpfCommand.PROG_GET_FD_BY_ID, programs, begin);
  }

  /**
   * Waits until the links are gone, 2 s at most: another session can have one open. Does not wait
   * without CAP_SYS_ADMIN.
   */
  public void awaitDetached() {
    await(BpfCommand.LINK_GET_FD_BY_ID, links, System.nanoTime());
  }

  private static void await(BpfCommand open, List<Integer> ids, long begin) {
    for (int id : ids) {
      while (exists(open, id) && System.nanoTime() - begin < LIMIT.toNanos()) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private static boolean exists(BpfCommand open, int id) {
    try (FileDescriptor found = SystemCalls.openBpf(open, BpfAttr.id(id), "id " + id)) {
      return found.number() >= 0;
    } catch (KernelException e) {
      return false;
    }
  }
}
