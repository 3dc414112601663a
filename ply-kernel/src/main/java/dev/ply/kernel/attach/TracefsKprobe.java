package dev.ply.kernel.attach;

import dev.ply.kernel.LoadedProgram;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.tracefs.DynamicEvent;
import dev.ply.kernel.tracefs.Tracefs;

/** A kprobe by way of {@code kprobe_events}, for kernels that have no other. */
final class TracefsKprobe implements Attachment {
  private final DynamicEvent event;
  private final PerfEvent perf;

  private TracefsKprobe(DynamicEvent event, PerfEvent perf) {
    this.event = event;
    this.perf = perf;
  }

  static TracefsKprobe open(
      Tracefs tracefs, KprobeLocation place, LoadedProgram program, long cookie) {
    DynamicEvent event =
        place.atReturn()
            ? DynamicEvent.exit(tracefs, place.text())
            : DynamicEvent.entry(tracefs, place.text());
    try {
      String description = place + " (kprobe_events " + event.name() + ")";
      return new TracefsKprobe(
          event,
          PerfEvent.open(description, PerfEventAttr.tracepoint(event.id()), program, cookie));
    } catch (RuntimeException e) {
      event.close();
      throw e;
    }
  }

  @Override
  public String description() {
    return perf.description();
  }

  @Override
  public void enable() {
    perf.enable();
  }

  @Override
  public long missedRuns() {
    return perf.missedRuns();
  }

  @Override
  public void detach() {
    perf.detach();
  }

  @Override
  public void close() {
    perf.close();
    event.close();
  }

  @Override
  public String toString() {
    return description();
  }
}
