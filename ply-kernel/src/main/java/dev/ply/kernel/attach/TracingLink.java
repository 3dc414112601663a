package dev.ply.kernel.attach;

import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.SystemCalls;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A link to a raw tracepoint by name, or to the function or tracepoint that the program was bound
 * to at load time. Creating the link starts it, so {@link #enable} creates it. Requires Linux 4.17,
 * or 5.5 for bound programs.
 */
final class TracingLink implements Attachment {
  private final String description;
  private final Supplier<BpfAttr> what;
  private Optional<FileDescriptor> link = Optional.empty();
  private boolean closed;

  TracingLink(String description, Supplier<BpfAttr> what) {
    this.description = description;
    this.what = what;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public synchronized void enable() {
    if (closed) {
      throw new IllegalStateException(description + " is closed");
    }
    if (link.isEmpty()) {
      link =
          Optional.of(SystemCalls.openBpf(BpfCommand.RAW_TRACEPOINT_OPEN, what.get(), description));
    }
  }

  @Override
  public synchronized List<FileDescriptor> links() {
    return link.stream().toList();
  }

  @Override
  public void detach() {
    close();
  }

  @Override
  public synchronized void close() {
    closed = true;
    link.ifPresent(FileDescriptor::close);
  }

  @Override
  public String toString() {
    return description;
  }
}
