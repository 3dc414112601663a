package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.export.StackProfile;
import dev.ply.export.StackProfiles;
import dev.ply.ir.Script;
import dev.ply.lang.PlyScript;
import dev.ply.layout.OutputFormat;
import dev.ply.machine.Architecture;
import dev.ply.reader.StrictJson;
import dev.ply.result.EndReason;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.Key;
import dev.ply.table.NamedTable;
import dev.ply.table.Row;
import dev.ply.table.StackMode;
import dev.ply.table.Table;
import dev.ply.table.TableSchema;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.JavaCode;
import dev.ply.target.JavaCode.Tier;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.SourceLine;
import dev.ply.target.Target;
import dev.ply.target.UserSymbols;
import dev.ply.target.UserSymbols.Frame;
import dev.ply.target.UserSymbols.Location;
import dev.ply.type.IntFormat;
import dev.ply.type.Type.IntType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Profiles for other viewers have lines, inlined functions and kinds of code. */
@Tag("any-java")
class ProfileLinesTest {
  private static final Target TARGET = Stage.target(Architecture.X86_64);

  private static final Frame READ =
      new Frame(
          0x2000,
          Optional.of(new Symbol("_ZN2io4readEi", 4)),
          Optional.of("libio.so"),
          () -> Optional.of(new SourceLine("/src/io.cc", 31)));

  private static Frame java(String name, Tier tier, int line) {
    JavaCode.Method method = new JavaCode.Method("app.Hot", name, "(IJ)V");
    Location location =
        line == 0 ? Location.UNKNOWN : () -> Optional.of(new SourceLine("Hot.java", line));
    return new Frame(
        0x1000,
        Optional.of(new Symbol(method.toString(), 0)),
        Optional.empty(),
        location,
        Optional.empty(),
        Optional.of(new JavaCode(tier, Optional.of(method))));
  }

  /** Two lines of {@code run} call {@code inner}, which is inlined by {@code outer}. */
  private static List<Frame> stack(int line) {
    return List.of(
        READ,
        java("inner", Tier.INLINED, 8),
        java("outer", Tier.C2, 7),
        java("run", Tier.INTERPRETED, line));
  }

  /** A process whose stacks are all the same. */
  private record CompiledCalls() implements UserSymbols {
    @Override
    public Optional<List<Frame>> frames(int process, List<Long> addresses) {
      return Optional.of(stack(5));
    }

    @Override
    public void remember(int process) {}

    @Override
    public void limitWait(Duration most) {}

    @Override
    public Optional<String> shortage() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }

  private static NamedTable map(List<List<Frame>> stacks) {
    List<Row<Datum>> rows = new ArrayList<>();
    for (List<Frame> frames : stacks) {
      Datum stack = new Datum.UserStack(7, rows.size(), frames, StackMode.PLY);
      rows.add(new Row<>(Key.of(stack), new Datum.Int(rows.size() + 1, IntType.U64)));
    }
    IntType type = IntType.U64.printedAs(IntFormat.USER_STACK);
    TableSchema schema =
        new TableSchema(
            "@",
            List.of(new TableSchema.Column("ustack", type, Unit.NONE)),
            IntType.U64,
            Optional.of("count"),
            Unit.CALLS);
    return new NamedTable(schema, Table.of(rows));
  }

  private static final NamedTable CALLS = map(List.of(stack(5), stack(6), stack(6)));

  private static byte[] write(OutputFormat format, NamedTable map) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var listener = format.layout().on(TARGET).to(bytes);
    listener.accept(StackTables.last(map));
    listener.accept(new Result.End(new EndReason.Stopped()));
    return bytes.toByteArray();
  }

  /** Returns the lines of the locations of each sample, {@code function file:line}. */
  private static List<List<String>> pprof(byte[] zipped) throws IOException {
    ProtobufFields profile =
        ProtobufFields.of(new GZIPInputStream(new ByteArrayInputStream(zipped)).readAllBytes());
    List<String> strings = profile.texts(6);
    return profile.messages(2).stream()
        .map(
            sample ->
                sample.packed(1).stream()
                    .map(id -> location(profile, strings, id.intValue()))
                    .toList())
        .toList();
  }

  private static String location(ProtobufFields profile, List<String> strings, int id) {
    List<String> lines = new ArrayList<>();
    for (ProtobufFields line : profile.messages(4).get(id - 1).messages(4)) {
      ProtobufFields function = profile.messages(5).get((int) line.number(1) - 1);
      String file = strings.get((int) function.number(4));
      lines.add(
          strings.get((int) function.number(2))
              + " "
              + file
              + (line.has(2) ? ":" + line.number(2) : ""));
    }
    return String.join(", ", lines);
  }

  private static final String INLINED =
      "app.Hot.inner(int, long) app/Hot.java:8, app.Hot.outer(int, long) app/Hot.java:7";

  private static List<String> lines(int line) {
    return List.of(
        "io::read(int) /src/io.cc:31", INLINED, "app.Hot.run(int, long) app/Hot.java:" + line);
  }

  @Test
  void pprofHasALineForEachFunctionAtALocation() throws IOException {
    byte[] bytes = write(OutputFormat.PPROF, CALLS);
    assertThat(pprof(bytes)).containsExactly(lines(5), lines(6), lines(6));
    ProtobufFields profile =
        ProtobufFields.of(new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes());
    assertThat(profile.messages(4)).hasSize(4);
    assertThat(profile.messages(5)).hasSize(4);
    ProtobufFields function = profile.message(5);
    assertThat(profile.texts(6).get((int) function.number(3))).isEqualTo("_ZN2io4readEi");
  }

  /** Samples that differ only in their address are added up, those of different lines are not. */
  @Test
  void profilesOfStoresHaveLines() throws IOException {
    StackProfiles profiles =
        new StackProfiles(TARGET, new StackProfiles.Limits(true, 9, Duration.ofHours(1)));
    Instant begin = Instant.ofEpochSecond(1);
    StackProfile profile =
        profiles
            .of(
                new Result.Snapshot(List.of(CALLS), Result.Occasion.ADDED),
                begin,
                begin.plusSeconds(1))
            .get(0);
    assertThat(profile.samples())
        .extracting(StackProfile.Sample::values)
        .containsExactly(List.of(1L), List.of(5L));
    assertThat(pprof(profile.pprof())).containsExactly(lines(5), lines(6));
    ProtobufFields dictionary = ProtobufFields.of(profile.otlp(Map.of())).message(2);
    List<String> strings = dictionary.texts(5);
    List<ProtobufFields> functions = dictionary.messages(3);
    assertThat(dictionary.messages(2).stream().skip(1))
        .extracting(
            location ->
                location.messages(3).stream()
                    .map(
                        line -> {
                          ProtobufFields function = functions.get((int) line.number(1));
                          return strings.get((int) function.number(3)) + ":" + line.number(2);
                        })
                    .toList())
        .containsExactly(
            List.of("/src/io.cc:31"),
            List.of("app/Hot.java:8", "app/Hot.java:7"),
            List.of("app/Hot.java:5"),
            List.of("app/Hot.java:6"));
  }

  private static List<RecordedFrame> recorded(NamedTable map, Path directory) throws IOException {
    Path file = Files.write(directory.resolve("a.jfr"), write(OutputFormat.JFR, map));
    return RecordingFile.readAllEvents(file).get(0).getStackTrace().getFrames();
  }

  @Test
  void recordingsHaveLinesTypesAndDescriptors(@TempDir Path directory) throws IOException {
    assertThat(recorded(map(List.of(stack(6))), directory))
        .extracting(
            frame ->
                String.join(
                    " ",
                    frame.getType(),
                    frame.getMethod().getType().getName(),
                    frame.getMethod().getName(),
                    frame.getMethod().getDescriptor(),
                    "" + frame.getLineNumber()))
        .containsExactly(
            "Native libio.so io::read(int) ()V 31",
            "Inlined app.Hot inner (IJ)V 8",
            "JIT compiled app.Hot outer (IJ)V 7",
            "Interpreted app.Hot run (IJ)V 6");
  }

  /** Events wait while a file is read; lines of Java are in memory. */
  @Test
  void eventsHaveLinesOfFilesOnRequest(@TempDir Path directory) throws IOException {
    SimulatedTarget target = NamedReads.TARGET.withUserSymbols(new CompiledCalls());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Renderer renderer = OutputFormat.JFR.layout().on(target);
    Script script = PlyScript.parse("kprobe:vfs_read { print(ustack); print(ustack(lines)); }");
    try (var tracer = SimulatedTracer.create(target);
        PreparedTrace trace = tracer.prepare(script).writeTo(bytes, unused -> renderer);
        Session session = trace.start()) {
      tracer.fire(NamedReads.READ.userStack(0x1000L));
      session.stop();
    }
    renderer.to(bytes).accept(new Result.End(new EndReason.Stopped()));
    Path file = Files.write(directory.resolve("a.jfr"), bytes.toByteArray());
    assertThat(RecordingFile.readAllEvents(file))
        .extracting(
            event ->
                event.getStackTrace().getFrames().stream()
                    .map(RecordedFrame::getLineNumber)
                    .toList())
        .containsExactly(List.of(-1, 8, 7, 5), List.of(31, 8, 7, 5));
  }

  @Test
  void rowsBeforeTheLastWaitForNoFile(@TempDir Path directory) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var listener = OutputFormat.JFR.layout().on(TARGET).to(bytes);
    listener.accept(new Result.Snapshot(List.of(map(List.of(stack(5)))), Result.Occasion.PRINTED));
    listener.accept(new Result.End(new EndReason.Stopped()));
    Path file = Files.write(directory.resolve("a.jfr"), bytes.toByteArray());
    assertThat(RecordingFile.readAllEvents(file).get(0).getStackTrace().getFrames())
        .extracting(RecordedFrame::getLineNumber)
        .containsExactly(-1, 8, 7, 5);
  }

  /** Readers of recordings would fail at them. */
  @ParameterizedTest
  @ValueSource(strings = {"", ")", "(", "(L", "([)V", "(Lx)V", "(IQ)V", "()", "(;)V", "((I)V)V"})
  void descriptorsThatAreNoneAreLeftOut(String descriptor, @TempDir Path directory)
      throws IOException {
    JavaCode.Method method = new JavaCode.Method("a.B", "f", descriptor);
    Frame frame =
        new Frame(
            0x1000,
            Optional.of(new Symbol("a.B.f", 0)),
            Optional.empty(),
            Location.UNKNOWN,
            Optional.empty(),
            Optional.of(new JavaCode(Tier.C1, Optional.of(method))));
    assertThat(recorded(map(List.of(List.of(frame))), directory))
        .singleElement()
        .satisfies(
            read -> {
              assertThat(read.getMethod().getDescriptor()).isEqualTo("()V");
              assertThat(read.getLineNumber()).isEqualTo(-1);
              assertThat(read.getType()).isEqualTo("C1 compiled");
            });
  }

  @SuppressWarnings("unchecked")
  private static Object member(Object object, String... names) {
    Object value = object;
    for (String name : names) {
      value = Optional.ofNullable(((Map<String, Object>) value).get(name)).orElseThrow();
    }
    return value;
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(Object object, String... names) {
    return (List<Object>) member(object, names);
  }

  private static Object json(OutputFormat format) throws IOException {
    return StrictJson.read(new String(write(format, CALLS), StandardCharsets.UTF_8));
  }

  /** Frames have lines there; the viewer adds up their functions. */
  @Test
  void firefoxHasFramesWithLinesOfFunctions() throws IOException {
    Object shared = member(json(OutputFormat.FIREFOX), "shared");
    assertThat(list(shared, "frameTable", "line")).containsExactly(5L, 7L, 8L, 31L, 6L);
    assertThat(list(shared, "frameTable", "inlineDepth")).containsExactly(0L, 0L, 1L, 0L, 0L);
    assertThat(list(shared, "frameTable", "func")).containsExactly(0L, 1L, 2L, 3L, 0L);
    assertThat(list(shared, "funcTable", "source")).containsExactly(0L, 0L, 0L, 1L);
    List<Object> strings = list(shared, "stringArray");
    assertThat(list(shared, "sources", "filename"))
        .extracting(index -> strings.get(((Long) index).intValue()))
        .containsExactly("app/Hot.java", "/src/io.cc");
  }

  /** This viewer takes functions with other lines for other functions. */
  @Test
  void speedscopeAndFoldedStacksAreByFunction() throws IOException {
    assertThat(list(json(OutputFormat.SPEEDSCOPE), "shared", "frames")).hasSize(4);
    String folded = new String(write(OutputFormat.FOLDED, CALLS), StandardCharsets.UTF_8);
    assertThat(Stream.of(folded.split("\n")).map(line -> line.replaceAll(" \\d+$", "")))
        .hasSize(3)
        .containsOnly(
            "app.Hot.run(int,_long);app.Hot.outer(int,_long);app.Hot.inner(int,_long);"
                + "io::read(int)");
  }
}
