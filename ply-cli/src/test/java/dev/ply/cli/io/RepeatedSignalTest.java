package dev.ply.cli.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.io.RepeatedSignal.Meaning;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

/** Signals from a terminal and from those who pass them on. */
class RepeatedSignalTest {
  private static final long SECOND = 1_000_000_000;

  @Property
  void repeatsWithinASecondAreOne(
      @ForAll long begin, @ForAll @LongRange(min = 0, max = SECOND - 1) long later) {
    RepeatedSignal signals = new RepeatedSignal();
    assertThat(signals.received(begin)).isEqualTo(Meaning.STOP);
    assertThat(signals.received(begin + later)).isEqualTo(Meaning.ECHO);
    assertThat(signals.received(begin + later)).isEqualTo(Meaning.ECHO);
  }

  @Property
  void aLaterOneEndsAtOnce(
      @ForAll long begin, @ForAll @LongRange(min = SECOND, max = 1000 * SECOND) long later) {
    RepeatedSignal signals = new RepeatedSignal();
    assertThat(signals.received(begin)).isEqualTo(Meaning.STOP);
    assertThat(signals.received(begin + SECOND / 2)).isEqualTo(Meaning.ECHO);
    assertThat(signals.received(begin + later)).isEqualTo(Meaning.ABANDON);
  }
}
