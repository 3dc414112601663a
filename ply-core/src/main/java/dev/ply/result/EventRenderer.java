package dev.ply.result;

import dev.ply.text.TextBuffer;
import java.nio.ByteBuffer;

/** Writes the events of one shape. One thread at a time. */
@FunctionalInterface
public interface EventRenderer {
  /** Writes nothing. */
  EventRenderer NONE = (out, memory, start) -> {};

  /**
   * Writes an event; numbers and strings without allocating.
   *
   * @param out receives the output
   * @param memory that the event's record is in, in the target's byte order; its position is not
   *     used
   * @param start the index of the record's first byte
   */
  void render(TextBuffer out, ByteBuffer memory, int start);
}
