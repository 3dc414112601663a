package dev.ply.bpf.session;

import dev.ply.analysis.rewrite.PairCalls;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.stream.ErrorEvents;
import dev.ply.result.Loss;
import dev.ply.result.Losses;
import dev.ply.table.Datum;
import java.util.EnumMap;
import java.util.Map;

/** Reads what a trace has lost: from the counters of its programs, the kernel and its listeners. */
final class LossCounters {
  private final BpfObject object;
  private final TraceRun run;

  LossCounters(BpfObject object, TraceRun run) {
    this.object = object;
    this.run = run;
  }

  /** Returns everything lost so far. */
  Losses all() {
    Map<Loss, Long> counts = new EnumMap<>(Loss.class);
    for (Loss loss : Loss.values()) {
      long count = count(loss);
      if (count > 0) {
        counts.put(loss, count);
      }
    }
    return new Losses(counts, run.machine().missedRunsByPoint());
  }

  /** Returns how many of a kind are lost so far. */
  long count(Loss loss) {
    return switch (loss) {
      case EVENTS, UPDATES, STACKS, CUT_STACKS, LOOPS, SIGNALS -> ofPrograms(loss);
      case UNPAIRED_CALLS -> unpairedCalls();
      case MISSED_RUNS -> run.machine().missedRuns();
      case RUNTIME_ERRORS -> ErrorEvents.total(object, run.machine());
      case ADDED_KEYS -> run.tables().leftOutOfAdded();
      case UNDELIVERED -> run.undelivered();
      case DROPPED -> run.listeners().dropped();
    };
  }

  private long ofPrograms(Loss loss) {
    int place = BpfObject.COUNTED_LOSSES.indexOf(loss) * Long.BYTES;
    long[] count = {0};
    object
        .map(BpfObject.LOSSES)
        .ifPresent(
            map ->
                run.machine().read(map, (key, values) -> count[0] = values.get(0).getLong(place)));
    return count[0];
  }

  private long unpairedCalls() {
    return object.tables().stream()
        .filter(layout -> layout.symbol().name().equals(PairCalls.unpairedCalls()))
        .flatMap(layout -> run.tables().read(layout).stream())
        .mapToLong(row -> ((Datum.Int) row.value()).value())
        .sum();
  }
}
