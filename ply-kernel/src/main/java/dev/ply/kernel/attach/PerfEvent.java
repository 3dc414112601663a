package dev.ply.kernel.attach;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.MissedRuns;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.sys.PerfRequest;
import dev.ply.kernel.sys.SystemCalls;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A program on a perf event. For tracepoints and probes an event on one CPU is enough: the kernel
 * runs their programs on all CPUs as soon as they are set, before it looks for events of the
 * current CPU.
 */
final class PerfEvent implements Attachment {
  private final String description;
  private final LoadedProgram program;
  private final FileDescriptor event;
  private final long cookie;
  private Optional<FileDescriptor> link = Optional.empty();
  private boolean enabled;

  private PerfEvent(String description, LoadedProgram program, FileDescriptor event, long cookie) {
    this.description = description;
    this.program = program;
    this.event = event;
    this.cookie = cookie;
  }

  /** Opens an event on the first online CPU. */
  static PerfEvent open(String description, PerfEventAttr attr, LoadedProgram program) {
    return open(description, attr, CpuSet.online().number(0), program);
  }

  /**
   * Opens an event on the first online CPU.
   *
   * @param cookie the cookie for the program, requires Linux 5.15; 0 for none
   */
  static PerfEvent open(
      String description, PerfEventAttr attr, LoadedProgram program, long cookie) {
    return open(description, attr, CpuSet.online().number(0), program, cookie);
  }

  /** Opens an event of one process, or of all processes on the first online CPU. */
  static PerfEvent open(
      String description, PerfEventAttr attr, OptionalInt process, LoadedProgram program) {
    return process.isEmpty()
        ? open(description, attr, program)
        : new PerfEvent(
            description,
            program,
            SystemCalls.openPerfEventOfProcess(attr, process.getAsInt(), description),
            0);
  }

  /** Opens an event on a CPU. */
  static PerfEvent open(String description, PerfEventAttr attr, int cpu, LoadedProgram program) {
    return open(description, attr, cpu, program, 0);
  }

  private static PerfEvent open(
      String description, PerfEventAttr attr, int cpu, LoadedProgram program, long cookie) {
    FileDescriptor event = SystemCalls.openPerfEvent(attr, cpu, description);
    return new PerfEvent(description, program, event, cookie);
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public synchronized void enable() {
    if (event.isClosed()) {
      throw new IllegalStateException(description + " is closed");
    }
    if (enabled) {
      return;
    }
    link = link();
    if (link.isEmpty()) {
      SystemCalls.ioctl(
          event,
          PerfRequest.SET_BPF,
          program.descriptor(),
          "attaching " + program + " to " + description);
    }
    SystemCalls.ioctl(event, PerfRequest.ENABLE, 0, "enabling " + description);
    enabled = true;
  }

  /** Creates a link, which can be detached without closing the event, if the kernel has them. */
  private Optional<FileDescriptor> link() {
    try {
      BpfAttr attr = BpfAttr.perfLink(program.descriptor(), event.number(), cookie);
      return Optional.of(SystemCalls.openBpf(BpfCommand.LINK_CREATE, attr, description));
    } catch (KernelException e) {
      if (cookie != 0) {
        throw e;
      }
      // Before Linux 5.15; other failures recur, with their reason, in the ioctl.
      return Optional.empty();
    }
  }

  @Override
  public synchronized long missedRuns() {
    return link.map(MissedRuns::ofLink).orElse(0L);
  }

  @Override
  public synchronized List<FileDescriptor> links() {
    return link.stream().toList();
  }

  @Override
  public synchronized void detach() {
    link.ifPresentOrElse(FileDescriptor::close, event::close);
  }

  @Override
  public synchronized void close() {
    link.ifPresent(FileDescriptor::close);
    event.close();
  }

  @Override
  public String toString() {
    return description;
  }
}
