package dev.ply.cli;

import dev.ply.Session;
import dev.ply.ir.AttachPoint;
import dev.ply.ir.Script;
import dev.ply.result.ResultFormat;
import dev.ply.result.TextBuffer;

/**
 * Reports attached probes, and lost events while a trace runs: as results in layouts that have
 * them, else as messages, as bpftrace does.
 */
final class Announcements {
  private final Console console;
  private final TraceRequest request;
  private final ResultFormat format;
  private long lost;

  Announcements(Console console, TraceRequest request, ResultFormat format) {
    this.console = console;
    this.request = request;
    this.format = format;
  }

  /** Reports the number of attached probes, including BEGIN and END. */
  void attached(Script script, Session session) {
    if (request.quiet()) {
      return;
    }
    long ownProbes =
        script.clauses().stream()
            .filter(
                clause ->
                    clause.point() instanceof AttachPoint.Begin
                        || clause.point() instanceof AttachPoint.End)
            .count();
    int probes = Math.toIntExact(ownProbes + session.attachments().size());
    TextBuffer line = new TextBuffer();
    format.appendAttached(line, probes);
    report(line, "Attached " + probes + (probes == 1 ? " probe" : " probes"));
  }

  /** Reports the events lost since the last call. */
  void lost(Session session) {
    long now = session.lostEvents();
    if (now > lost) {
      TextBuffer line = new TextBuffer();
      format.appendLost(line, now - lost);
      report(line, "Lost " + (now - lost) + " events");
      lost = now;
    }
  }

  private void report(TextBuffer line, String message) {
    if (line.length() > 0) {
      console.output().print(line);
      console.output().flush();
    } else if (request.frontEnd() == FrontEnd.BPFTRACE) {
      console.message(message);
    }
  }
}
