package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.lang.events.EventSpace;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventVerdictsTest {
  static List<EventVerdicts.Row> user() throws IOException {
    // Whether a file exists is seen when it is probed.
    return EventVerdicts.of("user.txt").stream()
        .filter(row -> !row.verdict().matches("(Failed to find|Not a regular).*"))
        .toList();
  }

  static List<EventVerdicts.Row> kernel() throws IOException {
    return EventVerdicts.of("kernel.txt");
  }

  @ParameterizedTest
  @MethodSource("user")
  void eventsOfUserSpaceAreJudgedAsByTheKernel(EventVerdicts.Row row) {
    check(row, EventSpace.USER);
  }

  @ParameterizedTest
  @MethodSource("kernel")
  void eventsOfTheKernelAreJudgedAsByTheKernel(EventVerdicts.Row row) {
    check(row, EventSpace.KERNEL);
  }

  private static void check(EventVerdicts.Row row, EventSpace space) {
    String ours = EventVerdicts.ours(row.definition(), space);
    if (row.verdict().equals(EventVerdicts.REFUSED)) {
      assertThat(ours).isNotEqualTo(EventVerdicts.OK);
    } else if (row.verdict().equals(EventVerdicts.BEYOND)) {
      assertThat(ours).isEqualTo(EventVerdicts.OK);
    } else {
      assertThat(ours).isEqualTo(row.verdict());
    }
  }
}
