package dev.ply.kernel.attach;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.name.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Attaches a program to a perf event on each of several CPUs. */
final class PerCpuEvents {
  private PerCpuEvents() {}

  /** Opens an event on each CPU, skipping any that went offline since they were listed. */
  static Attachment open(
      String description, PerfEventAttr attr, CpuSet cpus, LoadedProgram program) {
    List<PerfEvent> events = new ArrayList<>();
    Optional<KernelException> offline = Optional.empty();
    try {
      for (int i = 0; i < cpus.count(); i++) {
        try {
          events.add(PerfEvent.open(description, attr, cpus.number(i), program));
        } catch (KernelException e) {
          if (e.errno() != Errno.ENODEV) {
            throw e;
          }
          offline = Optional.of(e);
        }
      }
      if (events.isEmpty() && offline.isPresent()) {
        throw offline.get();
      }
      return new JointAttachment(description + " on " + events.size() + " CPUs", events);
    } catch (RuntimeException | Error e) {
      events.forEach(PerfEvent::close);
      throw e;
    }
  }
}
