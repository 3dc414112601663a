package dev.ply.cli.follow;

import dev.ply.Session;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.follow.OverheadLimit.Reaction;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.run.Follower;
import dev.ply.result.CostMeter;
import dev.ply.result.Result;
import dev.ply.result.TraceCost;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the cost of a trace below a limit: measures it for a part of the time, since measuring
 * costs each hit something, too, and has hits left out, or stops the trace, while it is higher.
 */
final class OverheadFollower implements Follower {
  private static final Duration MEASURED = Duration.ofMillis(100);
  private static final Duration UNMEASURED = Duration.ofMillis(300);

  private final Console console;
  private final OverheadLimit limit;
  private final OverheadControl control;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean isSampled;
  private volatile boolean hasFailed;

  /**
   * The option as what makes the follower.
   *
   * @param limit that it sets
   */
  record Maker(OverheadLimit limit) implements Follower.Maker {
    @Override
    public Follower on(Console console) {
      return new OverheadFollower(console, limit);
    }

    @Override
    public CompilerOptions compiledWith(CompilerOptions options) {
      return limit.reaction() == Reaction.SAMPLE ? options.sampled() : options;
    }
  }

  private OverheadFollower(Console console, OverheadLimit limit) {
    this.console = console;
    this.limit = limit;
    this.control = new OverheadControl(limit.share());
  }

  @Override
  public void follow(Session session, ResultOutput results, Runnable end) {
    Optional<CostMeter> first = session.measureCost();
    if (first.isEmpty()) {
      fail(
          "the kernel does not measure the cost for this process, so --max-overhead cannot keep it:"
              + " it needs CAP_SYS_ADMIN and Linux 5.8",
          end);
      return;
    }
    first.get().close();
    Optional<String> obstacle =
        limit.reaction() == Reaction.SAMPLE ? obstacle(session) : Optional.of("");
    obstacle
        .filter(reason -> !reason.isEmpty())
        .ifPresent(
            reason -> console.warning(reason + "; at more than " + limit() + " the trace stops"));
    Thread thread =
        new Thread(() -> control(session, results, end, obstacle.isEmpty()), "ply-overhead");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns why hits of a trace cannot be sampled, if so. */
  private static Optional<String> obstacle(Session session) {
    try {
      session.sample(1);
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private void control(Session session, ResultOutput results, Runnable end, boolean samples) {
    try {
      while (!over.await(UNMEASURED.toNanos(), TimeUnit.NANOSECONDS)) {
        Optional<TraceCost> cost = measured(session);
        if (cost.isEmpty()) {
          endUnmeasured(end);
          return;
        }
        double share = share(cost.get());
        OverheadControl.Action action = control.decide(share, nanos(cost.get()));
        if (action == OverheadControl.Action.STOP
            || (action == OverheadControl.Action.FEWER && !samples)) {
          console.message(
              "the probes cost " + percent(share) + ", more than " + limit() + ": stopped");
          end.run();
          return;
        }
        if (action != OverheadControl.Action.GO_ON) {
          sample(session, results, share);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // What fails because the session has been stopped meanwhile does not matter.
      if (over.getCount() > 0 && session.end().isEmpty()) {
        fail("--max-overhead failed, and the trace with it: " + e, end);
      }
    }
  }

  private void fail(String message, Runnable end) {
    console.error(message);
    hasFailed = true;
    end.run();
  }

  private void sample(Session session, ResultOutput results, double share) {
    session.sample(control.oneOf());
    Result.Sampled result = new Result.Sampled(control.oneOf());
    boolean unused = results.print(result);
    String cost = "the probes cost " + percent(share);
    console.message(
        cost + (share > limit.share() ? ", more than " + limit() : "") + ": " + result.sentence());
    if (!isSampled) {
      isSampled = true;
      console.message(Result.Sampled.MEANING);
    }
  }

  /** A trace whose cost nobody measures any more could cost anything. */
  private void endUnmeasured(Runnable end) {
    if (over.getCount() > 0) {
      fail(
          "the cost cannot be measured any more, so --max-overhead cannot keep it: stopped; with"
              + " --drop-privileges the kernel no longer lets this process measure",
          end);
    }
  }

  private Optional<TraceCost> measured(Session session) throws InterruptedException {
    Optional<CostMeter> meter = session.measureCost();
    if (meter.isEmpty()) {
      return Optional.empty();
    }
    try (CostMeter measured = meter.get()) {
      return over.await(MEASURED.toNanos(), TimeUnit.NANOSECONDS)
          ? Optional.empty()
          : Optional.of(measured.soFar());
    }
  }

  /** Returns the cost of programs and of measuring them for a part of the time. */
  private static double share(TraceCost cost) {
    double measured = (double) MEASURED.toNanos() / MEASURED.plus(UNMEASURED).toNanos();
    return cost.share(cost.ofProbes())
        + measured * cost.share(cost.measuring().multipliedBy(cost.hits()));
  }

  private static double nanos(TraceCost cost) {
    return cost.hits() == 0 ? 0 : (double) cost.ofProbes().toNanos() / cost.hits();
  }

  private String limit() {
    return percent(limit.share());
  }

  private static String percent(double share) {
    double percent = 100 * share;
    String digits = percent >= 10 ? "%.0f" : percent >= 0.1 ? "%.1f" : "%.3f";
    return String.format(Locale.ROOT, digits + " %% of a CPU", percent);
  }

  @Override
  public void stopped(Session session, ResultOutput results) {
    over.countDown();
    if (isSampled) {
      console.message("the results are estimates: a part of the hits was not examined");
    }
  }

  @Override
  public boolean hasFailed() {
    return hasFailed;
  }

  @Override
  public void close() {
    over.countDown();
  }
}
