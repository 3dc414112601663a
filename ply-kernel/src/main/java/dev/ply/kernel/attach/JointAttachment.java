package dev.ply.kernel.attach;

import dev.ply.kernel.load.CloseAll;
import dev.ply.kernel.sys.FileDescriptor;
import java.util.ArrayList;
import java.util.List;

/** Several sites attached as one. */
final class JointAttachment implements Attachment {
  private final String description;
  private final List<Attachment> parts;

  JointAttachment(String description, List<? extends Attachment> parts) {
    this.description = description;
    this.parts = List.copyOf(parts);
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public void enable() {
    parts.forEach(Attachment::enable);
  }

  @Override
  public List<FileDescriptor> links() {
    List<FileDescriptor> links = new ArrayList<>();
    for (Attachment part : parts) {
      if (part.links().isEmpty()) {
        return List.of();
      }
      links.addAll(part.links());
    }
    return links;
  }

  @Override
  public void detach() {
    parts.forEach(Attachment::detach);
  }

  @Override
  public void close() {
    CloseAll.of(parts);
  }

  @Override
  public String toString() {
    return description;
  }
}
