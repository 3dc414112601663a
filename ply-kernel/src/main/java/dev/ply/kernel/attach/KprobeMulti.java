package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSpec;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.sys.BpfAttr;
import dev.ply.kernel.sys.BpfCommand;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.MissedRuns;
import dev.ply.kernel.sys.SystemCalls;
import java.util.List;
import java.util.Optional;

/**
 * A kprobe.multi link: one program on many functions, through fprobe. Creating the link starts it,
 * so {@link #enable} creates it. Requires Linux 5.18.
 */
final class KprobeMulti implements Attachment {
  private final AttachSpec.KprobeMulti spec;
  private final LoadedProgram program;
  private Optional<FileDescriptor> link = Optional.empty();
  private boolean closed;

  KprobeMulti(AttachSpec.KprobeMulti spec, LoadedProgram program) {
    this.spec = spec;
    this.program = program;
  }

  @Override
  public String description() {
    return (spec.isReturn() ? "the returns" : "the entries")
        + " of "
        + spec.functions().size()
        + " functions (kprobe-multi)";
  }

  @Override
  public synchronized void enable() {
    if (closed) {
      throw new IllegalStateException(description() + " is closed");
    }
    if (link.isEmpty()) {
      BpfAttr attr =
          BpfAttr.kprobeMulti(
              program.descriptor(), spec.functions(), spec.cookies(), spec.isReturn());
      link = Optional.of(SystemCalls.openBpf(BpfCommand.LINK_CREATE, attr, description()));
    }
  }

  @Override
  public synchronized long missedRuns() {
    return link.filter(open -> !open.isClosed())
        .map(open -> MissedRuns.ofLink(open.number()))
        .orElse(0L);
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
    return description();
  }
}
