package dev.ply.cli.follow;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.run.Follower;
import dev.ply.result.CostMeter;
import dev.ply.result.Result;
import dev.ply.result.TraceCost;
import java.util.Optional;

/** Measures what a trace costs, and reports it at the end. */
final class CostFollower implements Follower {
  private final Console console;
  private Optional<CostMeter> meter = Optional.empty();

  CostFollower(Console console) {
    this.console = console;
  }

  @Override
  public void follow(Session session, ResultOutput results, Runnable end) {
    meter = session.measureCost();
    if (meter.isEmpty()) {
      console.warning(
          "the kernel does not measure the cost for this process: --cost needs CAP_SYS_ADMIN and"
              + " Linux 5.8");
    }
  }

  @Override
  public void stopped(Session session, ResultOutput results) {
    if (meter.isPresent()) {
      TraceCost cost = meter.get().soFar();
      boolean unused = results.print(new Result.Cost(cost));
      new CostReport(cost).lines().forEach(console::message);
    }
  }

  @Override
  public void close() {
    meter.ifPresent(CostMeter::close);
  }
}
