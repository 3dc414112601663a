package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.Values;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.result.Result;
import dev.ply.table.Table;
import dev.ply.table.TimeSeries;
import dev.ply.table.TimeSeries.Point;
import dev.ply.table.TimeSeries.Reduction;
import dev.ply.text.TextBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Time series, whose drawings are those of bpftrace 0.26. */
class TimeSeriesTest {
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private static Firing value(long value) {
    return Firing.kprobe("vfs_read").arg(0, value);
  }

  private static List<Long> values(TimeSeries series) {
    return series.points().stream().map(Point::value).toList();
  }

  @ParameterizedTest
  @CsvSource({"LAST, 4", "AVG, -1", "SUM, -3", "MIN, -9", "MAX, 4"})
  void anIntervalHasOneValueOfAllCpus(Reduction reduction, long expected) {
    var series =
        Probe.kprobe("vfs_read")
            .tseries(Values.arg(0).cast("int64_t"), Duration.ofHours(1), 3, reduction);
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(series)) {
      tracer.fire(value(2));
      tracer.fire(value(-9).cpu(1));
      tracer.advance(INTERVAL);
      tracer.fire(value(4).cpu(1));
      assertThat(values(session.read(series).single())).containsExactly(expected);
    }
  }

  @Test
  void theNewestIntervalsAreKept() {
    var series = Probe.kprobe("vfs_read").by(Values.pid()).tseries(Values.arg(0), INTERVAL, 3);
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(series)) {
      tracer.fire(value(7).pid(2));
      for (int i = 0; i < 5; i++) {
        tracer.fire(value(i).pid(1));
        tracer.advance(INTERVAL);
      }
      Table<TimeSeries> table = session.read(series);
      assertThat(values(table.get(1).orElseThrow())).containsExactly(2L, 3L, 4L);
      // The other key has no values in the intervals that are shown.
      assertThat(values(table.get(2).orElseThrow())).isEmpty();
      assertThat(table.get(1).orElseThrow().interval()).isEqualTo(INTERVAL.toNanos());
      assertThat(table.get(1).orElseThrow().latest())
          .isEqualTo(table.get(2).orElseThrow().latest())
          .isEqualTo(table.get(1).orElseThrow().points().get(2).start());
    }
  }

  @Test
  void clearingKeepsWhatCameAfterThePrint() {
    var series = Probe.kprobe("vfs_read").tseries(Values.arg(0), INTERVAL, 3);
    try (var tracer = SimulatedTracer.create();
        var session = tracer.start(series)) {
      tracer.fire(value(1));
      tracer.advance(INTERVAL);
      tracer.fire(value(2));
      session.clear(series);
      assertThat(session.read(series).isEmpty()).isTrue();
      tracer.fire(value(3));
      assertThat(values(session.read(series).single())).containsExactly(3L);
    }
  }

  @Test
  void intervalsAreRowsFromTheFirstValueToTheNewestOfTheMap() {
    assertThat(drawn(Layout.BPFTRACE))
        .isEqualTo(
            """
            @[1]:
                         -2                                                  2
            hh:mm:ss.ms  |___________________________________________________|
            00:00:01.000 *                         .                         | -2
            00:00:01.100 |            *            .                         | -1
            00:00:01.200 |                         *                         | 0
            00:00:01.300 |                         .            *            | 1
            00:00:01.400 |                         .                         * 2
            00:00:01.500 |                         .                         | -
                         v___________________________________________________v
                         -2                                                  2

            @[2]:
                               4                                                   6
            hh:mm:ss.ns        |___________________________________________________|
            00:00:01.500000000 |                         *                         | 5
                               v___________________________________________________v
                               4                                                   6

            """);
  }

  @Test
  void intervalsWithoutValuesAreNotInJson() {
    assertThat(drawn(Layout.BPFTRACE_JSON))
        .isEqualTo(
            "{\"type\": \"tseries\", \"data\": {\"@\": {\"1\": ["
                + point("00:00:01.000000000", -2)
                + ","
                + point("00:00:01.100000000", -1)
                + ","
                + point("00:00:01.200000000", 0)
                + ","
                + point("00:00:01.300000000", 1)
                + ","
                + point("00:00:01.400000000", 2)
                + "], \"2\": ["
                + point("00:00:01.500000000", 5)
                + "]}}}\n");
  }

  private static String point(String time, long value) {
    return "{\"interval_start\":\"1970-01-01 " + time + "\",\"value\":" + value + "}";
  }

  private static String drawn(Layout layout) {
    String source = "k:vfs_read { @[pid] = tseries((int64)arg0, 100ms, 6); }";
    try (var tracer = SimulatedTracer.create();
        Session session = tracer.start(PlyScript.parse(source))) {
      for (int i = -2; i <= 2; i++) {
        tracer.fire(value(i).pid(1));
        tracer.advance(INTERVAL);
      }
      tracer.fire(value(5).pid(2));
      TextBuffer out = new TextBuffer();
      layout
          .on(SimulatedTarget.create())
          .render(out, new Result.Snapshot(session.tables(), Result.Occasion.PRINTED));
      return out.toString();
    }
  }
}
