package dev.ply.kernel.attach;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.sys.CpuSet;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.result.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A program on a perf event on each of several CPUs. */
final class PerCpuEvents implements Attachment {
  private final String description;
  private final List<PerfEvent> events;

  private PerCpuEvents(String description, List<PerfEvent> events) {
    this.description = description;
    this.events = List.copyOf(events);
  }

  /** Opens an event on each CPU, skipping any that went offline since they were listed. */
  static PerCpuEvents open(
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
      return new PerCpuEvents(description, events);
    } catch (RuntimeException e) {
      events.forEach(PerfEvent::close);
      throw e;
    }
  }

  @Override
  public String description() {
    return description + " on " + events.size() + " CPUs";
  }

  @Override
  public void enable() {
    events.forEach(PerfEvent::enable);
  }

  @Override
  public List<FileDescriptor> links() {
    List<FileDescriptor> links = new ArrayList<>();
    for (PerfEvent part : events) {
      if (part.links().isEmpty()) {
        return List.of();
      }
      links.addAll(part.links());
    }
    return links;
  }

  @Override
  public void detach() {
    events.forEach(PerfEvent::detach);
  }

  @Override
  public void close() {
    events.forEach(PerfEvent::close);
  }

  @Override
  public String toString() {
    return description();
  }
}
