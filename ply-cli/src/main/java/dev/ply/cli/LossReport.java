package dev.ply.cli;

import dev.ply.Session;
import dev.ply.Session.NamedTable;
import java.util.List;

/** Reports the losses at the end of a trace. */
final class LossReport {
  private final Console console;
  private final TraceRequest request;

  LossReport(Console console, TraceRequest request) {
    this.console = console;
    this.request = request;
  }

  /** Reports all losses, and returns the resulting exit status. */
  int run(Session session, List<NamedTable> tables) {
    long stacks = session.lostStacks();
    if (stacks > 0) {
      console.warning(stacks + " stack traces lost: their slots in the kernel's map were taken");
    }
    session.symbolShortage().ifPresent(console::warning);
    long loops = session.stoppedLoops();
    if (loops > 0) {
      console.warning(
          (loops == 1 ? "a loop was" : loops + " loops were") + " stopped after 1024 iterations");
    }
    long signals = session.unsentSignals();
    if (signals > 0) {
      console.warning(signals + " signals not sent: the thread cannot be signalled there");
    }
    long unpaired = session.unpairedCalls();
    if (unpaired > 0) {
      console.warning(
          unpaired
              + (unpaired == 1 ? " call was" : " calls were")
              + " left out: nested more than 64 deep, so without latency and entry values");
    }
    long missed = session.missedRuns();
    if (missed > 0) {
      console.warning(
          missed
              + " hits missed: the program was already running on that CPU, or too many calls were"
              + " in flight");
    }
    FrontEnd frontEnd = request.frontEnd();
    int ofUpdates = report(session.failedUpdates(), "updates", full(tables), frontEnd.moreKeys());
    int ofEvents =
        report(session.lostEvents(), "events", "the buffer was full", frontEnd.moreBuffer());
    return Math.max(ofUpdates, ofEvents);
  }

  private int report(long count, String what, String why, String remedy) {
    if (count == 0) {
      return ExitCode.OK;
    }
    if (request.keepGoing()) {
      console.warning(count + " " + what + " lost: " + why + " (" + remedy + ")");
      return ExitCode.OK;
    }
    console.error(
        "lost " + count + " " + what + ": " + why + " (" + remedy + ", -k goes on regardless)");
    return ExitCode.FAILURE;
  }

  private String full(List<NamedTable> tables) {
    int limit = request.sizes().mapEntries();
    return tables.stream()
            .filter(table -> table.table().size() >= limit)
            .map(NamedTable::name)
            .findFirst()
            .map(name -> "map \"" + name + "\" is")
            .orElse("a map was")
        + " full at "
        + limit
        + " keys";
  }
}
