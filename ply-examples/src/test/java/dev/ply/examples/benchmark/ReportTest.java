package dev.ply.examples.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.examples.benchmark.Report.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Subject CALL = new Subject("(a) a call", "count", "ns");

  private final Report report = new Report();

  @Test
  void aRowHasMediansAndTheRatiosOfTheRounds() {
    for (double round : new double[] {1, 2, 3}) {
      report.add(CALL, Tool.Kind.OURS, 10 * round);
      report.add(CALL, Tool.Kind.BPFTRACE, 20 * round);
    }

    assertThat(report.table().lines().skip(1))
        .containsExactly(
            "(a) a call",
            "  count                          ns               20         40          -"
                + "   0.50 (0.50-0.50)                  -");
  }

  @Test
  void aPartEndsWithTheMeansOfItsRatios() {
    Subject run = new Subject("(b) a run", "count", "ns");
    Subject other = new Subject("(a) a call", "sum", "ns");
    for (Subject subject : List.of(CALL, run, other)) {
      report.add(subject, Tool.Kind.OURS, 10);
      report.add(subject, Tool.Kind.BPFTRACE, subject.equals(other) ? 40 : 10);
    }

    assertThat(report.table().lines().skip(1))
        .extracting(line -> line.strip().replaceAll(" {2,}.*", ""))
        .containsExactly(
            "(a) a call", "count", "sum", "geometric mean (highest)", "(b) a run", "count");
    assertThat(report.table()).containsPattern("geometric mean .* 0\\.50 \\(1\\.00\\) +-\n");
  }

  @Test
  void whatWasNotMeasuredIsToldOnce() {
    report.note("ply is missing");
    report.note("ply is missing");

    assertThat(report.table()).endsWith("note: ply is missing\n").containsOnlyOnce("missing");
  }

  @Test
  void theJsonHasEachRound() {
    report.add(CALL, Tool.Kind.OURS, 1.5);
    report.add(CALL, Tool.Kind.OURS, 2);

    assertThat(report.json("a \"fast\" one"))
        .startsWith("{\"machine\": \"a \\\"fast\\\" one\"")
        .contains("\"tool\": \"ours\", \"values\": [1.5, 2.0]}");
  }

  /** Of five rounds of two tools, one lacks the second and one the fourth: three are compared. */
  @Test
  void aFailedMeasurementIsMissingAndNoZero() {
    for (int round = 0; round < 5; round++) {
      report.begin(round);
      if (round == 1) {
        report.missing("ours, count", "dd gave no time");
      } else {
        report.add(CALL, Tool.Kind.OURS, 10 * (round + 1));
      }
      report.add(CALL, Tool.Kind.BPFTRACE, round == 3 ? Double.NaN : 20 * (round + 1));
    }

    assertThat(report.table())
        .contains("35         50          -   0.50 (0.50-0.50)")
        .contains("note: missing, ours, count: dd gave no time\n")
        .contains("note: missing, bpftrace, count: nothing was counted for (a) a call\n");
    assertThat(report.json("m"))
        .contains("[10.0, null, 30.0, 40.0, 50.0]")
        .contains("[20.0, 40.0, 60.0, null, 100.0]")
        .contains("\"missing, ours, count: dd gave no time\"");
  }

  @Test
  void whatFailsEachTimeIsSaidOnce() {
    for (int round = 0; round < 3; round++) {
      report.begin(round);
      report.missing("ply, count", "it did nothing");
    }
    assertThat(report.table()).endsWith("note: missing 3 times, ply, count: it did nothing\n");
  }

  @Test
  void quantilesLieBetweenValues() {
    assertThat(Report.quantile(List.of(4.0, 1.0, 2.0, 3.0), 0.5)).isEqualTo(2.5);
    assertThat(Report.quantile(List.of(7.0), 0.25)).isEqualTo(7);
  }
}
