package dev.ply.kernel.attach;

import dev.ply.target.UserLocation;

/** The location of a uprobe for the kernel. */
record UprobeLocation(UserLocation place, boolean atReturn) {
  /** Returns the location in the syntax of tracefs. */
  String text() {
    String text = place.file() + ":0x" + Long.toHexString(place.offset());
    return place.semaphore() == 0 ? text : text + "(0x" + Long.toHexString(place.semaphore()) + ")";
  }

  @Override
  public String toString() {
    return (atReturn ? "uretprobe:" : "uprobe:") + text();
  }
}
