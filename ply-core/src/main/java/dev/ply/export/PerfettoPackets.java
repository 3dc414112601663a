package dev.ply.export;

import dev.ply.text.TextBuffer;

/** The packets of a Perfetto trace, one sequence, which the clocks precede. Not thread-safe. */
final class PerfettoPackets {
  private static final int CLOCK_REALTIME = 1;
  private static final int CLOCK_BOOTTIME = 6;

  /** The sequence of all packets. */
  private static final int SEQUENCE = 1;

  private final BootClock clock;
  private long nextTrack = 1;
  private boolean isBegun;

  PerfettoPackets(BootClock clock) {
    this.clock = clock;
  }

  /** Writes a new track, and returns its number. */
  long track(TextBuffer out, ProtobufWriter descriptor) {
    long id = nextTrack++;
    packet(out, clock.now(), 60, descriptor.number(1, id));
    return id;
  }

  /**
   * Writes a TrackEvent.
   *
   * @param time since the boot, in nanoseconds
   */
  void event(TextBuffer out, long time, ProtobufWriter event) {
    packet(out, time, 11, event);
  }

  /** Writes a packet; the first is preceded by the clocks. */
  private void packet(TextBuffer out, long time, int field, ProtobufWriter data) {
    ProtobufWriter trace = new ProtobufWriter(out);
    if (!isBegun) {
      isBegun = true;
      long now = clock.now();
      ProtobufWriter clocks =
          new ProtobufWriter()
              .message(1, new ProtobufWriter().number(1, CLOCK_BOOTTIME).number(2, now))
              .message(
                  1,
                  new ProtobufWriter().number(1, CLOCK_REALTIME).number(2, clock.epochNanos(now)))
              .number(2, CLOCK_BOOTTIME);
      trace.message(
          1,
          new ProtobufWriter()
              .message(6, clocks)
              .number(10, SEQUENCE)
              // The sequence begins: readers need nothing before it.
              .number(13, 1));
    }
    trace.message(
        1, new ProtobufWriter().number(8, time).message(field, data).number(10, SEQUENCE));
  }
}
