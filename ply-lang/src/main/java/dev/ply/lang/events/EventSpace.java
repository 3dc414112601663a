package dev.ply.lang.events;

/** Where events are: which of the kernel's files takes their definitions. */
public enum EventSpace {
  /** In the kernel: {@code kprobe_events}, and the {@code f} and {@code t} of dynamic_events. */
  KERNEL("kprobe_events"),
  /** In programs and libraries: {@code uprobe_events}. */
  USER("uprobe_events");

  private final String file;

  EventSpace(String file) {
    this.file = file;
  }

  /** Returns the name of the kernel's file in tracefs. */
  public String file() {
    return file;
  }
}
