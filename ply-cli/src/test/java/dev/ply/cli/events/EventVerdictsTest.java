package dev.ply.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Source;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.parse.EventParser;
import dev.ply.machine.Architecture;
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

  static List<EventVerdicts.Logged> logged() throws IOException {
    return EventVerdicts.logged();
  }

  /** What the kernel's part of the table says, its own test has from a kernel. */
  @ParameterizedTest
  @MethodSource("logged")
  void errorsAreShownWhereTheKernelShowsThem(EventVerdicts.Logged wrong) {
    Source source = new Source("<input>", wrong.definition());
    List<Diagnostic> diagnostics =
        EventParser.parse(source, EventSpace.KERNEL, Architecture.X86_64).diagnostics();
    assertThat(DiagnosticRenderer.render(diagnostics, source)).isEqualTo(wrong.ours());
    String caret = wrong.kernel().lines().toList().get(2);
    assertThat(diagnostics.get(0).span().column())
        .isEqualTo(caret.length() - "  Command: ".length());
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
