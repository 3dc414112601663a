package dev.ply.examples.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class TracedTest {
  private static final String PRINTED =
      """
      Attaching 2 probes...
      12 dd 0
      3456 dd 1
      Lost 70 events

      12 dd 0
      ply: 5 events lost
      8 events lost
      @: 4
      """;

  @Property(tries = 20)
  void eventsAndLossesAreCountedHoweverTheyAreRead(@ForAll @IntRange(min = 1, max = 40) int most) {
    InputStream inPieces =
        new ByteArrayInputStream(PRINTED.getBytes(UTF_8)) {
          @Override
          public synchronized int read(byte[] buffer) {
            return read(buffer, 0, most);
          }
        };
    assertThat(Traced.read(inPieces)).isEqualTo(new Traced.Delivery(3, 83));
  }
}
