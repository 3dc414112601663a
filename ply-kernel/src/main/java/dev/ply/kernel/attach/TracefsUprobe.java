package dev.ply.kernel.attach;

import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.tracefs.DynamicEvent;
import dev.ply.kernel.tracefs.Tracefs;

/** A uprobe through {@code uprobe_events}, for kernels without other uprobes. */
final class TracefsUprobe {
  private TracefsUprobe() {}

  static Attachment open(Tracefs tracefs, UprobeLocation place, LoadedProgram program) {
    DynamicEvent event =
        place.atReturn()
            ? DynamicEvent.userExit(tracefs, place.text())
            : DynamicEvent.userEntry(tracefs, place.text());
    try {
      String description = place + " (uprobe_events " + event.name() + ")";
      PerfEventAttr attr = PerfEventAttr.tracepoint(event.id());
      return new TracefsAttachment(
          event, PerfEvent.open(description, attr, place.place().process(), program));
    } catch (RuntimeException | Error e) {
      event.close();
      throw e;
    }
  }
}
