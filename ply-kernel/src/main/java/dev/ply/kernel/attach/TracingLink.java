package dev.ply.kernel.attach;

import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.SystemCalls;
import java.util.function.Supplier;

/**
 * A link to a raw tracepoint by name, or to the function or tracepoint that the program was bound
 * to at load time. Requires Linux 4.17, or 5.5 for bound programs.
 */
final class TracingLink {
  private TracingLink() {}

  static Attachment to(String description, Supplier<BpfAttr> target) {
    return new DeferredLink(
        description,
        () -> SystemCalls.openBpf(BpfCommand.RAW_TRACEPOINT_OPEN, target.get(), description));
  }
}
