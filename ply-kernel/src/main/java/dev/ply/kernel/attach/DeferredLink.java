package dev.ply.kernel.attach;

import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.MissedRuns;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A BPF link that starts when it is created, so that {@link #enable} creates it. */
final class DeferredLink implements Attachment {
  private final String description;
  private final Supplier<FileDescriptor> create;
  private Optional<FileDescriptor> link = Optional.empty();
  private boolean closed;

  DeferredLink(String description, Supplier<FileDescriptor> create) {
    this.description = description;
    this.create = create;
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
      link = Optional.of(create.get());
    }
  }

  @Override
  public synchronized long missedRuns() {
    return link.map(MissedRuns::ofLink).orElse(0L);
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
