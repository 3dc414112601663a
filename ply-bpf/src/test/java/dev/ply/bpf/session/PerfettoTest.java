package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.StackTables.Sample;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import dev.ply.machine.Architecture;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.TableSchema.Unit;
import dev.ply.type.Escapes;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Events and maps as Perfetto reads them. */
class PerfettoTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);
  private static final Firing READ = Firing.kprobe("vfs_read");

  private static final int BEGIN = 1;
  private static final int END = 2;
  private static final int INSTANT = 3;
  private static final int COUNTER = 4;

  private static List<ProtobufFields> packets(byte[] bytes) {
    List<ProtobufFields> packets = ProtobufFields.of(bytes).messages(1);
    assertThat(packets.get(0).has(6)).isTrue();
    assertThat(packets.get(0).number(13)).isEqualTo(1);
    assertThat(packets).allMatch(packet -> packet.number(10) == 1);
    return packets;
  }

  private static byte[] run(String script, Firing... firings) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Renderer renderer = OutputFormat.PERFETTO.layout().on(TARGET);
    Layout layout = unused -> renderer;
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script)).writeTo(bytes, layout);
        Session session = trace.start()) {
      Arrays.stream(firings).forEach(tracer::fire);
      session.stop();
      renderer.to(bytes).accept(new Result.Snapshot(session.tables(), Result.Occasion.FINAL));
    }
    return bytes.toByteArray();
  }

  private static Map<Long, ProtobufFields> tracks(List<ProtobufFields> packets) {
    Map<Long, ProtobufFields> tracks = new HashMap<>();
    for (ProtobufFields packet : packets) {
      packet.messages(60).forEach(track -> tracks.put(track.number(1), track));
    }
    return tracks;
  }

  private static <K, V> V of(Map<K, V> map, K key) {
    return Optional.ofNullable(map.get(key)).orElseThrow();
  }

  private static List<ProtobufFields> events(List<ProtobufFields> packets) {
    return packets.stream().filter(packet -> packet.has(11)).toList();
  }

  @Test
  void eventsAreOnTheTracksOfTheirThreads() {
    List<ProtobufFields> packets =
        packets(
            run(
                "kprobe:vfs_read { print(time, pid, tid, comm, arg2); }",
                READ.pid(7).tid(8).comm("a").arg(2, -5),
                READ.pid(7).tid(9).comm("b").arg(2, 6)));
    List<ProtobufFields> events = events(packets);
    Map<Long, ProtobufFields> tracks = tracks(packets);
    assertThat(events).hasSize(2);
    ProtobufFields thread = of(tracks, events.get(0).message(11).number(11)).message(4);
    assertThat(thread.number(1)).isEqualTo(7);
    assertThat(thread.number(2)).isEqualTo(8);
    assertThat(thread.text(5)).isEqualTo("a");
    ProtobufFields event = events.get(0).message(11);
    assertThat(event.number(9)).isEqualTo(INSTANT);
    assertThat(event.text(23)).isEqualTo("print");
    assertThat(event.messages(4))
        .extracting(one -> one.text(10))
        .containsExactly("time", "pid", "tid", "comm", "arg2");
    assertThat(event.messages(4).get(0).number(4)).isEqualTo(events.get(0).number(8));
    assertThat(of(tracks, events.get(1).message(11).number(11)).message(4).number(2)).isEqualTo(9);
  }

  @Test
  void whatTookTimeIsASlice() {
    List<ProtobufFields> packets =
        packets(
            run(
                "kprobe:vfs_read { @t[tid] = time; }"
                    + " kretprobe:vfs_read { print(time - @t[tid], time, cpu); delete @t[tid]; }",
                READ.tid(8),
                Firing.kretprobe("vfs_read").tid(8)));
    List<ProtobufFields> events = events(packets);
    ProtobufFields begin = events.get(0).message(11);
    ProtobufFields end = events.get(1).message(11);
    assertThat(begin.number(9)).isEqualTo(BEGIN);
    assertThat(end.number(9)).isEqualTo(END);
    assertThat(end.number(11)).isEqualTo(begin.number(11));
    assertThat(events.get(1).number(8) - events.get(0).number(8))
        .isEqualTo(begin.messages(4).get(0).number(4))
        .isPositive();
    assertThat(of(tracks(packets), begin.number(11)).text(2)).isEqualTo("CPU 0");
  }

  @Test
  void linesAndMapsAreShown() {
    List<ProtobufFields> packets =
        packets(
            run(
                "kprobe:vfs_read { printf(\"read %d\\n\", arg2); @n[comm] = count(); print(@n); }",
                READ.comm("c").arg(2, 5), READ.comm("c").arg(2, 6)));
    List<String> names = new ArrayList<>();
    List<Long> counts = new ArrayList<>();
    for (ProtobufFields packet : events(packets)) {
      ProtobufFields event = packet.message(11);
      if (event.number(9) == COUNTER) {
        counts.add(event.number(30));
        assertThat(of(tracks(packets), event.number(11)).text(2)).isEqualTo("@n[c]");
      } else {
        names.add(event.text(23));
      }
    }
    assertThat(names).containsExactly("read 5", "read 6");
    assertThat(counts).containsExactly(1L, 2L, 2L);
  }

  /** Those of a map that the script does not print, where they change. */
  @Test
  void mapsHaveValuesOverTime() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var listener = OutputFormat.PERFETTO.layout().on(TARGET).to(bytes);
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace =
            tracer.prepare(
                PlyScript.parse("kprobe:vfs_read { @n[comm] = count(); @s[kstack] = count(); }"));
        Session session = trace.start()) {
      session.totalsEvery(Duration.ofSeconds(1), listener);
      session.addedEvery(Duration.ofSeconds(1), listener);
      tracer.fire(READ.comm("a"));
      tracer.advance(Duration.ofSeconds(2));
      tracer.fire(READ.comm("a"));
      tracer.fire(READ.comm("b"));
      tracer.advance(Duration.ofSeconds(2));
      session.stop();
      listener.accept(new Result.Snapshot(session.tables(), Result.Occasion.FINAL));
    }
    List<ProtobufFields> packets = packets(bytes.toByteArray());
    Map<Long, ProtobufFields> tracks = tracks(packets);
    assertThat(events(packets))
        .extracting(
            packet -> of(tracks, packet.message(11).number(11)).text(2),
            packet -> packet.message(11).number(30))
        .startsWith(tuple("@n[a]", 1L), tuple("@n[b]", 1L), tuple("@n[a]", 2L))
        .hasSize(3 + 3);
  }

  /** No two slices of a track overlap in part: a viewer could not draw them. */
  @Property(tries = 200)
  void slicesOfATrackNest(@ForAll("spans") List<long[]> spans) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var listener = OutputFormat.PERFETTO.layout().on(TARGET).to(bytes);
    spans.forEach(span -> listener.accept(SpanEvents.of(span[0] - span[1], span[0])));
    Map<Long, List<long[]>> byTrack = new HashMap<>();
    Map<Long, Long> open = new HashMap<>();
    for (ProtobufFields packet : events(packets(bytes.toByteArray()))) {
      ProtobufFields event = packet.message(11);
      if (event.number(9) == BEGIN) {
        open.put(event.number(11), packet.number(8));
      } else {
        long begin = of(open, event.number(11));
        byTrack
            .computeIfAbsent(event.number(11), unused -> new ArrayList<>())
            .add(new long[] {begin, packet.number(8)});
      }
    }
    assertThat(byTrack.values().stream().mapToInt(List::size).sum()).isEqualTo(spans.size());
    for (List<long[]> all : byTrack.values()) {
      for (long[] a : all) {
        for (long[] b : all) {
          assertThat(a[0] < b[0] && b[0] < a[1] && a[1] < b[1]).isFalse();
        }
      }
    }
  }

  @Provide
  Arbitrary<List<long[]>> spans() {
    return SpanEvents.spans();
  }

  @Provide
  Arbitrary<List<Sample>> counts() {
    return StackTables.samples(0, 1L << 40);
  }

  /** Counters have the numbers of the rows, and names are no more than that. */
  @Property(tries = 200)
  void countersHaveAllRows(@ForAll("counts") List<Sample> samples) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OutputFormat.PERFETTO
        .layout()
        .on(TARGET)
        .to(bytes)
        .accept(StackTables.last(StackTables.map("@", "count", Unit.CALLS, samples)));
    if (samples.isEmpty()) {
      assertThat(bytes.size()).isZero();
      return;
    }
    List<ProtobufFields> packets = packets(bytes.toByteArray());
    assertThat(events(packets).stream().mapToLong(one -> one.message(11).number(30)).sum())
        .isEqualTo(samples.stream().mapToLong(Sample::number).sum());
    assertThat(tracks(packets).values())
        .allSatisfy(
            track -> {
              assertThat(track.text(2)).startsWith("@[");
              assertThat(Escapes.escape(track.text(2))).isEqualTo(track.text(2));
            });
  }
}
