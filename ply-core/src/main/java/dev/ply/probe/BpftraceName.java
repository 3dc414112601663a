package dev.ply.probe;

import java.util.Locale;

/** The names of probes as bpftrace has them: {@code interval:ms:1}, {@code begin}. */
public final class BpftraceName {
  private BpftraceName() {}

  /**
   * {@return the name of an attach point, with the unit of a timer before the number, and a counter
   * as the script names it}
   *
   * @param point no pattern
   */
  public static String of(AttachPoint point) {
    if (point instanceof TracerProbe own && own.isOfEveryTrace()) {
      return point.definition().toLowerCase(Locale.ROOT);
    }
    if (point instanceof TimerProbe.Interval interval) {
      return "interval:" + new SamplingRate.Every(interval.period()).text();
    }
    if (point instanceof TimerProbe.Profile profile
        && profile.cpu().isEmpty()
        && profile.rate() instanceof SamplingRate.Hertz rate) {
      return "profile:hz:" + rate.frequency();
    }
    if (point instanceof CounterProbe counter && point.provider().isPresent()) {
      PerfPeriod event = counter.event();
      return point.provider().get().keyword() + ":" + event.name() + ":" + event.period();
    }
    return point.definition();
  }
}
