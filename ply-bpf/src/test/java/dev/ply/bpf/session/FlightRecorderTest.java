package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.StackTables.Sample;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.export.FlightRecorderEvents;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import dev.ply.machine.Architecture;
import dev.ply.result.EndReason;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import dev.ply.table.TableSchema.Unit;
import dev.ply.type.Escapes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written for JDK Flight Recorder, as its own reader reads it. */
class FlightRecorderTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);
  private static final Firing READ = Firing.kprobe("vfs_read");
  private static final Result END = new Result.End(new EndReason.Stopped());

  private static List<RecordedEvent> read(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("ply", ".jfr");
    try {
      return RecordingFile.readAllEvents(Files.write(file, bytes));
    } finally {
      Files.delete(file);
    }
  }

  private static List<RecordedEvent> run(String script, Firing... firings) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Renderer renderer = OutputFormat.JFR.layout().on(TARGET);
    Layout layout = unused -> renderer;
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script)).writeTo(bytes, layout);
        Session session = trace.start()) {
      Arrays.stream(firings).forEach(tracer::fire);
      session.stop();
      var listener = renderer.to(bytes);
      listener.accept(new Result.Snapshot(session.tables(), Result.Occasion.FINAL));
      listener.accept(END);
    }
    return read(bytes.toByteArray());
  }

  @Test
  void eventsHaveTheirTimesAndValues() throws IOException {
    List<RecordedEvent> events =
        run(
            "kprobe:vfs_read { @t[tid] = time; }"
                + " kretprobe:vfs_read { print(time, comm, time - @t[tid], retval); delete @t[tid];"
                + " printf(\"%d is it\\n\", pid); }",
            READ.tid(8), Firing.kretprobe("vfs_read").tid(8).pid(5).comm("a\u001b\"b").retval(-9));
    RecordedEvent print = events.get(0);
    assertThat(print.getEventType().getName()).isEqualTo("ply.print");
    assertThat(print.getEventType().getCategoryNames()).containsExactly("ply");
    assertThat(print.getString("comm")).isEqualTo("a\\x1b\"b");
    assertThat(print.getLong("retval")).isEqualTo(-9);
    Duration took = print.getDuration("time_t_tid");
    assertThat(took).isPositive().isEqualTo(print.getDuration());
    assertThat(print.getInstant("time")).isEqualTo(print.getEndTime());
    // The simulated machine booted in 1970.
    assertThat(print.getEndTime()).isBetween(Instant.EPOCH, Instant.EPOCH.plusSeconds(10));
    assertThat(print.getEventType().getField("time_t_tid").getLabel()).isEqualTo("time - @t[tid]");
    RecordedEvent line = events.get(1);
    assertThat(line.getEventType().getName()).isEqualTo("ply.printf");
    assertThat(line.getLong("pid")).isEqualTo(5);
    assertThat(line.getString("text")).isEqualTo("5 is it");
  }

  @Test
  void rowsOfMapsAreEvents() throws IOException {
    List<RecordedEvent> events =
        run(
            "kprobe:vfs_read { @n[comm] = count(); @sizes = quantize(arg2); @s = stats(arg2); }",
            READ.comm("a").arg(2, 9));
    assertThat(events)
        .extracting(event -> event.getEventType().getName())
        .containsExactly("ply.map.n", "ply.map.sizes", "ply.map.s");
    assertThat(events.get(0).getString("comm")).isEqualTo("a");
    assertThat(events.get(0).getLong("value")).isEqualTo(1);
    assertThat(events.get(1).getLong("from")).isEqualTo(8);
    assertThat(events.get(1).getLong("below")).isEqualTo(16);
    assertThat(events.get(2).getLong("total")).isEqualTo(9);
  }

  @Test
  void stacksAreStackTraces() throws IOException {
    NamedTable map =
        StackTables.map(
            "@",
            "count",
            Unit.NONE,
            List.of(new Sample("java", List.of("int app.Hot.inner(int)", "read", "main"), 3)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var listener = OutputFormat.JFR.layout().on(TARGET).to(bytes);
    listener.accept(StackTables.last(map));
    listener.accept(END);
    RecordedEvent event = read(bytes.toByteArray()).get(0);
    assertThat(event.getEventType().getFields())
        .extracting(ValueDescriptor::getName)
        .containsExactly("startTime", "stackTrace", "comm", "value");
    assertThat(event.getStackTrace().isTruncated()).isFalse();
    assertThat(event.getStackTrace().getFrames())
        .extracting(
            frame -> frame.getMethod().getType().getName() + " " + frame.getMethod().getName())
        .containsExactly(
            "libint app.Hot.inner(int).so int app.Hot.inner(int)",
            "libread.so read",
            "libmain.so main");
  }

  @Test
  void aTraceWithoutEventsIsARecording() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OutputFormat.JFR.layout().on(TARGET).to(bytes).accept(END);
    assertThat(read(bytes.toByteArray())).isEmpty();
  }

  /** More than a chunk holds: memory is bounded, and nothing is lost. */
  @Test
  void longRecordingsHaveChunks() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var listener = OutputFormat.JFR.layout().on(TARGET).to(bytes);
    for (int i = 1; i <= 200_000; i++) {
      listener.accept(SpanEvents.of(1_000_000L + i, 1_000_000L + 3L * i));
    }
    assertThat(bytes.size()).isGreaterThan(1 << 20);
    listener.accept(END);
    List<RecordedEvent> events = read(bytes.toByteArray());
    assertThat(events).hasSize(200_000);
    long sum = events.stream().mapToLong(event -> event.getDuration("took_2").toNanos()).sum();
    assertThat(sum).isEqualTo(2L * 200_000 * 200_001 / 2);
  }

  @Provide
  Arbitrary<List<Sample>> sums() {
    return StackTables.samples(Long.MIN_VALUE / 100, Long.MAX_VALUE / 100);
  }

  private static List<String> functions(RecordedEvent event) {
    return Optional.ofNullable(event.getStackTrace()).stream()
        .flatMap(stack -> stack.getFrames().stream())
        .map(frame -> frame.getMethod().getName())
        .toList();
  }

  @Property(tries = 100)
  void allRowsAreRead(@ForAll("sums") List<Sample> samples) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var listener = OutputFormat.JFR.layout().on(TARGET).to(bytes);
    listener.accept(StackTables.last(StackTables.map("@", "sum", Unit.BYTES, samples)));
    listener.accept(END);
    List<RecordedEvent> events = read(bytes.toByteArray());
    assertThat(events).hasSameSizeAs(samples);
    assertThat(events.stream().mapToLong(event -> event.getLong("value")).sum())
        .isEqualTo(samples.stream().mapToLong(Sample::number).sum());
    // Events of one time are in any order.
    assertThat(events.stream().map(FlightRecorderTest::functions).toList())
        .containsExactlyInAnyOrderElementsOf(
            samples.stream()
                .map(sample -> sample.frames().stream().map(Escapes::escape).toList())
                .toList());
  }

  /** Events of a trace among those of this JVM. */
  @Test
  void eventsAreCommittedToThisJvm(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("own.jfr");
    try (Recording recording = new Recording();
        var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace =
            tracer
                .prepare(
                    PlyScript.parse(
                        "kprobe:vfs_read { print(time, comm, arg2); @n[pid] = sum(arg2); }"))
                .listen(new FlightRecorderEvents(TARGET));
        Session session = trace.start()) {
      recording.start();
      tracer.fire(READ.comm("x").arg(2, 7));
      tracer.fire(READ.comm("y").arg(2, 8));
      session.stop();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> all =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("ply."))
            .toList();
    assertThat(all)
        .extracting(event -> event.getEventType().getName())
        .containsExactly("ply.print", "ply.print", "ply.map.n");
    assertThat(all.get(0).getString("comm")).isEqualTo("x");
    assertThat(all.get(1).getLong("arg2")).isEqualTo(8);
    assertThat(all.get(0).getInstant("happened")).isEqualTo(all.get(0).getInstant("time"));
    assertThat(all.get(0).getStackTrace()).isNull();
    assertThat(all.get(2).getLong("value")).isEqualTo(15);
  }
}
