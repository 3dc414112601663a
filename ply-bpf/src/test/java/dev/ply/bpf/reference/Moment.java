package dev.ply.bpf.reference;

import dev.ply.bpf.simulate.Circumstances;
import dev.ply.bpf.simulate.Firing;
import java.util.Optional;

/**
 * What a clause sees of the world when it runs.
 *
 * @param who the thread that runs it, and where
 * @param nanos nanoseconds since boot
 * @param firing what happened; nothing did for BEGIN, END and the clock's probes
 */
public record Moment(Circumstances who, long nanos, Optional<Firing> firing) {
  /** Something happens. */
  public static Moment of(Firing firing, long nanos) {
    return new Moment(firing.circumstances(), nanos, Optional.of(firing));
  }

  /** Nothing happens, but a clause runs. */
  public static Moment of(Circumstances who, long nanos) {
    return new Moment(who, nanos, Optional.empty());
  }
}
