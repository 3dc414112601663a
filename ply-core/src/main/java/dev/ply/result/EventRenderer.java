package dev.ply.result;

/** Writes the events of one shape. One thread at a time. */
@FunctionalInterface
public interface EventRenderer {
  /** Writes nothing. */
  EventRenderer NONE = (out, event) -> {};

  /**
   * Writes an event; numbers and strings without allocating.
   *
   * @param out receives the output
   * @param event whose values are read while it is written
   */
  void render(TextBuffer out, EventRecord event);
}
