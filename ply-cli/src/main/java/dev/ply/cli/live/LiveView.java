package dev.ply.cli.live;

import dev.ply.Session;
import dev.ply.cli.live.draw.Painter;
import dev.ply.cli.live.draw.RowOrder;
import dev.ply.cli.live.model.CostSampler;
import dev.ply.cli.live.model.EventLog;
import dev.ply.cli.live.model.MapHistory;
import dev.ply.cli.live.model.Status;
import dev.ply.cli.live.model.ViewState;
import dev.ply.table.NamedTable;
import dev.ply.type.Escapes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.terminal.Size;

/**
 * The view of a session: reads its maps, draws them, and does what keys ask for. Thread-safe: maps
 * are read by one thread, keys by another.
 */
final class LiveView {
  /** What is drawn besides rows. */
  private static final int PAGE_MARGIN = 6;

  private static final long SECOND = 1_000_000_000L;

  private final Session session;
  private final LiveScreen screen;
  private final EventLog log;
  private final Painter painter;
  private final ReadingPace pace;
  private final CostSampler costs;
  private final List<MapHistory> maps;
  private final String title;
  private final long began = System.nanoTime();
  private ViewState state;
  private Duration reading = Duration.ZERO;
  private List<String> losses = List.of();
  private long lossesRead = began;
  private List<String> pausedEvents = List.of();
  private long drawn = began;
  private boolean isOver;

  LiveView(Session session, LiveScreen screen, EventLog log, Painter painter, Duration period) {
    this.session = session;
    this.screen = screen;
    this.log = log;
    this.painter = painter;
    this.pace = new ReadingPace(period);
    this.costs = new CostSampler(session);
    this.maps = session.schemas().stream().map(schema -> new MapHistory(schema, began)).toList();
    this.title = title(session);
    this.state = ViewState.initial(maps.size() + 1);
  }

  private static String title(Session session) {
    List<String> points =
        session.attachments().stream().map(site -> site.point()).distinct().toList();
    if (points.isEmpty()) {
      return "ply";
    }
    String more = points.size() > 1 ? " and " + (points.size() - 1) + " more" : "";
    return Escapes.escape(points.get(0)) + more;
  }

  /** Reads all maps and draws them; returns how long to wait for the next time. */
  Duration read() {
    long begin = System.nanoTime();
    pace.begin();
    if (!isPaused()) {
      costs.sample(begin);
      List<NamedTable> tables = session.tables();
      long now = System.nanoTime();
      if (now - lossesRead >= SECOND) {
        losses = session.losses().sentences();
        lossesRead = now;
      }
      synchronized (this) {
        for (int i = 0; i < maps.size(); i++) {
          maps.get(i).read(tables.get(i).table(), now);
        }
        reading = Duration.ofNanos(System.nanoTime() - begin);
      }
    }
    draw();
    return pace.end(Duration.ofNanos(System.nanoTime() - begin));
  }

  /** Handles a key, and returns what is left for the caller to do. */
  KeyBindings.Effect press(Key key) {
    KeyBindings.Effect effect;
    synchronized (this) {
      Size size = screen.size();
      int page = Math.max(1, size.getRows() - PAGE_MARGIN);
      boolean wasPaused = state.isPaused();
      KeyBindings.Outcome outcome = new KeyBindings(state, rows(), panes(), page).press(key);
      state = outcome.state();
      effect = outcome.effect();
      if (state.isPaused() && !wasPaused) {
        pausedEvents = log.newest(EventLog.MOST_LINES);
      }
      if (effect == KeyBindings.Effect.RESET) {
        maps.forEach(MapHistory::reset);
        log.clear();
      }
    }
    return effect;
  }

  /** Shows a message until the next key. */
  synchronized void say(String message) {
    state = state.saying(message);
  }

  private synchronized boolean isPaused() {
    return state.isPaused();
  }

  private boolean hasEvents() {
    return log.count() > 0 || maps.isEmpty();
  }

  private int panes() {
    return maps.size() + (hasEvents() ? 1 : 0);
  }

  private Optional<RowOrder> rows() {
    return state.focus() < maps.size()
        ? Optional.of(painter.order(maps.get(state.focus()), state.pane(), state))
        : Optional.empty();
  }

  /** Returns how many of the newest events can be seen. */
  private int mostEvents(Size size) {
    int scroll = state.panes().get(maps.size()).scroll();
    return state.filter().isPresent() ? EventLog.MOST_LINES : size.getRows() + scroll;
  }

  /** Redraws if a second has passed since the last time, so that the clock keeps running. */
  void tick() {
    boolean isDue;
    synchronized (this) {
      isDue = System.nanoTime() - drawn >= SECOND;
    }
    if (isDue) {
      draw();
    }
  }

  /** Redraws the whole screen from the last reading. */
  synchronized void draw() {
    if (isOver) {
      return;
    }
    drawn = System.nanoTime();
    Size size = screen.size();
    List<String> events = state.isPaused() ? pausedEvents : log.newest(mostEvents(size));
    Status status =
        new Status(
            title,
            session.attachments().size(),
            Duration.ofNanos(System.nanoTime() - began),
            pace.period(),
            reading,
            costs.processor(),
            costs.cost(),
            losses);
    Painter.Content content = new Painter.Content(maps, events, log.count(), hasEvents(), status);
    screen.show(painter.paint(content, state, size.getRows(), size.getColumns()));
  }

  /** Returns all maps as they are now. */
  List<NamedTable> tables() {
    return new ArrayList<>(session.tables());
  }

  /** Stops drawing. */
  synchronized void end() {
    isOver = true;
  }

  /** Stops measuring. For the thread that reads. */
  void close() {
    costs.close();
  }
}
