package dev.ply.cli.web;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.ListenAddress;
import dev.ply.cli.run.Follower;
import dev.ply.cli.run.PageOrigin;
import dev.ply.diagnostic.Source;
import dev.ply.export.PageRenderer;
import dev.ply.kernel.RunningKernel;
import dev.ply.result.Result;
import dev.ply.target.Target;
import dev.ply.text.TextBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Serves the page of a trace while it runs, to any number of viewers. Maps are read only while
 * somebody looks, and for at most a twentieth of the time.
 */
public final class LivePage implements Follower {
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int SHARE = 20;

  /** The time that viewers have for the final results. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** The option that asks for it. */
  public static final String OPTION = "web";

  private final Console console;
  private final ListenAddress address;
  private final Incoming incoming;
  private final Viewers viewers = new Viewers();
  private final PageRenderer blocks;
  private final LiveMaps maps;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private Optional<PageServer> server = Optional.empty();
  private Optional<Thread> thread = Optional.empty();
  private long nextMaps = System.nanoTime();
  private long left;

  /** Creates the page of a trace on this machine; {@link #join} opens it. */
  LivePage(Console console, ListenAddress address) {
    this(console, address, new RunningKernel(), System::nanoTime);
  }

  LivePage(Console console, ListenAddress address, Target target, LongSupplier nanoTime) {
    this.incoming = new Incoming(nanoTime);
    this.console = console;
    this.address = address;
    this.blocks = PageRenderer.live(target, PageOrigin.of(new Source("", "")));
    this.maps = new LiveMaps(blocks);
  }

  /**
   * Returns what makes the page at an address.
   *
   * @param address {@code [HOST:]PORT}
   * @throws UsageException if it is none
   */
  public static Maker at(String address) throws UsageException {
    ListenAddress parsed = ListenAddress.parse("--" + OPTION, address);
    return console -> new LivePage(console, parsed);
  }

  @Override
  public PreparedTrace join(PreparedTrace trace) throws UsageException {
    PageServer opened = PageServer.open(address, viewers);
    server = Optional.of(opened);
    console.message("live page: " + opened.url(address));
    if (!opened.isLocal()) {
      console.warning(
          "--web: the page is not encrypted, so who reads the network's traffic can open it; port"
              + " forwarding of ssh to a page of this machine alone (--web PORT) is");
    }
    return trace.listen(incoming);
  }

  /** Returns the address of the page, once it is open. */
  Optional<String> url() {
    return server.map(opened -> opened.url(address));
  }

  @Override
  public void follow(Session session, ResultOutput results, Runnable end) {
    Thread follower = new Thread(() -> run(session), "ply-web");
    follower.setDaemon(true);
    follower.start();
    thread = Optional.of(follower);
  }

  private void run(Session session) {
    try {
      while (!stopped.await(TICK.toNanos(), TimeUnit.NANOSECONDS)) {
        pass();
        long begin = System.nanoTime();
        if (viewers.areAny() && begin - nextMaps >= 0) {
          viewers.add(maps.read(session));
          long took = System.nanoTime() - begin;
          nextMaps = begin + Math.max(PERIOD.toNanos(), took * SHARE);
        }
        note(session.losses().sentences());
        viewers.closeBlocked();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | OutOfMemoryError e) {
      // The trace continues without its page.
      console.warning("--web: the page has stopped: " + e);
    }
  }

  /** Passes on what has come in. */
  private void pass() {
    Incoming.Batch batch = incoming.take();
    maps.printed(batch.printed());
    left += batch.left();
    blocks.leaveOut(batch.left());
    List<Block> all = new ArrayList<>();
    batch.last().ifPresent(last -> all.addAll(maps.last(last)));
    for (Result result : batch.results()) {
      TextBuffer lines = new TextBuffer();
      boolean unused = blocks.render(lines, result);
      all.addAll(Block.of(kind(result), lines));
    }
    viewers.add(all);
  }

  private static Block.Kind kind(Result result) {
    if (result instanceof Result.End) {
      return Block.Kind.END;
    }
    return Incoming.isEvent(result) ? Block.Kind.EVENT : Block.Kind.OTHER;
  }

  private void note(List<String> losses) {
    List<String> notes = new ArrayList<>(losses);
    notes.addAll(maps.cuts());
    if (left > 0) {
      notes.add(left + " events were too many for a page, which has up to 2000 a second");
    }
    viewers.note(notes);
  }

  @Override
  public void stopped(Session session, ResultOutput results) {
    try {
      if (end()) {
        pass();
        // Losses are results, too, at the end.
        note(List.of());
        viewers.await(PATIENCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the thread, and returns whether it has ended. */
  private boolean end() throws InterruptedException {
    stopped.countDown();
    if (thread.isPresent()) {
      thread.get().join(PATIENCE.toMillis());
      return !thread.get().isAlive();
    }
    return true;
  }

  @Override
  public void close() {
    stopped.countDown();
    server.ifPresent(PageServer::close);
  }
}
