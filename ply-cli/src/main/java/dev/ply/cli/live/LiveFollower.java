package dev.ply.cli.live;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.cli.input.CallerEnvironment;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.io.Signals;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.live.draw.Look;
import dev.ply.cli.live.draw.Painter;
import dev.ply.cli.live.model.EventLog;
import dev.ply.cli.run.Follower;
import dev.ply.kernel.RunningKernel;
import dev.ply.table.DatumFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shows a trace in the terminal while it runs. All that would be printed meanwhile is shown in the
 * view, and printed when it has ended.
 */
public final class LiveFollower implements Follower {
  private static final long KEY_MILLIS = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Console console;
  private final Duration period;
  private final EventLog log = new EventLog();
  private Optional<LiveScreen> screen = Optional.empty();
  private Optional<LiveView> view = Optional.empty();
  private Optional<Thread> reader = Optional.empty();
  private final CountDownLatch over = new CountDownLatch(1);
  private boolean isDiverted;

  /**
   * Creates a follower.
   *
   * @param period between two readings of the maps, at least
   */
  public LiveFollower(Console console, Duration period) {
    this.console = console;
    this.period = period;
  }

  @Override
  public PreparedTrace join(PreparedTrace trace) throws UsageException {
    if (console.terminal() == Terminal.NONE) {
      throw new UsageException(
          "--live shows results in a terminal, and standard output is none: leave out --live, or"
              + " write results to a file with -o");
    }
    if (!Terminal.isInput()) {
      throw new UsageException(
          "--live reads keys from the terminal, and standard input is none: give the program as"
              + " text or as a file, or leave out --live");
    }
    try {
      screen = Optional.of(LiveScreen.open());
    } catch (NoClassDefFoundError e) {
      throw new UsageException(
          "--live needs JLine, which this installation lacks: " + e.getMessage());
    }
    return trace;
  }

  @Override
  public void follow(Session session, ResultOutput results, Runnable end) {
    LiveScreen shown = screen.orElseThrow();
    Look look = Look.of(CallerEnvironment.read().variables(), shown.colours());
    Painter painter = new Painter(look, new DatumFormat(new RunningKernel()));
    LiveView live = new LiveView(session, shown, log, painter, period);
    view = Optional.of(live);
    divert();
    shown.enter();
    Signals.onEach("WINCH", () -> again(shown, live));
    Signals.onEach("CONT", () -> again(shown, live));
    Signals.onSuspend(shown::leave, () -> again(shown, live));
    reader = Optional.of(start("ply-live", () -> readMaps(live, end)));
    Thread unused = start("ply-keys", () -> readKeys(shown, live, end));
  }

  private static Thread start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void divert() {
    isDiverted = true;
    console.output().divert(log.output());
    console.errors().divert(log.errors());
  }

  /** The size may be another, or the terminal was somebody else's. */
  private void again(LiveScreen shown, LiveView live) {
    if (!isOver()) {
      shown.enter();
      shown.resized();
      live.draw();
    }
  }

  private void readMaps(LiveView live, Runnable end) {
    try {
      boolean isEnded = false;
      while (!isEnded) {
        isEnded = over.await(Math.max(1, live.read().toMillis()), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      fail(e, end);
    } finally {
      live.close();
    }
  }

  private void fail(Throwable failure, Runnable end) {
    if (!isOver()) {
      console.error("the live view has failed: " + failure);
      end.run();
    }
  }

  private void readKeys(LiveScreen shown, LiveView live, Runnable end) {
    Keyboard keyboard = new Keyboard(shown.keys());
    try {
      while (!isOver()) {
        Optional<Key> key = keyboard.read(KEY_MILLIS);
        if (key.isEmpty()) {
          live.tick();
        } else if (!isOver()) {
          press(key.get(), shown, live, end);
        }
      }
    } catch (IOException e) {
      // The terminal is gone.
      end.run();
    } catch (RuntimeException | Error e) {
      fail(e, end);
    }
  }

  private void press(Key key, LiveScreen shown, LiveView live, Runnable end) {
    switch (live.press(key)) {
      case QUIT -> end.run();
      case SAVE -> live.say(SavedView.save(live.tables(), log));
      case REDRAW -> shown.resized();
      case RESET, NONE -> {
        // The next frame shows it.
      }
    }
    live.draw();
  }

  @Override
  public void stopping(Session session) {
    close();
  }

  @Override
  public void close() {
    over.countDown();
    view.ifPresent(LiveView::end);
    screen.ifPresent(LiveScreen::leave);
    reader.ifPresent(LiveFollower::join);
    reader = Optional.empty();
    screen.ifPresent(LiveScreen::close);
    screen = Optional.empty();
    if (isDiverted) {
      isDiverted = false;
      console.output().restore();
      console.errors().restore();
      print();
    }
  }

  private boolean isOver() {
    return over.getCount() == 0;
  }

  /** Waits for a reading that is under way; an interrupt would close the files that it reads. */
  private static void join(Thread thread) {
    try {
      thread.join(PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Prints what the view has kept. */
  private void print() {
    long leftOut = log.leftOut();
    if (leftOut > 0) {
      console.message(
          String.format(
              Locale.ROOT,
              "… %,d earlier lines were shown by --live only; -o FILE keeps all",
              leftOut));
    }
    try {
      log.drain(console.output(), console.errors());
    } catch (IOException e) {
      console.error("output is lost: " + e.getMessage());
    }
    console.output().flush();
    console.errors().flush();
  }
}
