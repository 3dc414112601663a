package dev.ply.bpf.reference;

import dev.ply.result.Datum;
import dev.ply.result.Strftime;
import dev.ply.target.Target;
import dev.ply.type.Encoding;
import java.util.List;

/** What strings that user space decodes say, by the values that they were made of. */
final class EncodedStrings {
  private final Target target;

  EncodedStrings(Target target) {
    this.target = target;
  }

  /** Returns the string made of the values, all zero where there are none. */
  Datum of(Encoding encoding, List<Long> values) {
    if (encoding instanceof Encoding.Time time) {
      long nanos = values.isEmpty() ? 0 : values.get(0);
      return new Datum.Decoded(
          Strftime.format(
              time.pattern(),
              time.clock() == Encoding.Clock.BOOT
                  ? target.wallClock().atBootTime(nanos)
                  : target.wallClock().at(nanos)));
    }
    throw new IllegalArgumentException("no values make a " + encoding.noun());
  }
}
