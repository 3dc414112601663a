package dev.ply.cli.run;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.io.Terminal;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.TracerProbe;
import dev.ply.result.AttachedSite;
import dev.ply.result.Loss;
import dev.ply.result.Result;
import dev.ply.text.TextBuffer;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/**
 * Reports attached probes, and lost events while a trace runs: as results in layouts that have
 * them, else as messages if the front end has words for it.
 */
final class Announcements {
  private static final int NANO_DIGITS = 9;

  private final Console console;
  private final TraceRequest request;
  private final ResultOutput results;
  private long lost;

  Announcements(Console console, TraceRequest request, ResultOutput results) {
    this.console = console;
    this.request = request;
    this.results = results;
  }

  /**
   * Reports the number of attached probes, including BEGIN, END and iterators, before what these
   * print.
   */
  void attached(Script script, Session session) {
    TextBuffer lines = new TextBuffer();
    if (request.notices() == TraceRequest.Notices.SHOWN) {
      long ownProbes =
          script.clauses().stream()
              .filter(clause -> isOwn(clause) && request.purpose().includes(clause.point()))
              .count();
      // A USDT probe is one, at however many addresses it is.
      long others = session.attachments().stream().map(AttachedSite::point).distinct().count();
      int probes = Math.toIntExact(ownProbes + others);
      if (!results.print(lines, new Result.Attached(probes, session.attachments()))) {
        request
            .frontEnd()
            .attached(probes)
            .or(() -> isWatched(session) ? Optional.of(running(probes)) : Optional.empty())
            .ifPresent(console::message);
      }
    }
    request.frontEnd().readiness().ifPresent(line -> lines.append(line).append('\n'));
    console.output().release(lines);
  }

  /** Returns whether somebody at a terminal waits for what the trace shows. */
  boolean isWatched(Session session) {
    return console.terminal() == Terminal.SHOWN
        && request.notices() == TraceRequest.Notices.SHOWN
        && request.purpose() == Purpose.TRACE
        && !session.attachments().isEmpty();
  }

  private String running(int probes) {
    String end =
        request.duration().map(time -> "for " + seconds(time) + "; ").orElse("")
            + (request.command().isPresent() ? "until the command ends; " : "");
    return "tracing " + probes + (probes == 1 ? " probe" : " probes") + "… " + end + "Ctrl-C ends";
  }

  private static String seconds(Duration time) {
    return BigDecimal.valueOf(time.toNanos(), NANO_DIGITS).stripTrailingZeros().toPlainString()
        + " s";
  }

  /** Returns whether a clause is attached to nothing. */
  static boolean isOwn(Clause clause) {
    return clause.point() instanceof TracerProbe || clause.point() instanceof AttachPoint.Iterator;
  }

  /** Reports the events lost since the last call. */
  void lost(Session session) {
    long now = session.lost(Loss.EVENTS);
    if (now > lost) {
      if (results.print(new Result.Lost(Loss.EVENTS, now - lost))) {
        console.output().flush();
      } else {
        request.frontEnd().lost(now - lost).ifPresent(console::message);
      }
      lost = now;
    }
  }
}
