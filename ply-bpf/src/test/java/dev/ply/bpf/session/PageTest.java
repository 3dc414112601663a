package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.StackTables.Sample;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.export.page.PageText;
import dev.ply.lang.PlyScript;
import dev.ply.layout.OutputFormat;
import dev.ply.machine.Architecture;
import dev.ply.reader.StrictJson;
import dev.ply.result.EndReason;
import dev.ply.result.Loss;
import dev.ply.result.Message;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import dev.ply.table.TableSchema.Unit;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The page for browsers: what it contains, and what hostile names cannot make of it. */
class PageTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);

  private static final Pattern BLOCK =
      Pattern.compile("<script type=\"application/json\">([^<>]*)</script>\n");

  private static final Result END = new Result.End(new EndReason.Stopped());

  private static String page(Result... results) {
    Renderer renderer = OutputFormat.HTML.layout().on(TARGET);
    TextBuffer out = new TextBuffer();
    Arrays.stream(results).forEach(result -> assertThat(renderer.render(out, result)).isTrue());
    return out.toString();
  }

  private static Result.Snapshot last(NamedTable... maps) {
    return new Result.Snapshot(List.of(maps), Result.Occasion.FINAL);
  }

  private static String body(String page) {
    return page.substring(page.indexOf("<main id=\"page\"></main>\n"));
  }

  /** What is in the data blocks; nothing else is in the body. */
  private static List<Map<?, ?>> blocks(String page) {
    List<Map<?, ?>> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(body(page));
    while (block.find()) {
      blocks.add((Map<?, ?>) StrictJson.read(block.group(1)));
    }
    assertThat(BLOCK.matcher(body(page)).replaceAll(""))
        .matches("<main id=\"page\"></main>\n(</body>\n</html>\n)?");
    return blocks;
  }

  private static Map<?, ?> map(String page) {
    Map<?, ?> block =
        blocks(page).stream()
            .filter(one -> "maps".equals(one.get("type")))
            .findFirst()
            .orElseThrow();
    return (Map<?, ?>) list(block, "maps").get(0);
  }

  private static List<?> list(Map<?, ?> object, String name) {
    assertThat(object.get(name)).as(name).isInstanceOf(List.class);
    return object.get(name) instanceof List<?> list ? list : List.of();
  }

  private static String run(String script, Firing... firings) {
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script));
        Session session = trace.start()) {
      Arrays.stream(firings).forEach(tracer::fire);
      session.stop();
      return page(new Result.Snapshot(session.tables(), Result.Occasion.FINAL), END);
    }
  }

  private static String hash(String text) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return "sha256-" + Base64.getEncoder().encodeToString(hash);
  }

  @Test
  void thePolicyAllowsItsOwnStyleAndScriptAlone() throws Exception {
    String page = page(END);
    Matcher parts =
        Pattern.compile(
                "content=\"default-src 'none'; style-src '([^']*)' '([^']*)'; script-src '([^']*)' '([^']*)';"
                    + " base-uri 'none'; form-action 'none'\".*<style>(.*)</style>\n"
                    + "<script>(.*?)</script>",
                Pattern.DOTALL)
            .matcher(page);
    assertThat(parts.find()).isTrue();
    assertThat(parts.group(1)).isEqualTo(hash(parts.group(5)));
    assertThat(parts.group(3)).isEqualTo(hash(parts.group(6)));
    Matcher charts =
        Pattern.compile("<style>(.*)</style>\n<script>(.*)</script>\n", Pattern.DOTALL)
            .matcher(PageText.charts());
    assertThat(charts.matches()).isTrue();
    assertThat(parts.group(2)).isEqualTo(hash(charts.group(1)));
    assertThat(parts.group(4)).isEqualTo(hash(charts.group(2)));
    assertThat(page).hasSizeLessThan(150_000).doesNotContain("http:", "https:", "//cdn", "@import");
  }

  @Test
  void eachKindOfMapHasItsData() {
    Firing read = Firing.kprobe("vfs_read").comm("cat");
    assertThat(list(map(run("kprobe:vfs_read { @[comm] = count(); }", read, read)), "rows"))
        .hasToString("[0, 2]");
    Map<?, ?> sizes = map(run("kprobe:vfs_read { @s = quantize(arg2); }", read.arg(2, 9)));
    assertThat(list(sizes, "rows")).hasToString("[{i=0, b=[0, 1]}]");
    assertThat(list(sizes, "ranges")).hasToString("[8, 16]");
    Map<?, ?> all = map(run("kprobe:vfs_read { @s = stats(arg2); }", read.arg(2, 9)));
    assertThat(list(all, "rows")).hasToString("[{i=0, n=9, c=1}]");
    Map<?, ?> who = map(run("kprobe:vfs_read { @w[pid] = comm; }", read.pid(3)));
    assertThat(list(who, "rows")).hasToString("[{i=0, t=cat}]");
    assertThat(list(who, "known")).hasToString("[[3]]");
  }

  @Test
  void aPageOfATraceThatWasKilledHasWhatItHad() {
    Result line = new Result.Line(Message.PRINTF, "hello\n");
    assertThat(blocks(page(line)).stream().map(block -> String.valueOf(block.get("type"))))
        .containsExactly("start", "event");
  }

  @Test
  void lossesAndTheEndAreTold() {
    List<Map<?, ?>> blocks = blocks(page(new Result.Lost(Loss.EVENTS, 7), END));
    assertThat(blocks.get(1).get("text")).asString().contains("7");
    assertThat(blocks.get(2).get("reason")).isEqualTo("it was stopped");
  }

  @Test
  void eventsBeyondTheMostAreCounted() {
    Result line = new Result.Line(Message.PRINTF, "x\n");
    Renderer renderer = OutputFormat.HTML.layout().on(TARGET);
    TextBuffer out = new TextBuffer();
    for (int i = 0; i < 20_001; i++) {
      assertThat(renderer.render(out, line)).isTrue();
    }
    assertThat(renderer.render(out, END)).isTrue();
    List<Map<?, ?>> blocks = blocks(out.toString());
    assertThat(blocks.stream().filter(block -> "event".equals(block.get("type")))).hasSize(20_000);
    assertThat(blocks.get(blocks.size() - 1).get("events")).isEqualTo(20_001L);
  }

  @Provide
  Arbitrary<List<Sample>> sums() {
    return StackTables.samples(1, 1L << 40);
  }

  /** No name ends a block, all are shown escaped, and what is counted stays. */
  @Property(tries = 300)
  void namesAreData(@ForAll("sums") List<Sample> samples) {
    String page = page(last(StackTables.map("@b", "sum", Unit.NONE, samples)), END);
    Map<?, ?> map = map(page);
    List<?> frames = list(blocks(page).get(1), "functions");
    long sum = 0;
    List<?> rows = list(map, "rows");
    for (int i = 1; i < rows.size(); i += 2) {
      sum += rows.get(i) instanceof Long number ? number : Long.MIN_VALUE;
    }
    assertThat(sum).isEqualTo(samples.stream().mapToLong(Sample::number).sum());
    assertThat(frames)
        .allSatisfy(
            frame ->
                assertThat(Escapes.escape(((List<?>) frame).get(0).toString()))
                    .isEqualTo(((List<?>) frame).get(0)));
  }

  @Test
  void linesAreData() {
    for (String hostile : StackTables.HOSTILE) {
      assertThat(blocks(page(new Result.Line(Message.PRINTF, hostile), END))).hasSize(3);
    }
  }
}
