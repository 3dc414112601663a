package dev.ply.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.result.ProbeCost;
import dev.ply.result.TraceCost;
import dev.ply.target.Mechanism;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CostReportTest {
  private static ProbeCost probe(String name, long hits, long nanos) {
    return new ProbeCost(List.of(name), Mechanism.KPROBE, hits, Duration.ofNanos(nanos));
  }

  private static List<String> lines(List<ProbeCost> probes) {
    return new CostReport(
            new TraceCost(
                Duration.ofSeconds(2), probes, Duration.ofMillis(50), Duration.ofNanos(32)))
        .lines();
  }

  @Test
  void theMostExpensiveProbeIsFirst() {
    assertThat(
            lines(
                List.of(
                    probe("kprobe:vfs_read", 2_000, 160_000),
                    probe("tracepoint:syscalls:sys_enter_read", 2_469_134, 308_641_750))))
        .containsExactly(
            "cost within 2.0 s:",
            "  probe                                    hits/s   ns a hit   % of a CPU",
            "  tracepoint:syscalls:sys_enter_read    1,234,567        125        15.43",
            "  kprobe:vfs_read                           1,000         80         0.01",
            "all programs took 15.44 % of a CPU, ply itself 2.50 %; measuring added 32 ns to each hit,"
                + " which are not counted");
  }

  @Test
  void manyProbesAreCutAndCounted() {
    List<ProbeCost> many =
        IntStream.range(0, 30).mapToObj(i -> probe("kprobe:f" + i, i, i)).toList();
    assertThat(lines(many)).hasSize(24).contains("  … and 10 more");
  }

  @Test
  void namesOfOthersReachTheTerminalEscaped() {
    assertThat(lines(List.of(probe("uprobe:/tmp/\u001b[2J:f", 1, 1))).get(2))
        .startsWith("  uprobe:/tmp/\\x1b[2J:f ");
  }
}
