package dev.ply.kernel.attach;

import dev.ply.kernel.tracefs.DynamicEvent;

/** A program on an event that was defined in tracefs, and is removed again. */
final class TracefsAttachment implements Attachment {
  private final DynamicEvent event;
  private final PerfEvent perf;

  TracefsAttachment(DynamicEvent event, PerfEvent perf) {
    this.event = event;
    this.perf = perf;
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
