package dev.ply.cli.live.model;

import dev.ply.Session;
import dev.ply.result.CostMeter;
import dev.ply.result.ProbeCost;
import dev.ply.result.TraceCost;
import dev.ply.type.Escapes;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/**
 * What tracing costs: the CPU time of this process, and that of the programs, which is measured for
 * one second in ten because measuring costs each hit something. For one thread.
 */
public final class CostSampler implements AutoCloseable {
  private static final long SECOND = 1_000_000_000L;
  private static final long EVERY = 10 * SECOND;

  private final Session session;
  private Optional<CostMeter> meter = Optional.empty();
  private Optional<Status.Cost> cost = Optional.empty();
  private long next;
  private boolean isMeasurable = true;
  private Duration used = own();
  private long since = System.nanoTime();
  private double processor;

  /** Creates a sampler, which measures at once for the first time. */
  public CostSampler(Session session) {
    this.session = session;
    this.next = System.nanoTime();
  }

  private static Duration own() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Begins or ends to measure, when it is time. */
  public void sample(long now) {
    if (now - since >= SECOND) {
      Duration total = own();
      processor = (double) total.minus(used).toNanos() / (now - since);
      used = total;
      since = now;
    }
    if (isMeasurable && now - next >= 0) {
      if (meter.isEmpty()) {
        meter = session.measureCost();
        isMeasurable = meter.isPresent();
        next = now + SECOND;
      } else {
        cost = Optional.of(of(meter.get().soFar()));
        close();
        next = now + EVERY - SECOND;
      }
    }
  }

  private static Status.Cost of(TraceCost cost) {
    long hits = cost.probes().stream().mapToLong(ProbeCost::hits).sum();
    Optional<String> most =
        cost.probes().stream()
            .max(Comparator.comparing(ProbeCost::time))
            .filter(unused -> cost.probes().size() > 1)
            .map(probe -> Escapes.escape(probe.points().get(0)));
    return new Status.Cost(
        cost.share(cost.ofProbes()),
        cost.perSecond(hits),
        hits == 0 ? 0 : Math.round((double) cost.ofProbes().toNanos() / hits),
        most);
  }

  /** {@return what the programs cost when they were last measured} */
  public Optional<Status.Cost> cost() {
    return cost;
  }

  /** {@return the share of a CPU that this process used in the last second} */
  public double processor() {
    return processor;
  }

  @Override
  public void close() {
    meter.ifPresent(CostMeter::close);
    meter = Optional.empty();
  }
}
