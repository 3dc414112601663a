package dev.ply.bpf.simulate;

import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.plan.SystemCallPlan;
import dev.ply.probe.AttachPoint;
import dev.ply.selector.UsdtSelector;
import dev.ply.target.UserLocation;

/** Finds the attached sites that a firing hits. */
final class FiredSite {
  private static final String RAW = "rawtracepoint:";

  private FiredSite() {}

  /**
   * Returns whether a hit of a point is one of a spec's site; kretprobes match with any maxactive.
   */
  static boolean isAt(AttachPoint point, AttachSpec spec, AttachSite site) {
    if (spec instanceof AttachSpec.AllSyscalls all) {
      // Runs for all syscalls; the program checks the number.
      return SystemCallPlan.endOf(point).filter(end -> end.event().equals(all.event())).isPresent();
    }
    if (point instanceof AttachPoint.RawTracepoint raw) {
      // The script may name its module.
      return site.definition().startsWith(RAW)
          && site.definition().substring(RAW.length()).matches("([^:]*:)?" + raw.event());
    }
    String definition = point.definition();
    if (spec instanceof AttachSpec.Kprobe kprobe && kprobe.maxActive().isPresent()) {
      definition += ":" + kprobe.maxActive().getAsInt();
    }
    return site.definition().equals(definition)
        && (!(point instanceof AttachPoint.Usdt usdt)
            || !(spec instanceof AttachSpec.Uprobe uprobe)
            || isLocation(usdt.place(), uprobe.locations().get(0)));
  }

  /** A USDT probe can have several addresses in one binary. */
  private static boolean isLocation(UsdtSelector place, UserLocation location) {
    return ((UsdtSelector.Location) place).address() == location.offset();
  }
}
