package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.StackTables.Sample;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.layout.OutputFormat;
import dev.ply.machine.Architecture;
import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import dev.ply.table.TableSchema.Unit;
import dev.ply.text.TextBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Maps as Prometheus reads them. */
class OpenMetricsTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);
  private static final Firing READ = Firing.kprobe("vfs_read");

  private static final String LABEL = "[a-z_][a-z0-9_]*=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\"";

  /** A sample, as the grammar of the format has it. */
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-z_:][a-z0-9_:]*)(\\{"
              + LABEL
              + "(?:,"
              + LABEL
              + ")*\\})?"
              + " (-?[0-9]+(?:\\.[0-9]+)?|[+-]Inf|NaN)");

  private static String write(List<NamedTable> maps) {
    return write(OutputFormat.OPENMETRICS, maps);
  }

  private static String write(OutputFormat format, List<NamedTable> maps) {
    TextBuffer out = new TextBuffer();
    boolean isShown =
        format.layout().on(TARGET).render(out, new Result.Snapshot(maps, Result.Occasion.FINAL));
    assertThat(isShown).isTrue();
    return out.toString();
  }

  private static String run(String script, Firing... firings) {
    return run(OutputFormat.OPENMETRICS, script, firings);
  }

  private static String run(OutputFormat format, String script, Firing... firings) {
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script));
        Session session = trace.start()) {
      Arrays.stream(firings).forEach(tracer::fire);
      session.stop();
      return write(format, session.tables());
    }
  }

  @Test
  void eachKindOfMapHasItsType() {
    String script =
        "kprobe:vfs_read { @[comm] = count(); @bytes = sum(arg2); @size = quantize(arg2);"
            + " @last[pid] = time; @all = stats(arg2); @by[pid, \"x\"] = lhist(arg2, 0, 10, 5);"
            + " @who = comm; @8 = max(arg2); }";
    assertThat(run(script, READ.pid(3).comm("c\\d\"\u001b").arg(2, 9)))
        .isEqualTo(
            """
            # TYPE ply_map counter
            # HELP ply_map @: count by comm
            ply_map_total{comm="c\\\\\\\\d\\"\\\\x1b"} 1
            # TYPE ply_bytes counter
            # HELP ply_bytes @bytes: sum
            ply_bytes_total 9
            # TYPE ply_size histogram
            # HELP ply_size @size: quantize
            ply_size_bucket{le="15.0"} 1
            ply_size_bucket{le="+Inf"} 1
            # TYPE ply_last_seconds gauge
            # UNIT ply_last_seconds seconds
            # HELP ply_last_seconds @last by pid
            ply_last_seconds{pid="3"} 1
            # TYPE ply_all summary
            # HELP ply_all @all: stats
            ply_all_count 1
            ply_all_sum 9
            # TYPE ply_by histogram
            # HELP ply_by @by: lhist by pid, key
            ply_by_bucket{pid="3",key="x",le="-1.0"} 0
            ply_by_bucket{pid="3",key="x",le="4.0"} 0
            ply_by_bucket{pid="3",key="x",le="9.0"} 1
            ply_by_bucket{pid="3",key="x",le="+Inf"} 1
            # TYPE ply_who info
            # HELP ply_who @who
            ply_who_info{value="c\\\\\\\\d\\"\\\\x1b"} 1
            # TYPE ply_8 gauge
            # HELP ply_8 @8: max
            ply_8 9
            # EOF
            """);
  }

  /** The format of node_exporter names counters as their samples, and knows no texts. */
  @Test
  void theOlderFormatDescribesSamples() {
    String script =
        "kprobe:vfs_read { @[comm] = count(); @size[str(\"a\\\"b\")] = quantize(arg2);"
            + " @last = time; @who = comm; }";
    assertThat(run(OutputFormat.PROMETHEUS, script, READ.comm("c").arg(2, 9)))
        .isEqualTo(
            """
            # HELP ply_map_total @: count by comm
            # TYPE ply_map_total counter
            ply_map_total{comm="c"} 1
            # HELP ply_size @size: quantize by str("a"b")
            # TYPE ply_size histogram
            ply_size_bucket{str_a_b="a\\"b",le="15.0"} 1
            ply_size_bucket{str_a_b="a\\"b",le="+Inf"} 1
            ply_size_count{str_a_b="a\\"b"} 1
            # HELP ply_last_seconds @last
            # TYPE ply_last_seconds gauge
            ply_last_seconds 1
            # HELP ply_who_info @who
            # TYPE ply_who_info gauge
            ply_who_info{value="c"} 1
            """);
  }

  /** Powers of ten have one spelling. */
  @Test
  void boundsAreWrittenAsTheFormatWants() {
    String script = "kprobe:vfs_read { @ = lhist(arg2, 1, 10000001, 9999999); }";
    assertThat(run(script, READ.arg(2, 9)))
        .contains("le=\"0.0\"", "le=\"9999999.0\"", "le=\"+Inf\"");
    script = "kprobe:vfs_read { @ = lhist(arg2, 1, 1000001, 1000000); }";
    assertThat(run(script, READ.arg(2, 9))).contains("le=\"1e+06\"");
  }

  @Provide
  Arbitrary<List<Sample>> sums() {
    return StackTables.samples(-1L << 40, 1L << 40);
  }

  /** Each row is one line of the grammar, no two have the same labels, and nothing is added. */
  @Property(tries = 300)
  void rowsAreSamplesAndNothingElseIs(@ForAll("sums") List<Sample> samples) {
    NamedTable map = StackTables.map("@b", "sum", Unit.NONE, samples);
    String text = write(List.of(map, map));
    assertThat(text).endsWith("# EOF\n");
    long sum = 0;
    Set<String> series = new HashSet<>();
    for (String line : text.split("\n", -1)) {
      if (line.isEmpty() || line.matches("# (TYPE|HELP) ply_b(_2)? .*|# EOF")) {
        continue;
      }
      Matcher sample = SAMPLE.matcher(line);
      assertThat(sample.matches()).as(line).isTrue();
      assertThat(series.add(sample.group(1) + sample.group(2))).as(line).isTrue();
      sum += Long.parseLong(sample.group(3));
    }
    assertThat(series).hasSize(2 * samples.size());
    assertThat(sum).isEqualTo(2 * samples.stream().mapToLong(Sample::number).sum());
  }

  /** Times keep all their digits. */
  @Test
  void nanosecondsAreSeconds() {
    NamedTable map =
        StackTables.map(
            "@t",
            "sum",
            Unit.NANOSECONDS,
            List.of(
                new Sample("a", List.of(), 1), new Sample("b", List.of(), 9_007_199_254_740_993L)));
    assertThat(write(List.of(map)))
        .contains("ply_t_seconds{comm=\"a\",ustack=\"\"} 0.000000001\n")
        .contains("} 9007199.254740993\n");
  }
}
