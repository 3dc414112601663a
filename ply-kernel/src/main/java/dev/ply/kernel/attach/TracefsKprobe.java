package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.KernelLocation;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.sys.PerfEventAttr;
import dev.ply.kernel.tracefs.DynamicEvent;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.name.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A kprobe through {@code kprobe_events}, for kernels without other kprobes. */
final class TracefsKprobe {
  private static final Path MODULES = Path.of("/proc/modules");

  private TracefsKprobe() {}

  static Attachment open(Tracefs tracefs, AttachSpec.Kprobe spec, LoadedProgram program) {
    requireModule(spec);
    String location = spec.location().text();
    DynamicEvent event =
        spec.isReturn()
            ? DynamicEvent.exit(tracefs, location, spec.maxActive())
            : DynamicEvent.entry(tracefs, location);
    try {
      String description = spec.description() + " (kprobe_events " + event.name() + ")";
      PerfEventAttr attr = PerfEventAttr.tracepoint(event.id());
      return new TracefsAttachment(
          event, PerfEvent.open(description, attr, program, spec.cookie()));
    } catch (RuntimeException | Error e) {
      event.close();
      throw e;
    }
  }

  /** For a module that is not loaded, the kernel would silently defer the probe. */
  private static void requireModule(AttachSpec.Kprobe spec) {
    if (spec.location() instanceof KernelLocation.Symbol symbol
        && symbol.module().isPresent()
        && !isLoaded(symbol.module().get())) {
      throw new KernelException(Errno.ENOENT, spec.description());
    }
  }

  private static boolean isLoaded(String module) {
    try (Stream<String> lines = Files.lines(MODULES)) {
      return lines.anyMatch(line -> line.startsWith(module + " "));
    } catch (IOException e) {
      // Missing on kernels without module support.
      return false;
    }
  }
}
