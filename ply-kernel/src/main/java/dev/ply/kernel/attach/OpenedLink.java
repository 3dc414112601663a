package dev.ply.kernel.attach;

import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.sys.MissedRuns;

/** A link that an earlier session has enabled and pinned. It stays while its file does. */
final class OpenedLink implements Attachment {
  private final String description;
  private final FileDescriptor link;

  OpenedLink(String description, FileDescriptor link) {
    this.description = description;
    this.link = link;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public void enable() {
    // It is.
  }

  @Override
  public long missedRuns() {
    return MissedRuns.ofLink(link);
  }

  @Override
  public void detach() {
    close();
  }

  @Override
  public void close() {
    link.close();
  }

  @Override
  public String toString() {
    return description;
  }
}
