package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.StackTables.Sample;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.layout.OutputFormat;
import dev.ply.machine.Architecture;
import dev.ply.reader.StrictJson;
import dev.ply.result.Result;
import dev.ply.table.CallTree;
import dev.ply.table.FrameKind;
import dev.ply.table.NamedTable;
import dev.ply.table.TableSchema.Unit;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Profiles for other viewers have the numbers of the session, and its names alone. */
class ProfileFormatsTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);

  private static byte[] write(OutputFormat format, Result... results) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var listener = format.layout().on(TARGET).to(bytes);
    for (Result result : results) {
      listener.accept(result);
    }
    return bytes.toByteArray();
  }

  @Provide
  Arbitrary<List<Sample>> counts() {
    return StackTables.samples(0, 1L << 40);
  }

  @Provide
  Arbitrary<List<Sample>> sums() {
    return StackTables.samples(-1L << 40, 1L << 40);
  }

  private static <K, V> V of(Map<K, V> map, K key) {
    return Optional.ofNullable(map.get(key)).orElseThrow();
  }

  /** Returns what is expected: the numbers by path, outermost first, as viewers show names. */
  private static Map<List<String>, Long> expected(List<Sample> samples, boolean withKey) {
    Map<List<String>, Long> paths = new HashMap<>();
    for (Sample sample : samples) {
      List<String> path = new ArrayList<>();
      if (withKey) {
        path.add(shown(sample.comm()));
      }
      for (int i = sample.frames().size() - 1; i >= 0; i--) {
        path.add(Escapes.escape(sample.frames().get(i)));
      }
      paths.merge(path, sample.number(), Long::sum);
    }
    return paths;
  }

  /** A string ends at its first NUL. */
  private static String shown(String comm) {
    int end = comm.indexOf('\0');
    return Escapes.escape(end < 0 ? comm : comm.substring(0, end));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(Object value) {
    return (List<Object>) value;
  }

  @Property(tries = 200)
  void speedscopeHasAllRows(@ForAll("counts") List<Sample> samples) throws IOException {
    NamedTable map = StackTables.map("@", "count", Unit.CALLS, samples);
    byte[] bytes = write(OutputFormat.SPEEDSCOPE, StackTables.last(map));
    Map<String, Object> file = object(StrictJson.read(new String(bytes, StandardCharsets.UTF_8)));
    assertThat(file).containsKeys("$schema", "shared", "profiles");
    Map<String, Object> profile = object(list(of(file, "profiles")).get(0));
    List<Object> frames = list(of(object(of(file, "shared")), "frames"));
    List<Object> weights = list(of(profile, "weights"));
    List<Object> stacks = list(of(profile, "samples"));
    assertThat(stacks).hasSameSizeAs(weights);
    Map<List<String>, Long> paths = new HashMap<>();
    for (int i = 0; i < stacks.size(); i++) {
      List<String> path =
          list(stacks.get(i)).stream()
              .map(frame -> (String) of(object(frames.get(((Long) frame).intValue())), "name"))
              .toList();
      paths.merge(path, (Long) weights.get(i), Long::sum);
    }
    assertThat(paths).isEqualTo(expected(samples, true));
    assertThat(of(profile, "endValue")).isEqualTo(samples.stream().mapToLong(Sample::number).sum());
  }

  @Property(tries = 200)
  void pprofHasAllRows(@ForAll("sums") List<Sample> samples) throws IOException {
    NamedTable map = StackTables.map("@bytes", "sum", Unit.BYTES, samples);
    ProtobufFields profile = pprof(write(OutputFormat.PPROF, StackTables.last(map)));
    List<String> strings = profile.texts(6);
    assertThat(strings.get(0)).isEmpty();
    ProtobufFields type = profile.message(1);
    assertThat(strings.get((int) type.number(2))).isEqualTo("bytes");
    Map<Long, String> functions = new HashMap<>();
    for (ProtobufFields function : profile.messages(5)) {
      functions.put(function.number(1), strings.get((int) function.number(2)));
    }
    Map<Long, String> locations = new HashMap<>();
    for (ProtobufFields location : profile.messages(4)) {
      locations.put(location.number(1), of(functions, location.message(4).number(1)));
    }
    Map<List<String>, Long> paths = new HashMap<>();
    for (ProtobufFields sample : profile.messages(2)) {
      List<String> path = new ArrayList<>();
      sample.packed(1).forEach(id -> path.add(0, of(locations, id)));
      ProtobufFields label = sample.message(3);
      assertThat(strings.get((int) label.number(1))).isEqualTo("comm");
      path.add(0, strings.get((int) label.number(2)));
      paths.merge(path, sample.packed(2).get(0), Long::sum);
    }
    assertThat(paths).isEqualTo(expected(samples, true));
  }

  private static ProtobufFields pprof(byte[] bytes) throws IOException {
    return ProtobufFields.of(new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes());
  }

  @Property(tries = 200)
  void firefoxHasAllRows(@ForAll("sums") List<Sample> samples) throws IOException {
    NamedTable map = StackTables.map("@time", "sum", Unit.NANOSECONDS, samples);
    byte[] bytes = write(OutputFormat.FIREFOX, StackTables.last(map));
    String text = new String(bytes, StandardCharsets.UTF_8);
    Map<String, Object> file = object(StrictJson.read(text));
    Map<String, Object> shared = object(of(file, "shared"));
    Map<String, Object> thread = object(list(of(file, "threads")).get(0));
    Map<String, Object> table = object(of(thread, "samples"));
    assertThat(of(table, "weightType")).isEqualTo("tracing-ms");
    List<Object> strings = list(of(shared, "stringArray"));
    List<Object> names = list(of(object(of(shared, "funcTable")), "name"));
    List<Object> functions = list(of(object(of(shared, "frameTable")), "func"));
    List<Object> frames = list(of(object(of(shared, "stackTable")), "frame"));
    List<Object> prefixes = list(of(object(of(shared, "stackTable")), "prefix"));
    Map<List<String>, Long> paths = new HashMap<>();
    List<Object> stacks = list(of(table, "stack"));
    for (int i = 0; i < stacks.size(); i++) {
      List<String> path = new ArrayList<>();
      Object stack = stacks.get(i);
      while (stack instanceof Long index) {
        int function =
            ((Long) functions.get(((Long) frames.get(index.intValue())).intValue())).intValue();
        path.add(0, (String) strings.get(((Long) names.get(function)).intValue()));
        stack = prefixes.get(index.intValue());
      }
      long nanos =
          new BigDecimal(list(of(table, "weight")).get(i).toString())
              .movePointRight(6)
              .setScale(0, RoundingMode.HALF_EVEN)
              .longValueExact();
      paths.merge(path, nanos, Long::sum);
    }
    assertThat(paths).isEqualTo(expected(samples, true));
    for (Map.Entry<String, Object> one : shared.entrySet()) {
      if (one.getValue() instanceof Map<?, ?> columns) {
        Object length = columns.get("length");
        columns.forEach(
            (name, column) -> {
              if (column instanceof List<?> values) {
                assertThat((long) values.size()).as(one.getKey() + "." + name).isEqualTo(length);
              }
            });
      }
    }
  }

  @Property(tries = 200)
  void treesHaveAllRows(@ForAll("counts") List<Sample> samples) {
    CallTree tree = CallTree.of(StackTables.map("@", "count", Unit.CALLS, samples));
    long total = samples.stream().mapToLong(Sample::number).sum();
    assertThat(tree.kind()).isEqualTo(FrameKind.ALL);
    assertThat(tree.total()).isEqualTo(total).isEqualTo(sum(tree));
    assertThat(tree.inverted().total()).isEqualTo(total);
    assertThat(tree.totals().stream().mapToLong(CallTree.Total::self).sum() + tree.self())
        .isEqualTo(total);
    for (CallTree.Total function : tree.totals()) {
      assertThat(function.total()).isBetween(function.self(), total);
    }
  }

  private static long sum(CallTree tree) {
    long below = tree.callees().stream().mapToLong(ProfileFormatsTest::sum).sum();
    assertThat(tree.total()).isEqualTo(tree.self() + below);
    return tree.self() + below;
  }

  /** A recursive function has what it took once. */
  @Test
  void recursionCountsOnce() {
    CallTree tree =
        CallTree.of(
            StackTables.map(
                "@", "count", Unit.CALLS, List.of(new Sample("sh", List.of("f", "g", "f"), 3))));
    assertThat(tree.totals())
        .extracting(CallTree.Total::name, CallTree.Total::self, CallTree.Total::total)
        .containsExactly(tuple("f", 3L, 3L), tuple("g", 0L, 3L), tuple("sh", 0L, 3L));
    CallTree inverted = tree.inverted();
    assertThat(inverted.callees()).extracting(CallTree::name).containsExactly("f");
    assertThat(inverted.callees().get(0).self()).isZero();
    assertThat(inverted.callees().get(0).callees().get(0).name()).isEqualTo("g");
  }

  /** A name of a megabyte is a name. */
  @Test
  void namesCanBeLong() throws IOException {
    String name = "n".repeat(1 << 20);
    List<Sample> samples = List.of(new Sample(name, List.of("f"), 1));
    NamedTable map = StackTables.map("@", "count", Unit.CALLS, samples);
    for (OutputFormat format :
        List.of(OutputFormat.SPEEDSCOPE, OutputFormat.FIREFOX, OutputFormat.OPENMETRICS)) {
      String text = new String(write(format, StackTables.last(map)), StandardCharsets.UTF_8);
      assertThat(text.contains(name)).as(format.word()).isTrue();
    }
    assertThat(pprof(write(OutputFormat.PPROF, StackTables.last(map))).texts(6)).contains(name);
  }

  /** Each count of a sampling timer stands for its period: two for each of four CPUs. */
  @Test
  void samplesAreTime() throws IOException {
    String script = "profile:hz:50 { @[kstack] = count(); } END { @n = count(); }";
    List<NamedTable> maps;
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script));
        Session session = trace.start()) {
      tracer.advance(Duration.ofMillis(40));
      session.stop();
      maps = session.tables();
    }
    assertThat(maps.get(0).schema().period()).contains(Duration.ofMillis(20));
    assertThat(maps.get(1).schema().period()).isEmpty();
    Result all = new Result.Snapshot(maps, Result.Occasion.FINAL);
    ProtobufFields profile = pprof(write(OutputFormat.PPROF, all));
    assertThat(profile.messages(2).get(0).packed(2)).containsExactly(8L, 160_000_000L);
    assertThat(profile.number(12)).isEqualTo(20_000_000);
    String speedscope = new String(write(OutputFormat.SPEEDSCOPE, all), StandardCharsets.UTF_8);
    assertThat(speedscope).contains("\"unit\":\"nanoseconds\"", "\"weights\":[160000000]");
  }

  /** The name of a profile says how many rows the viewer leaves out. */
  @Test
  void rowsBelowZeroAreCounted() throws IOException {
    NamedTable map =
        StackTables.map(
            "@s",
            "sum",
            Unit.BYTES,
            List.of(new Sample("a", List.of("f"), -5), new Sample("b", List.of("f"), 7)));
    String text =
        new String(write(OutputFormat.SPEEDSCOPE, StackTables.last(map)), StandardCharsets.UTF_8);
    assertThat(text).contains("\"name\":\"@s (1 rows below zero left out)\"", "\"weights\":[7]");
  }

  @Test
  void otherResultsHaveNoPlace() {
    TextBuffer out = new TextBuffer();
    for (OutputFormat format :
        List.of(OutputFormat.SPEEDSCOPE, OutputFormat.FIREFOX, OutputFormat.PPROF)) {
      assertThat(
              format
                  .layout()
                  .on(TARGET)
                  .render(out, new Result.Snapshot(List.of(), Result.Occasion.FINAL)))
          .isFalse();
    }
    assertThat(out.length()).isZero();
  }
}
