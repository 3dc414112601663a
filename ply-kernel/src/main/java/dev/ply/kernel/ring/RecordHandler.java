package dev.ply.kernel.ring;

import java.nio.ByteBuffer;

/** Takes the records of a ring buffer. */
@FunctionalInterface
public interface RecordHandler {
  /**
   * Takes one record: the bytes from {@code record}'s position to its limit. The buffer is
   * read-only, in native byte order, reused, and valid during the call only. A record starts at a
   * multiple of 8 and its position is not 0: absolute reads must add it.
   */
  void record(ByteBuffer record);
}
