package dev.ply.analysis;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Clause;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.SamplingRate;
import dev.ply.probe.TimerProbe;
import java.time.Duration;
import java.util.Optional;

/** Warns of periods that the kernel silently rounds. */
final class CheckClock {
  /** The shortest period of the kernel's cpu-clock event (perf_swevent_start_hrtimer). */
  private static final Duration SHORTEST = Duration.ofNanos(10_000);

  private CheckClock() {}

  static void apply(Clause clause, Diagnostics diagnostics) {
    if (period(clause.point()).filter(period -> period.compareTo(SHORTEST) < 0).isPresent()) {
      diagnostics.warning(
          DiagnosticCode.OUT_OF_RANGE,
          clause.pointSpan(),
          clause.point().definition() + " fires every 10us: the kernel's clocks are no faster");
    }
  }

  private static Optional<Duration> period(AttachPoint point) {
    return point instanceof TimerProbe timer && timer.rate() instanceof SamplingRate.Every every
        ? Optional.of(every.period())
        : Optional.empty();
  }
}
