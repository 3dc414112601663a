package dev.ply.property;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

class MoreTriesTest {
  private static final AtomicInteger TRIES = new AtomicInteger();

  @Property(tries = 7)
  void aPropertyIsTriedAsOftenAsTheFactorSays(@ForAll long number) {
    TRIES.incrementAndGet();
  }

  @AfterContainer
  static void allWereTried() {
    assertThat(TRIES).hasValue(7 * Integer.getInteger("property.factor", 1));
  }
}
