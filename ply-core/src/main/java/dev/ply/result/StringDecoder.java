package dev.ply.result;

import dev.ply.target.Target;
import dev.ply.target.WallClock;
import dev.ply.type.Encoding;
import java.nio.ByteBuffer;

/** Decodes strings that programs leave encoded, as the target has clocks and names. */
public final class StringDecoder {
  private final WallClock clock;

  /** A decoder for strings of that target. */
  public StringDecoder(Target target) {
    this.clock = target.wallClock();
  }

  /** Returns the string at {@code offset} of a buffer in the target's byte order. */
  public String decode(Encoding encoding, ByteBuffer bytes, int offset) {
    if (encoding instanceof Encoding.Time time) {
      return time(time, bytes.getLong(offset));
    }
    throw new IllegalArgumentException("nothing decodes a " + encoding.noun());
  }

  private String time(Encoding.Time time, long nanos) {
    return Strftime.format(
        time.pattern(),
        switch (time.clock()) {
          case MONOTONIC -> clock.at(nanos);
          case BOOT -> clock.atBootTime(nanos);
        });
  }
}
