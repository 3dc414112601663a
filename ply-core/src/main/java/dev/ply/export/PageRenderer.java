package dev.ply.export;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.export.page.PageJson;
import dev.ply.export.page.PageMaps;
import dev.ply.export.page.PageText;
import dev.ply.result.EndReason;
import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventValues;
import dev.ply.result.ProbeCost;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.DatumFormat;
import dev.ply.table.ValueFormat;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * One page for a browser, which opens without a network: maps as tables that sort and filter,
 * distributions as bars with percentiles, stacks as a flame graph, events, messages and losses.
 *
 * <p>Each result is a data block (HTML Standard, 4.12.1) after the page's own script, so the page
 * of a trace that was killed shows what it had. Of more than {@value #MOST_EVENTS} events only the
 * number is kept. What is added in periods ({@link dev.ply.Session#addedEvery}) is shown over time,
 * in at most {@value #MOST_BYTES} bytes; what does not fit is one last period.
 */
public final class PageRenderer implements Renderer {
  private static final int MOST_EVENTS = 20_000;
  private static final int MOST_SITES = 200;

  /** What periods and printed maps take in the file, but for the last period. */
  private static final long MOST_BYTES = 32 << 20;

  private final Target target;
  private final Origin origin;
  private final InstantSource clock;
  private final PageMaps maps;
  private final boolean isLive;
  private final Set<String> printed = new LinkedHashSet<>();
  private long begin;
  private boolean isBegun;
  private boolean hasPeriods;
  private boolean hasCharts;
  private long unprinted;
  private long events;

  /**
   * Creates a renderer.
   *
   * @param target that the results come from
   */
  public PageRenderer(Target target) {
    this(target, Origin.UNKNOWN);
  }

  /**
   * Creates a renderer.
   *
   * @param target that the results come from
   * @param origin of the trace
   */
  public PageRenderer(Target target, Origin origin) {
    this(target, origin, InstantSource.system());
  }

  /**
   * Creates a renderer.
   *
   * @param target that the results come from
   * @param origin of the trace
   * @param clock that tells when a result is rendered
   */
  public PageRenderer(Target target, Origin origin, InstantSource clock) {
    this(target, origin, clock, false);
  }

  private PageRenderer(Target target, Origin origin, InstantSource clock, boolean isLive) {
    this.target = target;
    this.origin = origin;
    this.clock = clock;
    this.maps = new PageMaps(target, MOST_BYTES);
    this.begin = clock.millis();
    this.isLive = isLive;
  }

  /**
   * {@return a renderer of the data blocks alone, a line of JSON each, of as many events as there
   * are} For a page that takes them while the trace runs ({@link #livePage}): no snapshot of maps
   * depends on an earlier one.
   *
   * @param target that the results come from
   * @param origin of the trace
   */
  public static PageRenderer live(Target target, Origin origin) {
    return new PageRenderer(target, origin, InstantSource.system(), true);
  }

  /**
   * {@return a page without data, which fetches it from its own address with {@code /events} at the
   * end, as server-sent events}
   */
  public static String livePage() {
    return PageText.live();
  }

  /**
   * Counts events that are left out, so that the last block has the number of all.
   *
   * @param number from 0 up
   */
  public synchronized void leaveOut(long number) {
    events += number;
  }

  /**
   * Names a map that the script prints: a live page shows it as it was printed, not what was added
   * to it.
   *
   * @param map by its name
   */
  public synchronized void prints(String map) {
    printed.add(map);
  }

  @Override
  public ValueFormat conversions() {
    return new DatumFormat(target).raw();
  }

  @Override
  public EventRenderer prepare(EventShape shape, EventValues values) {
    return EventSink.writer(
        target,
        shape,
        values,
        (out, fields, data, line) ->
            event(out, fields.fields().stream().map(field -> field.name()).toList(), data, line));
  }

  @Override
  public boolean shows(Result result) {
    return true;
  }

  @Override
  public synchronized boolean render(TextBuffer out, Result result) {
    start(out);
    return result.accept(new Writer(out));
  }

  private void start(TextBuffer out) {
    if (isBegun) {
      return;
    }
    isBegun = true;
    if (!isLive) {
      out.append(PageText.head());
    }
    // Time counts from when all probes are attached.
    PageJson block = open(out, "start", 0);
    block.member("time", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    block.member("machine", origin.machine()).member("kernel", origin.kernel());
    block.member("architecture", target.architecture().name().toLowerCase(Locale.ROOT));
    block.member("command", origin.command()).member("script", origin.script());
    close(out, block);
  }

  private PageJson open(TextBuffer out, String type) {
    return open(out, type, clock.millis() - begin);
  }

  private PageJson open(TextBuffer out, String type, long at) {
    out.append(isLive ? "" : "<script type=\"application/json\">");
    return new PageJson(out).begin('{').member("type", type).member("at", at);
  }

  private void close(TextBuffer out, PageJson block) {
    block.end('}');
    out.append(isLive ? "\n" : "</script>\n").spill();
  }

  private synchronized void event(
      TextBuffer out, List<String> names, List<Datum> values, Optional<String> line) {
    start(out);
    if (++events > MOST_EVENTS && !isLive) {
      return;
    }
    PageJson block = open(out, "event");
    if (line.isPresent()) {
      block.member("text", line.get());
    } else {
      DatumFormat format = new DatumFormat(target);
      block.name("names").begin('[');
      names.forEach(block::text);
      block.end(']').name("values").begin('[');
      values.forEach(value -> block.text(format.format(value).strip()));
      block.end(']');
    }
    close(out, block);
  }

  private void message(TextBuffer out, String severity, String text) {
    PageJson block = open(out, "message");
    block.member("severity", severity).member("text", text);
    close(out, block);
  }

  /**
   * Where a trace comes from, for the head of its page.
   *
   * @param command line that began it, empty if unknown
   * @param script that it runs, empty if unknown
   * @param machine its name, empty if unknown
   * @param kernel its release, empty if unknown
   */
  public record Origin(String command, String script, String machine, String kernel) {
    /** A trace of a program. */
    public static final Origin UNKNOWN = new Origin("", "", "", "");
  }

  /** Writes each kind of result. */
  private final class Writer implements Result.Visitor<Boolean> {
    private final TextBuffer out;

    Writer(TextBuffer out) {
      this.out = out;
    }

    @Override
    public Boolean visit(Result.Attached attached) {
      begin = clock.millis();
      PageJson block = open(out, "attached");
      block.member("probes", attached.probes()).name("sites").begin('[');
      attached.sites().stream().limit(MOST_SITES).forEach(site -> block.text(site.point()));
      block.end(']');
      close(out, block);
      return true;
    }

    @Override
    public Boolean visit(Result.Event event) {
      List<String> names = event.shape().items().stream().map(EventShape.Item::name).toList();
      event(out, names, event.values(), Optional.empty());
      return true;
    }

    @Override
    public Boolean visit(Result.Line line) {
      event(out, List.of(), List.of(), Optional.of(line.text().stripTrailing()));
      return true;
    }

    @Override
    public Boolean visit(Result.Snapshot snapshot) {
      if (isLive) {
        PageJson block = open(out, "maps");
        block.member("occasion", snapshot.occasion().name().toLowerCase(Locale.ROOT));
        block.name("printed").begin('[');
        printed.forEach(block::text);
        block.end(']');
        new PageMaps(target, MOST_BYTES).write(block, snapshot);
        close(out, block);
        return true;
      }
      if (snapshot.occasion() == Result.Occasion.ADDED) {
        hasPeriods = true;
        maps.add(snapshot, clock.millis() - begin);
        if (maps.isDue()) {
          period();
        }
        return true;
      }
      boolean isLast = snapshot.occasion() == Result.Occasion.FINAL;
      if (!isLast && (hasPeriods || !maps.hasRoom())) {
        unprinted += hasPeriods ? 0 : 1;
        return true;
      }
      period();
      // Others are written at once: a period comes from another thread.
      TextBuffer whole = isLast ? out : new TextBuffer();
      PageJson block = open(whole, "maps");
      block.member("occasion", snapshot.occasion().name().toLowerCase(Locale.ROOT));
      maps.write(block, snapshot);
      close(whole, block);
      if (!isLast) {
        keep(whole);
      }
      return true;
    }

    /** Writes what was added since the last period. */
    private void period() {
      if (maps.isPending()) {
        TextBuffer whole = new TextBuffer();
        PageJson block = open(whole, "maps", maps.end());
        block.member("occasion", "added");
        maps.writePending(block);
        close(whole, block);
        keep(whole);
      }
    }

    private void keep(TextBuffer block) {
      if (!hasCharts) {
        hasCharts = true;
        out.append(PageText.charts());
      }
      maps.written(block.length());
      out.append(block);
    }

    @Override
    public Boolean visit(Result.Report report) {
      diagnostic(report.message());
      return true;
    }

    @Override
    public Boolean visit(Result.Failure failure) {
      diagnostic(failure.diagnostic());
      return true;
    }

    private void diagnostic(Diagnostic diagnostic) {
      message(out, diagnostic.severity().name().toLowerCase(Locale.ROOT), diagnostic.message());
    }

    @Override
    public Boolean visit(Result.Lost lost) {
      message(out, "loss", lost.loss().sentence(lost.count()));
      return true;
    }

    @Override
    public Boolean visit(Result.Cost cost) {
      PageJson block = open(out, "cost");
      block.member("elapsed", cost.cost().elapsed().toNanos());
      block.member("tracer", cost.cost().tracer().toNanos());
      block.member("measuring", cost.cost().measuring().toNanos()).name("probes").begin('[');
      for (ProbeCost probe : cost.cost().probes()) {
        block.begin('{').member("name", probe.name());
        block.member("mechanism", probe.mechanism().toString());
        block.member("hits", probe.hits()).member("time", probe.time().toNanos()).end('}');
      }
      block.end(']');
      close(out, block);
      return true;
    }

    @Override
    public Boolean visit(Result.Sampled sampled) {
      message(out, "warning", sampled.sentence() + ": " + Result.Sampled.MEANING);
      return true;
    }

    @Override
    public Boolean visit(Result.Content content) {
      event(out, List.of(), List.of(), Optional.of(content.text().stripTrailing()));
      return true;
    }

    @Override
    public Boolean visit(dev.ply.result.OwnRun run) {
      return false;
    }

    @Override
    public Boolean visit(Result.End end) {
      period();
      PageJson block = open(out, "end");
      block.member("reason", reason(end.reason())).member("events", events);
      block.member("unprinted", unprinted);
      close(out, block);
      out.append(isLive ? "" : "</body>\n</html>\n");
      return true;
    }

    private static String reason(EndReason reason) {
      if (reason instanceof EndReason.Exited exited) {
        return "the script called exit(" + exited.status() + ")";
      } else if (reason instanceof EndReason.Failed failed) {
        return "it failed: " + failed.cause().getMessage();
      }
      return "it was stopped";
    }
  }
}
