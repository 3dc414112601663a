package dev.ply.kernel.attach;

import dev.ply.kernel.LoadedProgram;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.SystemCalls;
import java.util.Optional;

/**
 * A program at what it was bound to when it was loaded: a function's entry or exit, a raw
 * tracepoint. Making the link runs it, so that is what enabling does. Needs kernel 5.5.
 */
final class BoundAttachment implements Attachment {
  private final String description;
  private final LoadedProgram program;
  private Optional<FileDescriptor> link = Optional.empty();
  private boolean closed;

  BoundAttachment(String description, LoadedProgram program) {
    this.description = description;
    this.program = program;
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
      BpfAttr attr = BpfAttr.bound(program.descriptor());
      link = Optional.of(SystemCalls.openBpf(BpfCommand.RAW_TRACEPOINT_OPEN, attr, description));
    }
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
