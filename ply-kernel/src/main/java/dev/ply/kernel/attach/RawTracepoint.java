package dev.ply.kernel.attach;

import dev.ply.kernel.LoadedProgram;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.SystemCalls;
import java.util.Optional;

/**
 * A program attached to a tracepoint without a record: it sees the arguments of the kernel's own
 * call. Opening it runs it, so that is what enabling does. Needs kernel 4.17.
 */
final class RawTracepoint implements Attachment {
  private final String name;
  private final LoadedProgram program;
  private Optional<FileDescriptor> link = Optional.empty();
  private final long cookie;
  private boolean closed;

  RawTracepoint(String name, LoadedProgram program, long cookie) {
    this.cookie = cookie;
    this.name = name;
    this.program = program;
  }

  @Override
  public String description() {
    return "raw tracepoint " + name;
  }

  @Override
  public synchronized void enable() {
    if (closed) {
      throw new IllegalStateException(description() + " is closed");
    }
    if (link.isEmpty()) {
      link =
          Optional.of(
              SystemCalls.openBpf(
                  BpfCommand.RAW_TRACEPOINT_OPEN,
                  BpfAttr.rawTracepoint(name, program.descriptor(), cookie),
                  description()));
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
    return description();
  }
}
