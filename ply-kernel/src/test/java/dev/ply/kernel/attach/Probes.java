package dev.ply.kernel.attach;

import dev.ply.bpf.object.AttachSite;
import dev.ply.bpf.object.AttachSpec;
import dev.ply.bpf.object.AttachSpec.KprobeInterface;
import dev.ply.bpf.object.KernelLocation;
import dev.ply.target.Mechanism;
import java.util.OptionalInt;

/** Specifications of kprobes. */
final class Probes {
  private Probes() {}

  /** A probe on a function's entry. */
  static AttachSpec entry(String function) {
    return entry(new KernelLocation.Symbol(function));
  }

  static AttachSpec entry(KernelLocation location) {
    return new AttachSpec.Kprobe(
        AttachSite.of("kprobe:" + location.text(), Mechanism.KPROBE),
        location,
        false,
        KprobeInterface.PERF,
        OptionalInt.empty(),
        0);
  }

  /** A probe on the return from a function. */
  static AttachSpec returns(String function) {
    return returns(function, KprobeInterface.PERF, OptionalInt.empty());
  }

  /** A probe on the return from a function that follows so many concurrent calls. */
  static AttachSpec returns(String function, int maxActive) {
    return returns(function, KprobeInterface.TRACEFS, OptionalInt.of(maxActive));
  }

  private static AttachSpec returns(String function, KprobeInterface by, OptionalInt maxActive) {
    return new AttachSpec.Kprobe(
        AttachSite.of("kretprobe:" + function, Mechanism.KPROBE),
        new KernelLocation.Symbol(function),
        true,
        by,
        maxActive,
        0);
  }
}
