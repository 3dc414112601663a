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

  /** The size of struct bpf_link_info up to its id (include/uapi/linux/bpf.h), and its offset. */
  private static final int SIZE = 8;

  private static final int ID = 4;

  private final List<Integer> ids;

  private RemovedLinks(List<Integer> ids) {
    this.ids = List.copyOf(ids);
  }

  /** Returns the links of files that are about to be removed. */
  static RemovedLinks of(List<Path> files) {
    List<Integer> ids = new ArrayList<>();
    for (Path file : files) {
      String object = file.toString();
      try (FileDescriptor link =
          SystemCalls.openBpf(BpfCommand.OBJ_GET, BpfAttr.path(object), object)) {
        NativeMemory info = NativeMemory.allocate(SIZE);
        SystemCalls.bpf(BpfCommand.OBJ_GET_INFO, BpfAttr.info(link.number(), info), object);
        ids.add(info.bytes().getInt(ID));
      }
    }
    return new RemovedLinks(ids);
  }

  /**
   * Waits until the programs are detached, 2 s at most: another session can have a link open. Does
   * not wait without CAP_SYS_ADMIN.
   */
  public void awaitDetached() {
    long begin = System.nanoTime();
    for (int id : ids) {
      while (exists(id) && System.nanoTime() - begin < LIMIT.toNanos()) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
    if (!ids.isEmpty()) {
      // A link loses its id just before its program is detached.
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private static boolean exists(int id) {
    try (FileDescriptor link =
        SystemCalls.openBpf(BpfCommand.LINK_GET_FD_BY_ID, BpfAttr.id(id), "link " + id)) {
      return link.number() >= 0;
    } catch (KernelException e) {
      return false;
    }
  }
}
