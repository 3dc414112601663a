package dev.ply.bpf.oracle;

import dev.ply.Session;
import dev.ply.result.Loss;
import dev.ply.table.NamedTable;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a scenario comes to.
 *
 * @param printed all that was printed, in order
 * @param tables what the maps hold at the end
 * @param exitStatus what the script ended the trace with, empty if it did not
 * @param lost how many events and updates found no room
 */
public record Outcome(String printed, List<NamedTable> tables, OptionalInt exitStatus, long lost) {
  public Outcome {
    tables = List.copyOf(tables);
  }

  /** Returns what a session came to that has been stopped. */
  static Outcome of(Session session, String printed) {
    long lost =
        session.lost(Loss.EVENTS)
            + session.lost(Loss.UPDATES)
            + session.lost(Loss.STACKS)
            + session.lost(Loss.LOOPS);
    return new Outcome(printed, session.tables(), session.exitStatus(), lost);
  }

  /** Returns all of it, line by line. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder(printed);
    for (NamedTable named : tables) {
      out.append(named.name()).append(":\n").append(named.table()).append('\n');
    }
    exitStatus.ifPresent(status -> out.append("exit ").append(status).append('\n'));
    return lost == 0 ? out.toString() : out.append(lost).append(" lost\n").toString();
  }
}
