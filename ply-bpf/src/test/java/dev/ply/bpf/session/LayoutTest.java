package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.golden.GoldenTest;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import dev.ply.machine.Architecture;
import dev.ply.reader.StrictJson;
import dev.ply.result.EventShape;
import dev.ply.result.EventShape.Form;
import dev.ply.result.Loss;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.text.TextBuffer;
import dev.ply.type.TextBytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What is printed of a trace in the layouts of bpftrace; those for people come from bpftrace
 * 0.23.2.
 */
class LayoutTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);

  @TestFactory
  Stream<DynamicNode> layouts() {
    return GoldenTest.in("layout")
        .section("bpftrace", file -> run(file.text("source"), Layout.BPFTRACE))
        .section("json", file -> strict(run(file.text("source"), Layout.BPFTRACE_JSON)))
        .tests();
  }

  @Test
  void jsonOfPlyHasPlysFormats() {
    String script = "BEGIN { print(1, \"x\"); printf(\"%v|%%\\n\", pid); @[1, 2] = count(); }";
    assertThat(strict(run(script, Layout.PLY_JSON)))
        .isEqualTo(
            """
            {"type": "value", "data": [1,"x"]}
            {"type": "printf", "data": "2|%\\n"}
            {"type": "map", "data": {"@": [{"key": [1,2], "value": 1}]}}
            """);
  }

  /** Or it would be two: {@code @[a} and {@code @root[0]: 1]: 1}. */
  @Test
  void aStringOfARowStaysOnItsLine() {
    String script =
        "BEGIN { @[\"a\\n@root[0]\"] = 1; @s[1] = (\"b\\tc\", 2); printf(\"%s|\", \"d\\ne\"); }";
    assertThat(run(script, Layout.BPFTRACE))
        .isEqualTo("d\ne|\n\n@[a\\n@root[0]]: 1\n@s[1]: (b\\tc, 2)\n");
  }

  @Test
  void attachedAndLostAreResultsInJsonOnly() {
    List<Layout> layouts =
        List.of(
            Layout.PLY,
            Layout.PLY_RAW,
            Layout.BPFTRACE,
            Layout.PLY_JSON,
            Layout.BPFTRACE_JSON,
            Layout.argdist(Map.of()));
    for (Layout layout : layouts) {
      Renderer renderer = layout.on(TARGET);
      TextBuffer out = new TextBuffer();
      boolean isJson = layout == Layout.PLY_JSON || layout == Layout.BPFTRACE_JSON;
      assertThat(renderer.render(out, new Result.Attached(2, List.of()))).isEqualTo(isJson);
      assertThat(renderer.render(out, new Result.Lost(Loss.EVENTS, 3))).isEqualTo(isJson);
      assertThat(out.toString())
          .isEqualTo(
              isJson
                  ? """
                  {"type": "attached_probes", "count": 2, "data": {"probes": 2}}
                  {"type": "lost_events", "count": 3, "data": {"events": 3}}
                  """
                  : "");
    }
  }

  @Test
  void integersHaveAllTheirDigits() {
    String script = "BEGIN { @a = 0x7fffffffffffffff; @b = 0x4000000000000000; @c = -3; }";
    assertThat(run(script, Layout.BPFTRACE_JSON))
        .isEqualTo(
            """
            {"type": "map", "data": {"@a": 9223372036854775807}}
            {"type": "map", "data": {"@b": 4611686018427387904}}
            {"type": "map", "data": {"@c": -3}}
            """);
  }

  /** A traced string may be any bytes; each line stays JSON, and says which bytes they were. */
  @Property
  void anyBytesAreJson(@ForAll byte[] bytes) {
    Datum.Text text = new Datum.Text(latin1(bytes) + "\0");
    TextBuffer out = new TextBuffer();
    Layout.BPFTRACE_JSON
        .on(TARGET)
        .render(out, new Result.Event(new EventShape(new Form.Print(), List.of()), List.of(text)));
    Object read = ((Map<?, ?>) StrictJson.read(out.toString())).get("data");
    assertThat(read).isInstanceOf(String.class);
    if (TextBytes.decode(bytes).equals(plain(bytes)) && text.text().indexOf('\\') < 0) {
      assertThat(read).isEqualTo(text.text());
    }
  }

  @Test
  void theReaderIsStrict() {
    assertThat(StrictJson.read("{\"a\": [1, -2.5e3, \"\\u0041\\n\", true, null]}"))
        .isEqualTo(Map.of("a", Arrays.asList(1L, -2500.0, "A\n", true, StrictJson.NULL)));
    for (String wrong :
        List.of("", "{", "{a:1}", "[1,]", "\"\n\"", "01", "\"\\x\"", "1 2", "'a'")) {
      assertThatThrownBy(() -> StrictJson.read(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String plain(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns the lines again, if each is an object of JSON with a type and data. */
  private static String strict(String lines) {
    for (String line : lines.split("\n", -1)) {
      if (!line.isEmpty()) {
        assertThat(StrictJson.read(line))
            .asInstanceOf(InstanceOfAssertFactories.MAP)
            .containsOnlyKeys("type", "data");
      }
    }
    return lines;
  }

  /** Runs a script from its start to its end, and returns what it printed and its maps. */
  static String run(String source, Layout layout) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TextBuffer maps = new TextBuffer();
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(source)).writeTo(bytes, layout);
        Session session = trace.start()) {
      session.stop();
      layout.on(TARGET).render(maps, new Result.Snapshot(session.tables(), Result.Occasion.FINAL));
    }
    return TextBytes.decode(bytes.toByteArray()) + maps;
  }
}
