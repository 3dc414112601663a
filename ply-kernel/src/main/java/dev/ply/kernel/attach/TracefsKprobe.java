package dev.ply.kernel.attach;

import dev.ply.kernel.Errno;
import dev.ply.kernel.KernelException;
import dev.ply.kernel.LoadedProgram;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.tracefs.DynamicEvent;
import dev.ply.kernel.tracefs.Tracefs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** A kprobe by way of {@code kprobe_events}, for kernels that have no other. */
final class TracefsKprobe implements Attachment {
  private static final Path MODULES = Path.of("/proc/modules");

  private final DynamicEvent event;
  private final PerfEvent perf;

  private TracefsKprobe(DynamicEvent event, PerfEvent perf) {
    this.event = event;
    this.perf = perf;
  }

  /**
   * @param maxActive how many calls at once a probe of a return follows; empty for the kernel's own
   *     choice
   */
  static TracefsKprobe open(
      Tracefs tracefs,
      KprobeLocation place,
      OptionalInt maxActive,
      LoadedProgram program,
      long cookie) {
    requireModule(place);
    DynamicEvent event =
        place.atReturn()
            ? DynamicEvent.exit(tracefs, place.text(), maxActive)
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

  /** The kernel would wait in silence for a module that is not loaded. */
  private static void requireModule(KprobeLocation place) {
    int colon = place.symbol().indexOf(':');
    if (colon > 0 && !isLoaded(place.symbol().substring(0, colon))) {
      throw new KernelException(Errno.ENOENT, place.toString());
    }
  }

  private static boolean isLoaded(String module) {
    try (Stream<String> lines = Files.lines(MODULES)) {
      return lines.anyMatch(line -> line.startsWith(module + " "));
    } catch (IOException e) {
      // A kernel without modules has no such file.
      return false;
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
