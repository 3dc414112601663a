package dev.ply.cli;

import dev.ply.Session;
import dev.ply.Session.NamedTable;
import dev.ply.ir.MapDeclaration;
import dev.ply.ir.Script;
import dev.ply.ir.Setting;
import java.util.List;
import java.util.Optional;

/** Reports the losses at the end of a trace. */
final class LossReport {
  private final Console console;
  private final TraceRequest request;
  private final Script script;

  /**
   * Creates the report of a trace.
   *
   * @param script which may give maps their sizes
   */
  LossReport(Console console, TraceRequest request, Script script) {
    this.console = console;
    this.request = request;
    this.script = script;
  }

  /** Reports all losses, and returns the resulting exit status. */
  int run(Session session, List<NamedTable> tables) {
    session.symbolShortage().ifPresent(console::warning);
    long loops = session.stoppedLoops();
    if (loops > 0) {
      console.warning(
          (loops == 1 ? "a loop was" : loops + " loops were")
              + " stopped "
              + script.configuration().number(Setting.MAX_LOOP_ITERATIONS).stream()
                  .mapToObj(most -> "after " + most + " iterations")
                  .findFirst()
                  .orElse(
                      "at the usual maximum of iterations, 1048576 (1024 before Linux 5.17): config"
                          + " = { max_loop_iterations = N } sets it"));
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
              + " left out: nested more than 64 deep, or on several stacks, so without latency and"
              + " entry values");
    }
    long missed = session.missedRuns();
    if (missed > 0) {
      console.warning(
          missed
              + " hits missed: the program was already running on that CPU, or too many calls were"
              + " in flight");
    }
    int ofUpdates = ofUpdates(session.failedUpdates(), tables);
    int ofEvents =
        report(
            session.lostEvents(), "event", "the buffer was full", request.frontEnd().moreBuffer());
    int ofStacks =
        report(
            session.lostStacks(),
            "stack trace",
            "the map of different ones was full",
            request.frontEnd().moreKeys());
    return Math.max(Math.max(ofUpdates, ofEvents), ofStacks);
  }

  private int report(long count, String what, String why, String remedy) {
    if (count == 0) {
      return ExitCode.OK;
    }
    String lost = count + " " + what + (count == 1 ? "" : "s");
    if (request.keepGoing()) {
      console.warning(lost + " lost: " + why + " (" + remedy + ")");
      return ExitCode.OK;
    }
    console.error("lost " + lost + ": " + why + " (" + remedy + ", -k goes on regardless)");
    return ExitCode.FAILURE;
  }

  private int ofUpdates(long count, List<NamedTable> tables) {
    Optional<NamedTable> full =
        tables.stream().filter(table -> table.table().size() >= limit(table.name())).findFirst();
    String name = full.map(NamedTable::name).orElse("");
    int limit = limit(name);
    return report(
        count,
        "update",
        (name.isEmpty() ? "a map was" : "map \"" + name + "\" is")
            + " full at "
            + limit
            + (limit == 1 ? " key" : " keys"),
        declared(name)
            .map(map -> "a larger number in its declaration makes room")
            .or(() -> configured())
            .orElse(request.frontEnd().moreKeys()));
  }

  private Optional<String> configured() {
    return script.configuration().value(Setting.MAX_MAP_KEYS).isPresent()
        ? Optional.of("a larger max_map_keys makes room")
        : Optional.empty();
  }

  private int limit(String map) {
    int undeclared =
        script
            .configuration()
            .number(Setting.MAX_MAP_KEYS)
            .orElseGet(() -> request.sizes().mapEntries());
    return declared(map).map(MapDeclaration::entries).orElse(undeclared);
  }

  private Optional<MapDeclaration> declared(String map) {
    return script.declarations().stream().filter(one -> one.map().equals(map)).findFirst();
  }
}
