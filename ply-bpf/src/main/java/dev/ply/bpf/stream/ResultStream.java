package dev.ply.bpf.stream;

import dev.ply.bpf.object.EventItem;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.table.PrintTime;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.result.EventRenderer;
import dev.ply.result.EventShape;
import dev.ply.result.EventValues;
import dev.ply.result.Message;
import dev.ply.result.Renderer;
import dev.ply.result.Result;
import dev.ply.table.Datum;
import dev.ply.table.NamedTable;
import dev.ply.text.TextBuffer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Passes the results of a trace on, in order: to a renderer, and to those who listen. Results that
 * the layout cannot show are reported. Each event site is prepared once. One thread at a time.
 */
public final class ResultStream {
  private final Renderer renderer;
  private final ItemReader items;
  private final OrderedOutput output;
  private final Consumer<Diagnostic> reports;
  private final ResultListeners listeners;
  private final PrintTime time;
  private final List<Site> sites = new ArrayList<>();
  private final TextBuffer line = new TextBuffer();

  /** For listeners: what they get is not a text for terminals. */
  private final Renderer plain;

  /** The writer of the events of a site. */
  private record Site(
      EventShape shape,
      EventValues values,
      EventRenderer renderer,
      Optional<EventItem.WholeMap> map) {}

  /** Of sites whose events are not results. */
  private static final Site NONE =
      new Site(
          new EventShape(new EventShape.Form.Print(), List.of()),
          (item, memory, start) -> {
            throw new IllegalArgumentException("no results");
          },
          EventRenderer.NONE,
          Optional.empty());

  /**
   * Creates the stream of a trace.
   *
   * @param plain writes text without escapes
   * @param reports receives messages for people
   * @param time for maps that events print
   */
  public ResultStream(
      Renderer renderer,
      Renderer plain,
      ItemReader items,
      List<EventSite> events,
      OrderedOutput output,
      Consumer<Diagnostic> reports,
      ResultListeners listeners,
      PrintTime time) {
    this.renderer = renderer;
    this.plain = plain;
    this.items = items;
    this.output = output;
    this.reports = reports;
    this.listeners = listeners;
    this.time = time;
    events.forEach(
        site -> sites.add(site.shape().map(shape -> prepared(site, shape)).orElse(NONE)));
  }

  private Site prepared(EventSite site, EventShape shape) {
    List<EventItem> all = EventItem.of(site);
    EventValues values = (item, memory, start) -> items.read(site, all.get(item), memory, start);
    return new Site(shape, values, renderer.prepare(shape, values), onlyMap(site));
  }

  /**
   * Passes the record at {@code start} on.
   *
   * @throws PrintTime.TimeIsUp if it prints a map for which there is no time
   */
  public void event(EventSite site, ByteBuffer memory, int start) {
    Site prepared = sites.get(site.id());
    if (prepared.map().isPresent()) {
      NamedTable table = items.read(site, prepared.map().get());
      accept(new Result.Snapshot(List.of(table), Result.Occasion.PRINTED));
      return;
    }
    line.clear();
    prepared.renderer().render(line, memory, start);
    output.write(line);
    if (listeners.areAny()) {
      listeners.accept(result(prepared, memory, start));
    }
  }

  /** Counts a map that a site has not shown to its end. */
  public void cut(EventSite site) {
    time.cut(site.span());
  }

  /** Limits the time for maps that events print, as {@link PrintTime#limit} does. */
  public void limitPrints(Duration most, boolean ofEnd) {
    time.limit(most, ofEnd);
  }

  /** END begins. */
  public void beginEnd() {
    time.beginEnd();
  }

  /** Reports the maps that were cut, after all events. */
  public void finish() {
    time.report(reports);
  }

  /** Returns the map of a site that prints nothing else. */
  private static Optional<EventItem.WholeMap> onlyMap(EventSite site) {
    return site instanceof EventSite.Print print
            && print.items().size() == 1
            && print.items().get(0) instanceof EventItem.WholeMap map
        ? Optional.of(map)
        : Optional.empty();
  }

  private Result result(Site site, ByteBuffer memory, int start) {
    EventShape shape = site.shape();
    if (shape.form() instanceof EventShape.Form.Printf printf) {
      return new Result.Line(printf.message(), plainText(site, memory, start));
    } else if (shape.form() instanceof EventShape.Form.Join) {
      return new Result.Line(Message.JOIN, plainText(site, memory, start).stripTrailing());
    }
    List<Datum> values = new ArrayList<>();
    for (int i = 0; i < shape.items().size(); i++) {
      values.add(site.values().value(i, memory, start));
    }
    return new Result.Event(shape, values);
  }

  /** Returns the text of a record for listeners, without escapes. */
  private String plainText(Site site, ByteBuffer memory, int start) {
    TextBuffer text = new TextBuffer();
    plain.prepare(site.shape(), site.values()).render(text, memory, start);
    return text.toString();
  }

  /** Passes a result on that is not an event. */
  void accept(Result result) {
    // Rows of large maps are written as they are made.
    TextBuffer text =
        new TextBuffer(
            result instanceof Result.Snapshot
                ? time.whileThereIs(output.stream())
                : output.stream());
    if (renderer.render(text, result)) {
      output.write(text);
    } else if (result instanceof Result.Report report) {
      reports.accept(report.message());
    } else if (result instanceof Result.Failure failure) {
      reports.accept(failure.diagnostic());
    }
    listeners.accept(result);
  }

  /** Returns the text of what a command or file gave, for {@link OrderedOutput}. */
  TextBuffer text(Result.Content content) {
    TextBuffer text = new TextBuffer();
    renderer.render(text, content);
    listeners.accept(content);
    return text;
  }

  /** Passes an event of the fluent API to the listeners to all results. */
  public void emitted(EventSite.Emit site, ByteBuffer memory, int start) {
    if (listeners.areAny()) {
      listeners.accept(result(sites.get(site.id()), memory, start));
    }
  }
}
