package dev.ply.cli.run;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.result.CostMeter;
import dev.ply.result.ProbeCost;
import dev.ply.target.Mechanism;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Tells somebody at a terminal who sees nothing for a while whether the probes are never hit, or
 * the filters never true. Hits are counted for a second only, since that costs each hit something.
 */
final class Silence {
  /** The time after which nothing is surprising. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The time for which hits are counted. */
  static final Duration COUNTED = Duration.ofSeconds(1);

  private static final int MOST_LINES = 10;

  private final Console console;
  private final Duration patience;
  private final Duration counted;
  private long since = System.nanoTime();
  private boolean isOver;
  private Optional<CostMeter> count = Optional.empty();

  Silence(Console console, Duration patience, Duration counted) {
    this.console = console;
    this.patience = patience;
    this.counted = counted;
  }

  /** Does not watch at all. */
  void end() {
    isOver = true;
    count.ifPresent(CostMeter::close);
    count = Optional.empty();
  }

  /** Reports, once, if nothing was printed and counted for long enough. */
  void watch(Session session) {
    if (isOver || System.nanoTime() - since < (count.isPresent() ? counted : patience).toNanos()) {
      return;
    }
    if (!console.output().isUnused() || hasEntries(session)) {
      end();
    } else if (count.isPresent()) {
      report(count.get().soFar().probes());
      end();
    } else {
      count = session.measureCost();
      since = System.nanoTime();
      isOver = count.isEmpty();
    }
  }

  private static boolean hasEntries(Session session) {
    return session.tables().stream().anyMatch(table -> table.table().size() > 0);
  }

  private void report(List<ProbeCost> measured) {
    // A program for all system calls runs for those that nobody asked for, too.
    List<ProbeCost> all =
        measured.stream().filter(cost -> cost.mechanism() != Mechanism.RAW_SYSCALLS).toList();
    if (all.isEmpty()) {
      return;
    }
    console.message(
        String.format(
            Locale.ROOT,
            "nothing for %d s; hits within the last %d s:",
            patience.toSeconds(),
            counted.toSeconds()));
    all.stream().limit(MOST_LINES).forEach(hits -> console.message("  " + line(hits)));
    if (all.size() > MOST_LINES) {
      console.message("  … and " + (all.size() - MOST_LINES) + " more");
    }
  }

  private static String line(ProbeCost cost) {
    return cost.hits() == 0
        ? cost.name() + ": none"
        : cost.name() + ": " + cost.hits() + ", all filtered out, or nothing of them is shown";
  }
}
