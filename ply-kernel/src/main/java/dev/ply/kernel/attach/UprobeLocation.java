package dev.ply.kernel.attach;

import dev.ply.target.UserLocation;

/** A probe's place in a file, as the kernel takes it. */
record UprobeLocation(UserLocation place, boolean atReturn) {
  /** Returns the place as tracefs takes it. */
  String text() {
    String text = place.file() + ":0x" + Long.toHexString(place.offset());
    return place.semaphore() == 0 ? text : text + "(0x" + Long.toHexString(place.semaphore()) + ")";
  }

  @Override
  public String toString() {
    return (atReturn ? "uretprobe:" : "uprobe:") + text();
  }
}
