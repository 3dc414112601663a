package dev.ply.bpf.session;

import static dev.ply.Values.arg;
import static dev.ply.Values.comm;
import static dev.ply.Values.cpu;
import static dev.ply.Values.number;
import static dev.ply.Values.pid;
import static dev.ply.Values.probe;
import static dev.ply.Values.stack;
import static dev.ply.Values.tuple;
import static dev.ply.Values.variable;
import static dev.ply.Values.walltime;
import static dev.ply.value.NetworkValues.ntop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.layout.JsonTable;
import dev.ply.reader.StrictJson;
import dev.ply.table.FlameGraph;
import dev.ply.table.Histogram;
import dev.ply.table.Stack;
import dev.ply.table.Statistics;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables as records, as JSON and as flame graphs. */
class RowRecordsTest {
  private static final Firing READ = Firing.kprobe("vfs_read").comm("cat").pid(7);

  private record Sizes(String comm, int pid, Histogram sizes) {}

  @Test
  void aRowIsARecordOfItsKeyAndItsValue() {
    var sizes = Probe.kprobe("vfs_read").by(comm(), pid()).quantize(arg(2));
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(sizes)) {
      tracer.fire(READ.arg(2, 100));
      tracer.fire(READ.arg(2, 5000));
      List<Sizes> rows = session.read(sizes).rowsAs(Sizes.class);
      assertThat(rows).hasSize(1);
      assertThat(rows.get(0).comm()).isEqualTo("cat");
      assertThat(rows.get(0).pid()).isEqualTo(7);
      assertThat(rows.get(0).sizes().percentile(100).low()).isEqualTo(4096);
      assertThat(session.table("@").rowsAs(Sizes.class)).isEqualTo(rows);
    }
  }

  private enum Cpu {
    FIRST,
    SECOND,
    UNKNOWN
  }

  private record Endpoint(InetAddress address, short port) {}

  private record Kinds(
      Cpu cpu, String site, Endpoint from, Instant at, boolean any, Stack stack, long count) {}

  @Test
  void partsOfKeysHaveTheTypesOfTheirComponents() {
    var counts =
        Probe.kprobe("vfs_read")
            .by(cpu(), probe(), ntop(number(0x0100007f)), number(80), walltime(), arg(0), stack())
            .count();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(counts)) {
      tracer.fire(READ.cpu(1).arg(0, 3).stack(0xffffffff81000010L));
      Kinds row = session.read(counts).rowsAs(Kinds.class).get(0);
      assertThat(row.cpu()).isEqualTo(Cpu.SECOND);
      assertThat(row.site()).isEqualTo("kprobe:vfs_read");
      assertThat(row.from()).isEqualTo(new Endpoint(InetAddress.getLoopbackAddress(), (short) 80));
      assertThat(row.at()).isAfter(Instant.EPOCH);
      assertThat(row.any()).isTrue();
      assertThat(row.stack().frames()).hasSize(1);
      assertThat(row.count()).isEqualTo(1);
    }
  }

  private record Amount(Statistics amount) {}

  private record Misfit(int comm, long count) {}

  private record Few(long count) {}

  @Test
  void componentsThatDoNotFitAreNamed() {
    var stats = Probe.kprobe("vfs_read").stats(arg(2));
    var counts = Probe.kprobe("vfs_read").by(comm()).count();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(stats, counts)) {
      tracer.fire(READ.arg(2, 10));
      assertThat(session.read(stats).rowsAs(Amount.class).get(0).amount().average()).isEqualTo(10);
      assertThatThrownBy(() -> session.read(counts).rowsAs(Misfit.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("record Misfit, component \"comm\" (int): this is cat");
      assertThatThrownBy(() -> session.read(counts).rowsAs(Few.class))
          .hasMessage("record Few has the components (count), a row has the values (cat, 1)");
      assertThatThrownBy(() -> session.table("@lat"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no map \"@lat\" in this trace, only [@, @2]");
    }
  }

  private record Pair(String comm, int cpu) {}

  private record Nested(Pair who, long count) {}

  @Test
  void tuplesAreTheComponentsOfNestedRecords() {
    var counts = Probe.kprobe("vfs_read").by(tuple(comm(), cpu())).count();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(counts)) {
      tracer.fire(READ.cpu(2));
      assertThat(session.read(counts).rowsAs(Nested.class))
          .containsExactly(new Nested(new Pair("cat", 2), 1));
    }
  }

  @Test
  void variablesAreTablesToo() {
    var set = Probe.kprobe("vfs_read").set(variable("last", comm()), arg(2));
    record Last(String comm, long size) {}
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(set)) {
      tracer.fire(READ.arg(2, 10));
      assertThat(session.table("last").rowsAs(Last.class)).containsExactly(new Last("cat", 10));
    }
  }

  @Test
  void tablesAreJson() {
    var counts = Probe.kprobe("vfs_read").by(comm(), pid()).count();
    var sizes = Probe.kprobe("vfs_read").quantize(arg(2));
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(counts, sizes)) {
      tracer.fire(READ.comm("a\"b\n").arg(2, 5));
      String json = JsonTable.of(session.read(counts));
      assertThat(json).isEqualTo("[{\"key\": [\"a\\\"b\\n\", 7], \"value\": 1}]");
      assertThat(StrictJson.read(json)).isInstanceOf(List.class);
      assertThat(JsonTable.of(session.read(sizes)))
          .isEqualTo("[{\"key\": [], \"value\": [{\"min\": 4, \"max\": 7, \"count\": 1}]}]");
      assertThat(JsonTable.of(session.table("@"))).isEqualTo(json);
    }
  }

  @Test
  void stacksFoldByFunction() {
    var hot = Probe.kprobe("vfs_read").by(comm(), stack()).count();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(hot)) {
      tracer.fire(READ.stack(0x10L, 0x20L));
      tracer.fire(READ.stack(0x10L, 0x20L));
      tracer.fire(READ.comm("a b;c").stack(0x30L));
      FlameGraph graph = FlameGraph.of(session.read(hot));
      assertThat(graph.toString()).isEqualTo("a_b_c;0x30 1\ncat;0x20;0x10 2\n");
      assertThat(graph.total()).isEqualTo(3);
      assertThat(graph.self().keySet()).containsExactly("0x10", "0x30");
    }
  }
}
