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

  @Test
  void quantilesLieBetweenValues() {
    assertThat(Report.quantile(List.of(4.0, 1.0, 2.0, 3.0), 0.5)).isEqualTo(2.5);
    assertThat(Report.quantile(List.of(7.0), 0.25)).isEqualTo(7);
  }
}
