package dev.ply.cli.run;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import java.util.List;

/** All that follows a trace, as one. */
record FollowerGroup(List<Follower> all) implements Follower {
  /** Returns what a request asks for; nothing follows tests and benchmarks. */
  static FollowerGroup of(TraceRequest request, Console console) {
    return new FollowerGroup(
        request.purpose() == Purpose.TRACE
            ? request.followers().stream().map(maker -> maker.on(console)).toList()
            : List.of());
  }

  @Override
  public Script extend(Source source, Script script) {
    Script extended = script;
    for (Follower one : all) {
      extended = one.extend(source, extended);
    }
    return extended;
  }

  @Override
  public PreparedTrace join(PreparedTrace trace) throws UsageException {
    PreparedTrace joined = trace;
    for (Follower one : all) {
      joined = one.join(joined);
    }
    return joined;
  }

  @Override
  public void follow(Session session, ResultOutput results, Runnable end) {
    all.forEach(one -> one.follow(session, results, end));
  }

  @Override
  public void stopping(Session session) {
    all.forEach(one -> one.stopping(session));
  }

  @Override
  public void stopped(Session session, ResultOutput results) {
    all.forEach(one -> one.stopped(session, results));
  }

  @Override
  public boolean hasFailed() {
    return all.stream().anyMatch(Follower::hasFailed);
  }

  @Override
  public void close() {
    all.forEach(Follower::close);
  }
}
