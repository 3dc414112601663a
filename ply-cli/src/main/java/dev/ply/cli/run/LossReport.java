package dev.ply.cli.run;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.ir.Script;
import dev.ply.ir.declaration.MapDeclaration;
import dev.ply.ir.declaration.Setting;
import dev.ply.probe.OffCpuProbe;
import dev.ply.result.Loss;
import dev.ply.result.Losses;
import dev.ply.table.NamedTable;
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
    Losses losses = session.losses();
    long loops = losses.of(Loss.LOOPS);
    if (loops > 0) {
      console.warning(
          (loops == 1 ? "a loop was" : loops + " loops were")
              + " stopped "
              + script.configuration().number(Setting.MAX_LOOP_ITERATIONS).stream()
                  .mapToObj(most -> "after " + most + " iterations")
                  .findFirst()
                  .orElse(
                      "after the default maximum of iterations, 1048576 (1024 before Linux 5.17):"
                          + " config = { max_loop_iterations = N } changes it"));
    }
    for (Loss loss :
        List.of(Loss.CUT_STACKS, Loss.SIGNALS, Loss.UNPAIRED_CALLS, Loss.MISSED_RUNS)) {
      if (losses.of(loss) > 0) {
        console.warning(loss.sentence(losses.of(loss)));
      }
    }
    int ofUpdates = ofUpdates(losses.of(Loss.UPDATES), tables);
    int ofEvents = report(losses, Loss.EVENTS, request.frontEnd().remedies().buffer());
    int ofStacks = report(losses, Loss.STACKS, request.frontEnd().remedies().stacks());
    return Math.max(Math.max(ofUpdates, ofEvents), ofStacks);
  }

  private int report(Losses losses, Loss loss, String remedy) {
    long count = losses.of(loss);
    return count == 0 ? ExitCode.OK : report(loss.sentence(count), remedy);
  }

  private int report(String sentence, String remedy) {
    if (request.onLoss() == TraceRequest.OnLoss.GO_ON) {
      console.warning(sentence + " (" + remedy + ")");
      return ExitCode.OK;
    }
    console.error(sentence + " (" + remedy + "; -k continues)");
    return ExitCode.FAILURE;
  }

  private int ofUpdates(long count, List<NamedTable> tables) {
    Optional<NamedTable> full =
        tables.stream().filter(table -> table.table().size() >= limit(table.name())).findFirst();
    String name = full.map(NamedTable::name).orElse("");
    int limit = limit(name);
    if (count == 0) {
      return ExitCode.OK;
    }
    if (full.isEmpty() && hasOffCpuProbes()) {
      return report(
          Loss.UPDATES.counted(count)
              + " lost: more than "
              + OffCpuProbe.MOST_THREADS
              + " threads were off the CPU at once",
          "a condition on the thread, such as pid == 4711, leaves out others");
    }
    return report(
        Loss.UPDATES.counted(count)
            + " lost: "
            + (name.isEmpty() ? "a map was" : "map \"" + name + "\" is")
            + " full at "
            + limit
            + (limit == 1 ? " key" : " keys"),
        declared(name)
            .map(map -> "raise the number in its declaration")
            .or(() -> configured())
            .orElse(request.frontEnd().remedies().keys()));
  }

  private boolean hasOffCpuProbes() {
    return script.clauses().stream().anyMatch(clause -> clause.point() instanceof OffCpuProbe);
  }

  private Optional<String> configured() {
    return script.configuration().value(Setting.MAX_MAP_KEYS).isPresent()
        ? Optional.of("raise max_map_keys")
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
