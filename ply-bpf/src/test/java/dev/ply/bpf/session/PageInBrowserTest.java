package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.StackTables.Sample;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.export.PageRenderer;
import dev.ply.lang.PlyScript;
import dev.ply.machine.Architecture;
import dev.ply.reader.Browser;
import dev.ply.result.EndReason;
import dev.ply.result.Message;
import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import dev.ply.table.TableSchema.Unit;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** The page in a browser: what its controls do, and that nothing of a trace is run or requested. */
@Tag("any-java")
class PageInBrowserTest {
  private static final SimulatedTarget TARGET = Stage.target(Architecture.X86_64);
  private static final Result END = new Result.End(new EndReason.Stopped());

  @TempDir static Path directory;
  private static Browser browser;

  private final AtomicLong now = new AtomicLong();

  @BeforeAll
  static void open() throws Exception {
    browser = Browser.open(Files.createDirectories(directory.resolve("profile")));
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
  }

  @AfterEach
  void nothingIsReportedOrRequested() throws Exception {
    browser.requireSilence();
  }

  private PageRenderer renderer(PageRenderer.Origin origin) {
    return new PageRenderer(TARGET, origin, () -> Instant.ofEpochMilli(now.get()));
  }

  /** Writes a page with a result a second. */
  private Path page(Result... results) throws IOException {
    return page(renderer(new PageRenderer.Origin("ply x", "x", "host", "6.1")), results);
  }

  private Path page(PageRenderer renderer, Result... results) throws IOException {
    Path page = Files.createTempFile(directory, "page", ".html");
    TextBuffer out = new TextBuffer();
    for (Result result : results) {
      boolean unused = renderer.render(out, result);
      now.addAndGet(1000);
    }
    return Files.writeString(page, out.toString());
  }

  private static Result.Snapshot last(NamedTable... maps) {
    return new Result.Snapshot(List.of(maps), Result.Occasion.FINAL);
  }

  private static Result.Snapshot added(NamedTable... maps) {
    return new Result.Snapshot(List.of(maps), Result.Occasion.ADDED);
  }

  private static NamedTable stacks(Sample... samples) {
    return StackTables.map("@s", "count", Unit.CALLS, List.of(samples));
  }

  private static Sample busy(long number) {
    return new Sample("java", List.of("busy", "main"), number);
  }

  private static Sample idle(long number) {
    return new Sample("java", List.of("idle", "main"), number);
  }

  private static NamedTable[] maps(String script, Firing... firings) {
    try (var tracer = SimulatedTracer.create(TARGET);
        PreparedTrace trace = tracer.prepare(PlyScript.parse(script));
        Session session = trace.start()) {
      Arrays.stream(firings).forEach(tracer::fire);
      return session.tables().toArray(NamedTable[]::new);
    }
  }

  private static Firing read(String comm, long bytes) {
    return Firing.kprobe("vfs_read").comm(comm).arg(2, bytes);
  }

  private Object text(String selector) throws Exception {
    return browser.run("return document.querySelector('" + selector + "').textContent");
  }

  private List<?> column(int index) throws Exception {
    return (List<?>)
        browser.run(
            "return [...document.querySelectorAll('#maps .rows tbody tr')].map(row => row.cells["
                + index
                + "].textContent)");
  }

  private void click(String button) throws Exception {
    Object unused =
        browser.afterFrame(
            "[...document.querySelectorAll('button')].find(one => one.textContent.startsWith('"
                + button
                + "')).click()",
            "1");
  }

  private void key(String key) throws Exception {
    Object unused =
        browser.afterFrame(
            "document.querySelector('.flame canvas').dispatchEvent(new KeyboardEvent('keydown',"
                + " { key: '"
                + key
                + "' }))",
            "1");
  }

  private void choose(int from, int to) throws Exception {
    Object unused = browser.afterFrame("choose([" + from + ", " + to + "])", "1");
  }

  @Test
  void aTableIsSortedAndFiltered() throws Exception {
    browser.show(
        page(
            last(
                maps(
                    "kprobe:vfs_read { @[comm] = count(); }",
                    read("b", 1),
                    read("c", 1),
                    read("c", 1),
                    read("a", 1),
                    read("a", 1),
                    read("a", 1))),
            END));
    assertThat(column(0)).isEqualTo(List.of("a", "c", "b"));
    assertThat(column(1)).isEqualTo(List.of("3", "2", "1"));
    click("comm");
    assertThat(column(0)).isEqualTo(List.of("a", "b", "c"));
    click("comm");
    assertThat(column(0)).isEqualTo(List.of("c", "b", "a"));
    browser.type("#maps input[type=search]", "^[ab]$");
    assertThat(column(0)).isEqualTo(List.of("b", "a"));
    assertThat(text("#maps .bar .faint")).isEqualTo("2 of 3 rows");
  }

  @Test
  void aFlameGraphIsSearchedZoomedAndReduced() throws Exception {
    browser.show(page(last(stacks(busy(75), idle(25))), END));
    browser.type(".flame canvas ~ *, section input[type=search]", "bu.y");
    assertThat(text(".hits")).isEqualTo("75.0 % matched");
    key("ArrowUp");
    key("ArrowUp");
    key("ArrowUp");
    assertThat(text(".flame + .about")).asString().startsWith("busy").contains("75, 75.0 %");
    key("Enter");
    assertThat(browser.run("return document.querySelector('.flame canvas').dataset.boxes"))
        .isEqualTo("4");
    key("Escape");
    key("ArrowUp");
    key("ArrowUp");
    key("Delete");
    click("icicle");
    assertThat(browser.run("return document.querySelector('.flame canvas').dataset.boxes"))
        .as("main is left out")
        .isEqualTo("4");
    click("reset");
    click("callers");
    key("ArrowDown");
    assertThat(text(".flame + .about")).asString().startsWith("busy").contains("75.0 %");
  }

  /** A busy machine takes long to attach. */
  @Test
  void timeCountsFromWhenAllProbesAreAttached() throws Exception {
    PageRenderer renderer = renderer(new PageRenderer.Origin("ply x", "x", "host", "6.1"));
    now.addAndGet(20_000);
    Path page = page(renderer, new Result.Attached(1, List.of()), last(stacks(busy(1))), END);
    browser.show(page);
    assertThat(Files.readString(page)).contains("\"type\":\"start\",\"at\":0,");
  }

  @Test
  void aRangeOfTimeIsSelectedAndCompared() throws Exception {
    browser.show(
        page(
            new Result.Attached(1, List.of()),
            added(stacks(busy(10), idle(30))),
            added(stacks(busy(60))),
            last(stacks(busy(70), idle(30))),
            END));
    assertThat(browser.run("return document.querySelector('.flame canvas').dataset.total"))
        .isEqualTo("100");
    choose(0, 1000);
    assertThat(browser.run("return document.querySelector('.flame canvas').dataset.total"))
        .isEqualTo("40");
    assertThat(text("#time .about")).isEqualTo("0.0–1.0 s");
    click("compare others");
    choose(1000, 2000);
    assertThat(browser.run("return document.querySelector('.flame canvas').dataset.total"))
        .isEqualTo("60");
    key("ArrowUp");
    key("ArrowUp");
    key("ArrowUp");
    assertThat(text(".flame + .about"))
        .asString()
        .startsWith("busy")
        .contains("60, 100.0 %", "before 10, 25.0 %");
    click("whole trace");
    click("end comparison");
    assertThat(browser.run("return document.querySelector('.flame canvas').dataset.total"))
        .isEqualTo("100");
  }

  @Test
  void aFlameGraphIsComparedWithAFile() throws Exception {
    Path folded = Files.writeString(directory.resolve("then.folded"), "java;main;busy 1\nx;y 3\n");
    Path other = page(last(stacks(busy(20), idle(20))), END);
    browser.show(page(last(stacks(busy(75), idle(25))), END));
    browser.type("input[type=file]", folded.toString());
    key("ArrowUp");
    key("ArrowUp");
    key("ArrowUp");
    assertThat(text(".flame + .about")).asString().contains("75.0 %", "before 1, 25.0 %");
    browser.type("input[type=file]", other.toString());
    key("ArrowUp");
    key("ArrowUp");
    key("ArrowUp");
    assertThat(text(".flame + .about")).asString().contains("75.0 %", "before 20, 50.0 %");
  }

  @Test
  void distributionsAndNumbersAreShownOverTime() throws Exception {
    String script = "kprobe:vfs_read { @q = quantize(arg2); @c[comm] = count(); }";
    browser.show(
        page(
            new Result.Attached(1, List.of()),
            added(maps(script, read("a", 5), read("a", 900))),
            added(maps(script, read("b", 5))),
            added(maps(script, read("b", 5))),
            last(maps(script, read("a", 5), read("a", 900), read("b", 5), read("b", 5))),
            END));
    assertThat(browser.run("return document.querySelector('.graph canvas').dataset.columns"))
        .isEqualTo("3");
    assertThat(browser.run("return document.querySelector('.lines').dataset.lines")).isEqualTo("2");
    assertThat(text(".facts + .histogram, .histogram")).asString().contains("[4, 8)375.0 %");
    choose(1000, 3000);
    assertThat(text(".histogram")).isEqualTo("[4, 8)2100.0 %");
    assertThat(column(0)).isEqualTo(List.of("b"));
    choose(0, 1000);
    assertThat(column(0)).isEqualTo(List.of("a"));
  }

  @Test
  void namesAreTextAndNothingElse() throws Exception {
    List<Sample> samples = new ArrayList<>();
    List<Result> results = new ArrayList<>();
    for (String hostile : StackTables.HOSTILE) {
      samples.add(new Sample(hostile, List.of(hostile, "main"), 1));
      results.add(new Result.Line(Message.PRINTF, hostile + "</script><img src=x onerror=hit()>"));
    }
    NamedTable map = stacks(samples.toArray(Sample[]::new));
    results.add(added(map));
    results.add(added(map));
    results.add(last(map));
    results.add(END);
    String all = String.join(" ", StackTables.HOSTILE);
    browser.show(
        page(
            renderer(new PageRenderer.Origin(all, all, all, all)), results.toArray(Result[]::new)));
    assertThat(browser.run("return document.querySelector('.flame canvas').dataset.total"))
        .isEqualTo(String.valueOf(2 * samples.size()));
    assertThat(browser.run("return document.querySelectorAll('#events tbody tr').length"))
        .isEqualTo((long) samples.size());
    assertThat(browser.run("return document.images.length")).isEqualTo(0L);
    assertThat(text("h1")).isEqualTo(Escapes.escape(all));
  }

  /** The time is reported, not judged: machines differ. */
  @Test
  void manyStacksAreDrawn(TestReporter reporter) throws Exception {
    int count = 100_000;
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> frames = new ArrayList<>();
      for (int depth = 0; depth < 24; depth++) {
        frames.add("function_" + depth + "_" + i % (2 << ((23 - depth) / 2)));
      }
      frames.set(0, "leaf_" + i % 5000);
      frames.set(1, "caller_" + i / 5000);
      samples.add(new Sample("java", frames, 1 + i % 7));
    }
    long total = samples.stream().mapToLong(Sample::number).sum();
    Path page = page(last(stacks(samples.toArray(Sample[]::new))), END);
    browser.show(page);
    assertThat(browser.run("return document.querySelector('.flame canvas').dataset.total"))
        .isEqualTo(String.valueOf(total));
    reporter.publishEntry(
        "page of 100,000 stacks",
        browser.run(
                "return performance.getEntriesByName('drawn')[0].startTime.toFixed(0) + ' ms until"
                    + " drawn, first paint at ' + performance.getEntriesByType('paint')[0]"
                    + "?.startTime.toFixed(0) + ' ms'")
            + ", "
            + Files.size(page)
            + " bytes");
  }
}
